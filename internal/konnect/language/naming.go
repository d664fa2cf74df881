package language

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// siblings are the resources that others with the same parent name in their texts.
type siblings struct {
	*state
	// names and refs are those of the resources by their names and refs.
	names, refs map[named]*resource.Resource
	// unsure are the kinds of which one takes its name from elsewhere.
	unsure map[named]bool
	// called are all resources by their refs; nil where several have one.
	called map[string]*resource.Resource
}

func namesOf(b *state) siblings {
	out := siblings{b, map[named]*resource.Resource{}, map[named]*resource.Resource{}, map[named]bool{}, map[string]*resource.Resource{}}
	for _, r := range b.set.Resources {
		if _, several := out.called[r.Ref]; several {
			out.called[r.Ref] = nil
		} else {
			out.called[r.Ref] = r
		}
		if name, ok := nameIn(b, r); ok {
			out.names[named{r.Parent, r.Type.Kind, name}] = r
		} else {
			out.unsure[named{r.Parent, r.Type.Kind, ""}] = true
			out.external(r)
		}
		if r.Explicit {
			out.refs[named{r.Parent, r.Type.Kind, r.Ref}] = r
		}
	}
	return out
}

// external notes what others own by what its selector or id says of it.
func (s siblings) external(r *resource.Resource) {
	if r.External == nil || len(r.Type.Identity) != 1 {
		return
	}
	for _, text := range []string{r.External.ID, r.External.Wanted(r.Type.Identity[0])} {
		if at := (named{r.Parent, r.Type.Kind, text}); text != "" && s.names[at] == nil {
			s.names[at] = r
		}
	}
}

// ownName is the text that others name a resource by.
func ownName(r *resource.Resource) (string, bool) {
	if id := r.Type.Identity; len(id) == 1 {
		return r.Fields.Field(id[0]).Text()
	}
	return "", false
}

// nameOf is the name of a resource, which may itself come from elsewhere.
func nameOf(r *resource.Resource, pos value.Pos) value.Value {
	if name, ok := ownName(r); ok {
		return value.StringAt(pos, name)
	}
	return value.ExprAt(pos, value.Expression{Op: value.OpRef, Name: r.Ref, Field: r.Type.Identity[0]})
}

// each calls a function with each text that names a resource, by its kind.
func (s siblings) each(r *resource.Resource, f func(at named, _ bool, p value.Path, v value.Value)) {
	if len(r.Type.Namings) == 0 || r.External != nil {
		return
	}
	r.Fields.Walk(func(p value.Path, v value.Value) bool {
		name, isText := inputText(s.state, v)
		if n := r.Type.NamedAt(p.Generic()); isText && n.Kind != "" {
			f(named{r.Parent, n.Kind, name}, n.Open, p, v)
		}
		return true
	})
}

// resolve makes a reference to the name of a resource where its ref or a reference to
// its id is written, as in references: a ref comes before a name. A text may also name
// what exists and no input declares; where the declared list is meant to be all that
// there is, it probably does not.
func (s siblings) resolve() {
	for _, r := range s.set.Resources {
		s.byReference(r)
		s.each(r, func(at named, open bool, p value.Path, v value.Value) {
			to := s.refs[at]
			if v.Expr() != nil { // a plan does not show what a variable holds
				to = nil
			}
			switch {
			case to != nil:
				toName(r, to, p, v)
			case s.names[at] == nil && !open && !idPattern.MatchString(at.name) && s.complete(at):
				undeclared(s.state, r, at, p, v)
			}
		})
	}
}

// byReference takes references to ids for names: such a field holds no ids.
func (s siblings) byReference(r *resource.Resource) {
	if len(r.Type.Namings) == 0 || r.External != nil {
		return
	}
	r.Fields.Walk(func(p value.Path, v value.Value) bool {
		e := v.Expr()
		if e == nil || e.Op != value.OpRef || e.Field != "" && e.Field != keyID {
			return true
		}
		to := s.called[e.Name]
		if n := r.Type.NamedAt(p.Generic()); to != nil && n.Kind == to.Type.Kind && r.Parent == to.Parent {
			toName(r, to, p, v)
		}
		return true
	})
}

// toName lets a field hold a reference to the name of a resource.
func toName(r, to *resource.Resource, p value.Path, v value.Value) {
	put(r, p, value.ExprAt(v.Pos(), value.Expression{Op: value.OpRef, Name: to.Ref, Field: to.Type.Identity[0]}))
}

// undeclared warns of a name that its parent does not declare.
func undeclared(b *state, r *resource.Resource, at named, p value.Path, v value.Value) {
	key := b.cat.Kind(at.kind).Key
	detail := fmt.Sprintf("The %s names the %s %q in %s, which the %s does not declare.", r.Describe(), catalog.Words(at.kind), at.name, p, at.parent.Describe())
	if e := v.Expr(); e != nil {
		detail = fmt.Sprintf("The value of $%s, which the %s takes for %s, names no %s that the %s declares.", e.Name, r.Describe(), p, catalog.Words(at.kind), at.parent.Describe())
	}
	b.diags = append(b.diags, diag.Warn(diag.RefUnknown, v.Pos(), detail, fmt.Sprintf("declare it under %s, or correct the name.", key)))
}

// complete reports whether all resources of a kind below a parent are declared.
func (s siblings) complete(at named) bool {
	if at.parent == nil || at.parent.External != nil || s.set.Incomplete {
		return false
	}
	for _, c := range catalog.Of(at.parent).Children {
		if c.Kind == at.kind {
			return at.parent.Written[c.Key] && !s.set.Hidden[c.Kind] && !s.unsure[named{at.parent, at.kind, ""}]
		}
	}
	return false
}

// note says of each resource which others its fields name, by any way that the inputs
// show. It comes after those, where that leads to no circle. Whether what no input declares
// exists is known when it was read.
func (s siblings) note() {
	for _, r := range s.set.Resources {
		if len(r.Type.Namings) == 0 || r.External != nil {
			continue
		}
		r.Fields.Walk(func(p value.Path, v value.Value) bool {
			n := r.Type.NamedAt(p.Generic())
			if to := s.meant(r, n.Kind, v); to != nil && to != r {
				r.Prefer = append(r.Prefer, to)
				r.Named = append(r.Named, resource.NamedUse{At: p, Target: to, Open: n.Open})
			}
			return true
		})
	}
}

// meant is the resource of a kind that a value in a field names; nil where no input
// declares it.
func (s siblings) meant(r *resource.Resource, kind string, v value.Value) *resource.Resource {
	if kind == "" {
		return nil
	}
	if to := s.referred(r, kind, v); to != nil {
		return to
	}
	name, _ := s.saysName(kind, v)
	return s.names[named{r.Parent, kind, name}]
}

// referred is the resource of a kind whose name a value is a reference to; else nil.
func (s siblings) referred(r *resource.Resource, kind string, v value.Value) *resource.Resource {
	e := v.Expr()
	if e == nil || e.Op != value.OpRef {
		return nil
	}
	to := s.called[e.Name]
	if to == nil || to.Type.Kind != kind || to.Parent != r.Parent || e.Field != "" && e.Field != keyID && !slices.Contains(to.Type.Identity, e.Field) {
		return nil
	}
	return to
}
