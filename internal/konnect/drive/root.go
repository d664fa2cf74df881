package drive

import (
	"context"
	"fmt"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// roots are the lists of the types that the changes' resources belong to: who
// owns a child, and whether it is protected, its root says.
func (k *checker) roots(changes []*plan.Change) []remote.Scope {
	var out []remote.Scope
	seen := map[*catalog.Bound]bool{}
	for _, c := range changes {
		if c.Parent == nil || c.Parent.Change != "" {
			continue
		}
		t := k.d.Catalog.Kind(c.Parent.Type) // decK's work has no type of its own
		if t == nil {
			continue
		}
		if t = rootOf(t); !seen[t] {
			seen[t] = true
			out = append(out, remote.Scope{Type: t})
		}
	}
	return out
}

func rootOf(t *catalog.Bound) *catalog.Bound {
	for t.Parent != nil {
		t = t.Parent
	}
	return t
}

// without looks at what a change's resource belongs to. When that is gone, so
// is the resource; when it has become somebody else's or protected, the change
// is not this plan's to make any more.
func (k *checker) without(call *execute.Call, s remote.Scope) bool {
	c := call.Change
	gone := s.Type != nil && k.gone[scopeKey(s)]
	if len(s.Ancestors) == 0 || c.Parent == nil || c.Parent.Change != "" {
		return gone && k.lost(call)
	}
	rootType := rootOf(k.d.Catalog.Kind(c.Parent.Type))
	root := find(k.lists[scopeKey(remote.Scope{Type: rootType})], s.Ancestors[0])
	what := catalog.Words(rootType.Kind)
	switch {
	case root == nil, gone:
		return k.lost(call)
	case rootType.HasLabels() && !c.External() && catalog.Labels(root)[label.Namespace] != c.Namespace:
		k.moved(call, fmt.Sprintf("the %s that it belongs to is in the namespace %q now", what, catalog.Labels(root)[label.Namespace]))
		return true
	case c.Action == plan.Delete && !c.Parent.RootProtected && label.Protects(catalog.Labels(root)):
		k.moved(call, fmt.Sprintf("the %s that it belongs to has been protected", what))
		return true
	default:
		return false
	}
}

// lost handles a change below something that is gone.
func (k *checker) lost(call *execute.Call) bool {
	if call.Change.Action == plan.Delete {
		k.done(call, &resource.Object{ID: call.Change.ResourceID})
	} else {
		k.moved(call, "what it belongs to does not exist any more")
	}
	return true
}

func find(objects []*resource.Object, id string) *resource.Object {
	for _, o := range objects {
		if o.ID == id {
			return o
		}
	}
	return nil
}

// checkerOf returns the checker for a change of another target.
func (d *Driver) checkerOf(ctx context.Context, p *plan.Plan, c *execute.Call) (*checker, error) {
	if d.plan != p {
		_ = d.Prepare(ctx, p, nil) // the plan has nothing else for Konnect
	}
	return d.checker(ctx, []*execute.Call{c})
}

// Above looks at the resource that a change of another target stands below, and
// at the root of that: they may be gone, renamed, or somebody else's. A name that
// the plan changes is right afterwards.
func (d *Driver) Above(ctx context.Context, p *plan.Plan, c *execute.Call) ([]execute.Verdict, error) {
	k, err := d.checkerOf(ctx, p, c)
	if err != nil {
		return nil, err
	}
	k.verdicts = nil
	if !k.without(c, remote.Scope{Ancestors: c.Ancestors}) {
		k.misnamed(c)
	}
	return k.verdicts, nil
}

func (k *checker) misnamed(call *execute.Call) {
	c, ancestors := call.Change, call.Ancestors
	if c.Parent.Change != "" {
		return
	}
	id := ancestors[len(ancestors)-1]
	t := k.d.Catalog.Kind(c.Parent.Type)
	o := find(k.lists[scopeKey(remote.Scope{Type: t, Ancestors: ancestors[:len(ancestors)-1]})], id)
	for _, x := range k.d.plan.Changes {
		if x.Action == plan.Update && x.ResourceType == c.Parent.Type && x.ResourceID == id {
			return
		}
	}
	if o != nil && o.Fields[t.NameField()] != c.ResourceName {
		k.moved(call, fmt.Sprintf("the %s is called %q now", catalog.Words(t.Kind), o.Fields[t.NameField()]))
	}
}
