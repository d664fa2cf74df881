package restate

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// parent is what a change stands below: what another change leads to, or what
// exists.
func (b *builder) parent(c *plan.Change, t *catalog.Bound) (*node, error) {
	ref, id := above(c, t.Parent)
	if c.Parent != nil {
		ref, id = cmp.Or(c.Parent.Ref, ref), cmp.Or(known(c.Parent.ID), id)
	}
	n, err := b.find(c, t.Parent, ref, id)
	switch {
	case err != nil || n != nil || b.reported(c):
	case c.Action == plan.Delete:
		b.out.Gone[c.ID] = true
	default:
		b.moved(c, fmt.Sprintf("the %s that it belongs to does not exist", catalog.Words(t.Parent.Kind)))
	}
	return n, err
}

// reported reports whether something is said of a change already.
func (b *builder) reported(c *plan.Change) bool {
	for _, m := range b.out.Moved {
		if m.Change == c {
			return true
		}
	}
	return false
}

// find is the node of a resource that a change names.
func (b *builder) find(c *plan.Change, t *catalog.Bound, ref, id string) (*node, error) {
	for _, x := range b.changes {
		if x != c && x.ResourceType == t.Kind && (x.ResourceRef == ref || id != "" && x.ResourceID == id) {
			return b.node(x)
		}
	}
	if id == "" {
		return nil, unfitf("the plan does not say which %s it belongs to", catalog.Words(t.Kind))
	}
	return b.exists(c, t, ref, id)
}

// exists is the node of a resource that exists and that no change is about.
func (b *builder) exists(c *plan.Change, t *catalog.Bound, ref, id string) (*node, error) {
	if language.Ref(ref) != ref { // a name
		ref = ""
	}
	n := &node{t: t, ref: cmp.Or(ref, id), id: id}
	if t.Parent != nil {
		aboveRef, aboveID := above(c, t.Parent)
		var err error
		if n.parent, err = b.find(c, t.Parent, aboveRef, aboveID); err != nil || n.parent == nil {
			return nil, err
		}
	}
	key := t.Kind + " " + strings.Join(n.ids(), "/")
	if known, ok := b.read[key]; ok {
		return known, nil
	}
	if t.ReadOnly {
		n.fields = map[string]value.Value{}
		b.read[key] = n
		b.place(n)
		return n, nil
	}
	o, err := live.ReadOne(b.ctx, b.from, remote.Scope{Type: t, Ancestors: n.parent.ids()}, id)
	if err != nil || o == nil {
		return nil, err
	}
	fill(n, o)
	b.read[key] = n
	if why := ownedElsewhere(n, c); why != "" {
		b.out.Moved = append(b.out.Moved, execute.Moved{Change: c, Why: why})
		delete(b.read, key)
		return nil, nil
	}
	if err := b.inTree(n, o.Fields); err != nil {
		return nil, err
	}
	b.place(n)
	return n, nil
}

// above is what the references of a change say of a resource that it stands below.
func above(c *plan.Change, t *catalog.Bound) (ref, id string) {
	keys := []string{t.Kind + "_id", t.Kind}
	for _, child := range t.Children {
		keys = append(keys, child.ParentKeys()...)
	}
	for _, key := range keys {
		if r, ok := c.References[key]; ok {
			return r.Ref, known(r.ID)
		}
	}
	return "", ""
}

// known is an id that a plan holds, "" for one that stands for what is to come.
func known(id string) string {
	if strings.HasPrefix(id, "[") || strings.HasPrefix(id, "<") {
		return ""
	}
	return id
}

// inTree puts what nests in a resource of its own type below that one.
func (b *builder) inTree(n *node, have map[string]any) error {
	if n.t.Tree == nil {
		return nil
	}
	id, _ := have[n.t.Tree.Parent].(string)
	if id == "" {
		return nil
	}
	return b.nest(n, nil, "", id)
}

// nest puts a resource below another one of its type.
func (b *builder) nest(n *node, c *plan.Change, ref, id string) error {
	for _, x := range b.changes {
		if x != c && x.ResourceType == n.t.Kind && (x.ResourceRef == ref || id != "" && x.ResourceID == id) {
			up, err := b.node(x)
			if err != nil || up == nil {
				return err
			}
			n.parent = up
			return nil
		}
	}
	if id == "" {
		return unfitf("the plan does not say which %s it belongs to", catalog.Words(n.t.Kind))
	}
	parent := n.parent
	o, err := live.ReadOne(b.ctx, b.from, remote.Scope{Type: n.t, Ancestors: parent.ids()}, id)
	if err != nil {
		return err
	}
	if o == nil {
		return unfitf("the %s that it nests in does not exist", catalog.Words(n.t.Kind))
	}
	key := n.t.Kind + " " + strings.Join(append(parent.ids(), id), "/")
	up := b.read[key]
	if up == nil {
		up = &node{t: n.t, ref: id, id: id, parent: parent}
		fill(up, o)
		b.read[key] = up
		if err := b.inTree(up, o.Fields); err != nil {
			return err
		}
		b.place(up)
	}
	n.parent = up
	return nil
}
