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
	// names and refs are those of the resources by their names and refs; made are those
	// by refs that nobody wrote, nil where several have one.
	names, refs, made map[named]*resource.Resource
	// unsure are the kinds of which one takes its name from elsewhere.
	unsure map[named]bool
	// called are all resources by their refs; nil where several have one.
	called map[string]*resource.Resource
}

func namesOf(b *state) siblings {
	out := siblings{
		state: b, names: map[named]*resource.Resource{}, refs: map[named]*resource.Resource{}, made: map[named]*resource.Resource{},
		unsure: map[named]bool{}, called: map[string]*resource.Resource{},
	}
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
		switch at := (named{r.Parent, r.Type.Kind, r.Ref}); {
		case r.Explicit:
			out.refs[at] = r
		case isDeclared(r) && len(r.Type.Identity) == 1:
			if _, several := out.made[at]; several {
				r = nil
			}
			out.made[at] = r
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

// shownName is how people write the name of a resource, which may itself come from
// elsewhere.
func shownName(r *resource.Resource) string {
	if name, ok := ownName(r); ok {
		return value.YAMLText(name)
	}
	return "!ref " + r.Ref + "#" + r.Type.Identity[0]
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
// its id is written, as in references: a ref comes before a name, and a name before a ref
// that nobody wrote. A text may also name what exists and no input declares; where the
// declared list is meant to be all that there is, it probably does not.
func (s siblings) resolve() {
	for _, r := range s.set.Resources {
		s.byReference(r)
		s.each(r, func(at named, open bool, p value.Path, v value.Value) {
			to, made := s.refs[at], s.made[at]
			if v.Expr() != nil { // a plan does not show what a variable holds
				to, made = nil, nil
			}
			switch {
			case to != nil:
				toName(r, to, p, v)
			case made != nil && s.names[at] == nil && open:
				refForName(s.state, r, made, p, v)
			case made != nil && s.names[at] == nil:
				put(r, p, nameOf(made, v.Pos()))
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

// refForName warns of a text that may be a name from elsewhere, so that it is sent as it
// stands, and that is the ref that a plan shows of a resource.
func refForName(b *state, r, to *resource.Resource, p value.Path, v value.Value) {
	detail := fmt.Sprintf("The %s has %q in %s, the ref that plans show for the %s. This field may name others, too, so the text is sent as it stands.", r.Describe(), to.Ref, p, to.Describe())
	b.diags = append(b.diags, diag.Warn(diag.RefUnknown, v.Pos(), detail, fmt.Sprintf("write %s if that one is meant.", shownName(to))))
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
