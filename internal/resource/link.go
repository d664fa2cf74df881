package resource

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// Edge is a field that takes its value from another resource.
type Edge struct {
	Path   value.Path
	Target *Resource
	// Field of the target, "id" for its id.
	Field string
}

// Links are all links of a set.
type Links struct {
	from   map[*Resource][]Edge
	to     map[*Resource][]*Resource
	order  map[*Resource][]*Resource // by label, no value taken
	naming map[*Resource][]*Resource
	sorted []*Resource
}

// Sorted lists all resources, each after those that it takes values of, nests
// in or is ordered by.
func (l *Links) Sorted() []*Resource { return l.sorted }

// From lists the links of a resource.
func (l *Links) From(r *Resource) []Edge { return l.from[r] }

// To lists the resources that take a value of a resource, once per value.
func (l *Links) To(r *Resource) []*Resource { return l.to[r] }

// Naming lists the resources that name a resource in a field, once per field.
func (l *Links) Naming(r *Resource) []*Resource { return l.naming[r] }

// At finds the link of a field.
func (l *Links) At(r *Resource, p value.Path) (Edge, bool) {
	name := p.String()
	for _, link := range l.from[r] {
		if link.Path.String() == name {
			return link, true
		}
	}
	return Edge{}, false
}

// drop forgets what a resource takes from another.
func (l *Links) drop(r, target *Resource) {
	l.from[r] = slices.DeleteFunc(l.from[r], func(e Edge) bool { return e.Target == target })
	l.to[target] = slices.DeleteFunc(l.to[target], func(x *Resource) bool { return x == r })
}

// After lists the resources that r must come after though it takes no value of
// them.
func (l *Links) After(r *Resource) []*Resource { return slices.Concat(r.After, l.order[r]) }

// Link finds what every reference of a set leads to.
func Link(set *Set) (*Links, diag.List) {
	k := &linker{
		set:   set,
		links: &Links{from: map[*Resource][]Edge{}, to: map[*Resource][]*Resource{}, order: map[*Resource][]*Resource{}, naming: map[*Resource][]*Resource{}},
		refs:  map[string][]*Resource{},
		names: map[string][]*Resource{},
	}
	for _, r := range set.Resources {
		k.refs[r.Ref] = append(k.refs[r.Ref], r)
		for _, alias := range r.Aliases {
			k.names[alias] = append(k.names[alias], r)
		}
		if r.Aliases == nil && r.Name != r.Ref && r.Called(r.Name) {
			k.names[r.Name] = append(k.names[r.Name], r)
		}
	}
	for _, r := range set.Resources {
		k.resource(r)
		for _, u := range r.Named {
			k.links.naming[u.Target] = append(k.links.naming[u.Target], r)
		}
	}
	k.unique()
	k.sort()
	return k.links, k.diags
}

type linker struct {
	set   *Set
	links *Links
	refs  map[string][]*Resource
	names map[string][]*Resource
	diags diag.List
}

func (k *linker) resource(r *Resource) {
	r.Fields.Walk(func(p value.Path, v value.Value) bool {
		e := v.Expr()
		if e == nil {
			return true
		}
		if e.Op == value.OpRef {
			k.link(r, p, v.Pos(), e)
		}
		return false
	})
}

const fieldID = "id"

func (k *linker) link(r *Resource, p value.Path, pos value.Pos, e *value.Expression) {
	field := e.Field
	if field == "" {
		field = fieldID
	}
	reference, takesID := r.Type.Reference(p.Generic())
	want := ""
	if takesID && field == fieldID {
		want = reference.Kind
		if want == "" && reference.Named != "" {
			text, _ := r.Fields.Lookup(value.ParsePath(reference.Named)).Text()
			want = k.set.Types.InWords(text)
		}
	}
	target := k.find(r, pos, e.Name, want)
	switch {
	case target == nil:
		return
	case target == r:
		k.diags.Add(diag.RefCycle, pos, fmt.Sprintf("The %s refers to itself.", r.Describe()), "refer to another resource, or write the value itself.")
		return
	case k.apart(r, pos, Edge{Path: p, Target: target, Field: field}):
		return
	case takesID && field != fieldID && !holdsID(target.Type, field, reference.Kind):
		if k.find(r, pos, e.Name, reference.Kind) == nil {
			return // its id would be of the wrong type, too
		}
		k.diags.Add(diag.RefField, pos, fmt.Sprintf("The field %s of the %s takes an id, and %s of the %s is not one.", p, r.Describe(), field, target.Describe()), fmt.Sprintf("write !ref %s.", e.Name))
		return
	case field != fieldID && !k.readable(pos, target, e.Name, field), !k.fits(r, p, pos, target, e.Name, field):
		return
	}
	k.links.from[r] = append(k.links.from[r], Edge{Path: p, Target: target, Field: field})
	k.links.to[target] = append(k.links.to[target], r)
}

// apart reports whether a reference leads out of what its resource lies below, and says
// so. Of what others own that is known when it was read.
func (k *linker) apart(r *Resource, pos value.Pos, e Edge) bool {
	own, other := Apart(r, e)
	if own == nil || own.External != nil || other.External != nil {
		return false
	}
	k.diags = append(k.diags, OtherParent(pos, r, e.Target, own, other))
	return true
}

// holdsID tells whether a field is itself a reference to the kind.
func holdsID(f *Type, field, kind string) bool {
	reference, ok := f.Reference(value.ParsePath(field).Generic())
	return ok && (kind == "" || reference.Kind == kind)
}

// unique finds resources declared twice that only their references tell apart:
// a portal by its ref in one place and by its name in another is one portal.
// And it finds resources of one type that go by one ref: a plan tells them
// apart by it.
func (k *linker) unique() {
	type place struct {
		t        *Type
		parent   *Resource
		identity string
		variant  string
	}
	type group struct {
		place
		namespace string
	}
	type called struct {
		t   *Type
		ref string
	}
	seen := map[place]*Resource{}
	refs := map[called]*Resource{}
	several := map[group][]*Resource{}
	for _, r := range k.set.Resources {
		id, known := r.Identity(func(p value.Path) *Resource {
			e, _ := k.links.At(r, p)
			return e.Target
		})
		name := called{r.Type, r.Ref}
		if r.External != nil {
			k.sameRef(refs[name], r)
			if refs[name] == nil {
				refs[name] = r
			}
			continue // two may mean one object
		}
		if !known {
			continue
		}
		at := place{r.Type, r.Parent, id, r.Variant()}
		if r.Type.Single {
			at.identity = "" // one below its parent
		}
		other := seen[at]
		if other == nil {
			seen[at] = r
			of := group{place{r.Type, r.Parent, id, ""}, r.Namespace}
			several[of] = append(several[of], r)
			k.sameRef(refs[name], r)
			if refs[name] == nil {
				refs[name] = r
			}
			continue
		}
		if r.Type.Single {
			continue
		}
		_, plain := r.Identity(nil)
		_, otherPlain := other.Identity(nil)
		if !plain || !otherPlain {
			k.diags = append(k.diags, Twice(r, other))
		}
	}
	for _, all := range several {
		for _, r := range all {
			r.Several = len(all) > 1 && r.Type.Variant != ""
		}
	}
}

// sameRef tells of two that go by one ref, unless both were given it, which is
// reported already, or one has a name that could not be read.
func (k *linker) sameRef(other, r *Resource) {
	if other != nil && k.set.Hidden[r.Type.Kind] && (r.misnamed() || other.misnamed()) {
		return
	}
	if other != nil && r.Ref != "" && (!other.Explicit || !r.Explicit) {
		k.diags = append(k.diags, SameRef(r, other))
	}
}
