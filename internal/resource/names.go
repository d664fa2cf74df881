package resource

import (
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/value"
)

// Names calls live objects as plans do. What was read never changes, so what stands
// behind ids is found once.
type Names struct {
	set   *Set
	state State
	// behind are the refs of what is declared and the names of other roots, by kind and
	// id; without a kind, the first of any kind.
	behind map[[2]string]string
	above  map[*Object][]string
}

// NewNames makes the names of what exists, for a configuration.
func NewNames(set *Set, state State) *Names { return &Names{set: set, state: state} }

// Ref is what a plan calls an object that nothing declares.
func (n *Names) Ref(x Part) string {
	if x.Object.Ref != "" {
		return x.Object.Ref
	}
	return n.Name(x)
}

// Name tells an object apart for whoever approves its deletion: all of its identity, ids
// by the names they stand for, and of what there is once its parent's name.
func (n *Names) Name(x Part) string { return x.NameWith(n.Behind) }

// Deleted are the names that the deletion of an object has in a plan, where nothing
// declares it. What stands behind its ids may not have been read for that plan.
func (n *Names) Deleted(t *Type, o *Object) []string {
	if o.Ref != "" {
		return []string{o.Ref, t.Name(o)}
	}
	x := Part{Type: t, Ancestors: n.Ancestors(o), Object: o}
	out := []string{n.Name(x)}
	unread := []map[string]bool{{}}
	for _, kind := range x.namedBy() {
		for _, kinds := range unread {
			more := maps.Clone(kinds)
			more[kind] = true
			unread = append(unread, more)
			out = append(out, x.NameWith(func(kind, id string) string {
				if more[kind] {
					return id
				}
				return n.Behind(kind, id)
			}))
		}
	}
	return out
}

// namedBy are the kinds whose names the name of an object has.
func (x Part) namedBy() []string {
	var out []string
	if x.Type.Single && x.Type.Parent != nil {
		out = append(out, x.Type.Parent.Kind)
	}
	for _, f := range x.Type.Identity {
		if r, refers := x.Type.Reference(value.ParsePath(f).Generic()); refers && !slices.Contains(out, r.Kind) {
			out = append(out, r.Kind)
		}
	}
	return out
}

// Current is the name of a declared resource before a plan is carried out: the old one
// where it is renamed.
func (n *Names) Current(r *Resource, o *Object) string {
	if _, moved := n.set.Moved(r); moved {
		return r.Type.Name(o)
	}
	return ExistingName(r, o)
}

// Behind is what stands behind an id: the ref of a declared resource, of the kind that is
// meant if there is one (a publication has the id of its portal), the name of another
// root, or the id itself.
func (n *Names) Behind(kind, id string) string {
	if n.behind == nil {
		n.look()
	}
	for _, key := range [][2]string{{kind, id}, {"", id}} {
		if name, ok := n.behind[key]; ok {
			return name
		}
	}
	return id
}

func (n *Names) look() {
	n.behind = map[[2]string]string{}
	add := func(kind, id, name string) {
		if _, known := n.behind[[2]string{kind, id}]; !known {
			n.behind[[2]string{kind, id}] = name
		}
	}
	for _, r := range n.set.Resources {
		if o := n.state.Object(r); o != nil {
			add(r.Type.Kind, o.ID, r.Ref)
			add("", o.ID, r.Ref)
		}
	}
	for _, t := range n.set.Types.All() {
		if t.Parent != nil {
			continue
		}
		others, _ := n.state.Undeclared(t, nil)
		for _, o := range others {
			add("", o.ID, t.Name(o))
		}
	}
}

// Ancestors are the ids above an object.
func (n *Names) Ancestors(o *Object) []string {
	if n.above == nil {
		n.above = map[*Object][]string{}
		for _, t := range n.set.Types.All() {
			if t.Parent == nil {
				continue
			}
			for _, x := range n.state.Objects(t) {
				n.above[x.Object] = x.Ancestors
			}
		}
	}
	return n.above[o]
}

// NameWith is the name of an object, with what stands behind ids.
func (x Part) NameWith(behind func(kind, id string) string) string {
	t, o := x.Type, x.Object
	if t.Single && len(x.Ancestors) > 0 {
		return ShortRef(ShownRef(behind(t.Parent.Kind, x.Ancestors[len(x.Ancestors)-1]), "") + "-" + strings.ReplaceAll(t.Key, "_", "-"))
	}
	if len(t.Identity) == 1 && t.KeyField == "" || len(t.Shows) > 0 {
		return t.Name(o)
	}
	var parts []string
	for _, f := range t.Identity {
		p := value.ParsePath(f)
		v, _ := value.Get(o.Fields, p)
		s, ok := v.(string)
		if !ok || s == "" {
			continue
		}
		if r, isRef := t.Reference(p.Generic()); isRef {
			s = ShownRef(behind(r.Kind, s), "")
		}
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		return t.Name(o)
	}
	return ShortRef(strings.Join(parts, "-"))
}

// ExistingName is the name of a declared resource that exists: the live one where the
// configuration takes it from another resource.
func ExistingName(r *Resource, o *Object) string {
	for _, f := range r.Type.NameFields() {
		if r.Fields.Lookup(value.ParsePath(f)).Kind() == value.Expr && len(r.Type.Identity) == 1 {
			if name := r.Type.Name(o); name != o.ID {
				return name
			}
		}
	}
	return r.Name
}
