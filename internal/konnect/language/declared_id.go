package language

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// idRefs are the refs of what is declared with an id, by kind and id: the ref itself has
// the form of one, or an external is found by it. The kind "" stands for all.
type idRefs map[string]string

func idRefsOf(list []*resource.Resource) idRefs {
	out := idRefs{}
	add := func(r *resource.Resource, id string) {
		out[r.Type.Kind+" "+oneID(id)] = r.Ref
		out[" "+oneID(id)] = r.Ref
	}
	for _, r := range list {
		if isDeclared(r) && hasID(r) && r.Ref != "" {
			add(r, r.External.ID)
		}
	}
	for _, r := range list {
		if isDeclared(r) && r.Explicit && idPattern.MatchString(r.Ref) {
			add(r, r.Ref)
		}
	}
	return out
}

// isDeclared reports whether people declared a resource: it does not stand for an id or
// a lookup.
func isDeclared(r *resource.Resource) bool { return r.External == nil || !r.External.Unnamed }

func hasID(r *resource.Resource) bool { return r != nil && r.External != nil && r.External.ID != "" }

// declared is the external that is declared with the id of another one; else that one.
func (b *externals) declared(r *resource.Resource) *resource.Resource {
	if hasID(r) {
		if same := b.byIDs[r.Type.Kind+" "+r.External.ID]; same != nil {
			return same
		}
	}
	return r
}

// of finds the ref that an id is.
func (refs idRefs) of(kind, id string) (string, bool) {
	ref, ok := refs[kind+" "+oneID(id)]
	return ref, ok
}

// named is a value in a reference field that names a declared resource by a ref in
// the form of an id, as the reference that it is.
func (refs idRefs) named(kind string, v value.Value) value.Value {
	text, ok := v.Text()
	if e := v.Expr(); e != nil && e.Op == value.OpRef && e.Field == keyID {
		text, _, _ = strings.Cut(e.Name, ",") // without whose it is
		ok = true
	}
	if !ok || !idPattern.MatchString(text) {
		return v
	}
	if ref, declared := refs.of(kind, text); declared {
		return value.ExprAt(v.Pos(), value.Expression{Op: value.OpRef, Name: ref, Field: keyID})
	}
	return v
}

// declaredByID lets an id that a resource of the type that is wanted is declared with
// mean that one, and leaves out what stands for the id. The refs of a dump are ids. It is
// asked again when all have a ref.
func (b *parents) declaredByID() {
	refs := idRefsOf(b.set.Resources)
	if len(refs) == 0 {
		return
	}
	b.set.Resources = slices.DeleteFunc(b.set.Resources, func(r *resource.Resource) bool {
		if isDeclared(r) {
			return false
		}
		_, declared := refs.of(r.Type.Kind, r.External.ID)
		return declared
	})
	for _, r := range b.set.Resources {
		t := catalog.Of(r)
		if t.Parent != nil && r.Parent == nil {
			r.ParentRef = refs.named(t.Parent.Kind, r.ParentRef)
		}
		r.Fields = r.Fields.Map(func(p value.Path, v value.Value) value.Value {
			if ref, refers := t.Reference(p.Generic()); refers && v.Kind() != value.List && v.Kind() != value.Map {
				return refs.named(ref.Kind, v)
			}
			return v
		})
	}
}
