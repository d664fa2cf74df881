package execute

import (
	"fmt"

	"kongctl/internal/resource"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/plan"
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
		t := k.run.Catalog.Kind(c.Parent.Type) // decK's work has no type of its own
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
func (k *checker) without(c *plan.Change, s remote.Scope) bool {
	gone := s.Type != nil && k.gone[scopeKey(s)]
	if len(s.Ancestors) == 0 || c.Parent == nil || c.Parent.Change != "" {
		return gone && k.lost(c, s)
	}
	rootType := rootOf(k.run.Catalog.Kind(c.Parent.Type))
	root := find(k.lists[scopeKey(remote.Scope{Type: rootType})], s.Ancestors[0])
	what := catalog.Words(rootType.Kind)
	switch {
	case root == nil, gone:
		return k.lost(c, s)
	case rootType.HasLabels() && !c.External() && remote.Labels(root)[label.Namespace] != c.Namespace:
		k.moved(Moved{Change: c, Why: fmt.Sprintf("the %s that it belongs to is in the namespace %q now", what, remote.Labels(root)[label.Namespace])})
		return true
	case c.Action == plan.Delete && !c.Parent.RootProtected && label.Protects(remote.Labels(root)):
		k.moved(Moved{Change: c, Why: fmt.Sprintf("the %s that it belongs to has been protected", what)})
		return true
	default:
		return false
	}
}

// misnamed says that decK would work on another control plane: the deck binary
// finds it by its name. A name that the plan changes is right afterwards.
func (k *checker) misnamed(c *plan.Change, s remote.Scope) bool {
	if c.Parent.Change != "" {
		return false
	}
	id := s.Ancestors[len(s.Ancestors)-1]
	t := k.run.Catalog.Kind(c.Parent.Type)
	o := find(k.lists[scopeKey(remote.Scope{Type: t, Ancestors: s.Ancestors[:len(s.Ancestors)-1]})], id)
	for _, x := range k.run.Plan.Changes {
		if x.Action == plan.Update && x.ResourceType == c.Parent.Type && x.ResourceID == id {
			return false
		}
	}
	if o == nil || o.Fields[t.NameField()] == c.ResourceName {
		return false
	}
	k.moved(Moved{Change: c, Why: fmt.Sprintf("the %s is called %q now", catalog.Words(t.Kind), o.Fields[t.NameField()])})
	return true
}

// lost handles a change below something that is gone.
func (k *checker) lost(c *plan.Change, s remote.Scope) bool {
	if c.Action == plan.Delete {
		k.done(c, s, &resource.Object{ID: c.ResourceID})
	} else {
		k.moved(Moved{Change: c, Why: "what it belongs to does not exist any more"})
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

// madeAgain tells of the first half of a replace whose second half is done: what
// is there is the new one.
func (k *checker) madeAgain(c *plan.Change, s remote.Scope, o *resource.Object) bool {
	for _, next := range k.run.Plan.Changes {
		if next.Action != plan.Create || !next.Replace || next.ResourceType != c.ResourceType || next.ResourceRef != c.ResourceRef {
			continue
		}
		_, w, err := k.run.filled(next)
		return err == nil && fulfilled(s.Type, w.Fields, o)
	}
	return false
}
