package language

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// idRefs are the refs in the form of an id that resources are declared with, by kind
// and id. The kind "" stands for all.
type idRefs map[string]string

func idRefsOf(list []*resource.Resource) idRefs {
	out := idRefs{}
	for _, r := range list {
		if (r.External == nil || !r.External.Unnamed) && r.Explicit && idPattern.MatchString(r.Ref) {
			out[r.Type.Kind+" "+oneID(r.Ref)] = r.Ref
			out[" "+oneID(r.Ref)] = r.Ref
		}
	}
	return out
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

// declaredByID lets an id that is the ref of a declared resource of the type that is
// wanted mean that one, and leaves out what stands for the id. A dump is written so.
func (b *parents) declaredByID() {
	refs := idRefsOf(b.set.Resources)
	if len(refs) == 0 {
		return
	}
	b.set.Resources = slices.DeleteFunc(b.set.Resources, func(r *resource.Resource) bool {
		if r.External == nil || !r.External.Unnamed {
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
