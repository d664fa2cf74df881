package resource

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// Shared is the nearest type that resources of both types lie below, nil where they
// share no type. A reference between the two stays below one resource of it: a policy chain
// has policies of its own listener, a virtual cluster a backend cluster of its own event
// gateway.
func Shared(x, y *Type) *Type {
	for up := x.Parent; up != nil; up = up.Parent {
		for other := y.Parent; other != nil; other = other.Parent {
			if up == other {
				return up
			}
		}
	}
	return nil
}

// Ancestor is what a resource lies below that has a type, nil where that is not known.
func (r *Resource) Ancestor(t *Type) *Resource {
	for up := r.Parent; up != nil; up = up.Parent {
		if up.Type == t {
			return up
		}
	}
	return nil
}

// Apart are the resources that both ends of a link must share and do not, nil where
// they share one or where the link asks for none. The two may still be one: what
// others own may be declared several times.
func Apart(r *Resource, e Edge) (own, other *Resource) {
	at := e.Path.Generic()
	_, refers := r.Type.Reference(at)
	if r.External != nil || (!refers || e.Field != fieldID) && r.Type.NamedAt(at).Kind != e.Target.Type.Kind {
		return nil, nil
	}
	return Split(r, e.Target)
}

// Split are what two resources lie below that have the nearest type in common, nil
// where it is one resource, or not known.
func Split(r, target *Resource) (own, other *Resource) {
	shared := Shared(r.Type, target.Type)
	own, other = r.Ancestor(shared), target.Ancestor(shared)
	if own == nil || other == nil || own == other {
		return nil, nil
	}
	return own, other
}

// OtherParent reports a reference that leads out of what its resource lies below, to
// what lies below another one.
func OtherParent(pos value.Pos, r, target, own, other *Resource) diag.Diagnostic {
	above := own.Type.Words
	if target.Type == r.Type && r.Type.Nest != "" {
		return diag.New(diag.RefOtherParent, pos, fmt.Sprintf("The %s can nest in one of the %s %q alone, and the %s belongs to another %s.", r.Describe(), above, own.Ref, target.Describe(), above), fmt.Sprintf("refer to one of the same %s.", above))
	}
	return diag.New(diag.RefOtherParent, pos,
		fmt.Sprintf("The %s refers to the %s, which belongs to the %s. It can refer only to those of the %s.", r.Describe(), target.Describe(), other.Describe(), own.Describe()),
		fmt.Sprintf("use %s of the %s.", diag.A(target.Type.Words), own.Describe()))
}
