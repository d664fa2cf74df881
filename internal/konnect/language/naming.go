package language

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// siblings are the resources that others with the same parent name in their texts.
type siblings struct {
	set *resource.Set
	// names and refs are those of the resources by their names and refs.
	names, refs map[named]*resource.Resource
}

func namesOf(set *resource.Set) siblings {
	out := siblings{set, map[named]*resource.Resource{}, map[named]*resource.Resource{}}
	for _, r := range set.Resources {
		if name, ok := ownName(r); ok {
			out.names[named{r.Parent, r.Type.Kind, name}] = r
		}
		if r.Explicit {
			out.refs[named{r.Parent, r.Type.Kind, r.Ref}] = r
		}
	}
	return out
}

// ownName is the text that others name a resource by.
func ownName(r *resource.Resource) (string, bool) {
	if id := r.Type.Identity; len(id) == 1 {
		return r.Fields.Field(id[0]).Text()
	}
	return "", false
}

// each calls a function with each text that names a resource, by its kind.
func (s siblings) each(r *resource.Resource, f func(at named, p value.Path, v value.Value)) {
	if len(r.Type.Namings) == 0 || r.External != nil {
		return
	}
	r.Fields.Walk(func(p value.Path, v value.Value) bool {
		name, isText := v.Text()
		if kind := r.Type.NamedAt(p.Generic()); isText && kind != "" {
			f(named{r.Parent, kind, name}, p, v)
		}
		return true
	})
}

// resolve puts the name of a resource where its ref is written, as in references. A
// text may also name what exists and no input declares; where the declared list is
// meant to be all that there is, it probably does not.
func (s siblings) resolve(b *state) {
	for _, r := range s.set.Resources {
		s.each(r, func(at named, p value.Path, v value.Value) {
			to := s.refs[at]
			switch name, ok := "", false; {
			case s.names[at] != nil:
			case to != nil:
				if name, ok = ownName(to); ok {
					put(r, p, value.StringAt(v.Pos(), name))
				}
			case s.complete(b, at):
				undeclared(b, r, at, p, v)
			}
		})
	}
}

// undeclared warns of a name that its parent does not declare.
func undeclared(b *state, r *resource.Resource, at named, p value.Path, v value.Value) {
	key := b.cat.Kind(at.kind).Key
	b.diags = append(b.diags, diag.Warn(diag.RefUnknown, v.Pos(),
		fmt.Sprintf("The %s names the %s %q in %s, which the %s does not declare.", r.Describe(), catalog.Words(at.kind), at.name, p, at.parent.Describe()),
		fmt.Sprintf("declare it under %s, or correct the name: sync deletes what %s does not list.", key, key)))
}

// complete reports whether all resources of a kind below a parent are declared.
func (s siblings) complete(b *state, at named) bool {
	if at.parent == nil || at.parent.External != nil || b.set.Incomplete {
		return false
	}
	for _, c := range catalog.Of(at.parent).Children {
		if c.Kind == at.kind {
			return at.parent.Written[c.Key] && !b.set.Hidden[c.Kind]
		}
	}
	return false
}

// prefer orders resources after those that a text of theirs names.
func (s siblings) prefer() {
	for _, r := range s.set.Resources {
		s.each(r, func(at named, _ value.Path, _ value.Value) {
			if to := s.names[at]; to != nil && to != r {
				r.Prefer = append(r.Prefer, to)
			}
		})
	}
}
