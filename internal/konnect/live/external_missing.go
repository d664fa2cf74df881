package live

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// orphaned tells that a list could not be read because the parent, which is
// known by its id alone, is not there. That is the parent's problem.
func (r *reader) orphaned(l *listing) bool {
	if !resource.Missing(l.err) {
		return false
	}
	found := false
	for _, s := range l.serves {
		for _, x := range r.q.Set.Resources {
			o := r.snap.objects[x]
			if x.External == nil || x.External.ID == "" || catalog.Of(x) != s.Type.Parent || o == nil || len(s.Ancestors) == 0 || o.ID != s.Ancestors[len(s.Ancestors)-1] {
				continue
			}
			found = r.matcher.gone(x, language.NoID) || found
		}
	}
	return found
}

// gone notes that a resource that is known by its id alone is not there.
func (m *matcher) gone(x *resource.Resource, problem func(*resource.Resource) diag.Diagnostic) bool {
	if !hasID(x) {
		return false
	}
	if m.snap.objects[x] != nil {
		delete(m.snap.objects, x)
		m.unresolved(x, problem(x))
	}
	return true
}

// unresolved notes an external that is not there: an error, unless it may be
// made later, another target makes it, or nothing that is planned needs it.
func (m *matcher) unresolved(x *resource.Resource, problem diag.Diagnostic) {
	m.snap.missing[x] = true
	if maker, _ := m.maker(x); !m.q.AllowPending && maker == nil {
		m.report(x, problem)
	}
}

// report tells of an external wherever something that is planned needs it: one stands
// for all lookups, ids or names that say the same.
func (m *matcher) report(x *resource.Resource, problem diag.Diagnostic) {
	if !m.required(x) {
		return
	}
	if len(x.External.Uses) == 0 {
		m.diags = append(m.diags, problem)
	}
	said := map[value.Pos]bool{} // an alias repeats a place
	for _, use := range x.External.Uses {
		if said[use.Pos] || !m.needs(use.In) {
			continue
		}
		said[use.Pos] = true
		d := problem
		if use.Pos != x.External.Pos {
			d.Pos = use.Pos
		}
		m.diags = append(m.diags, d)
	}
}

// required tells that something that is planned needs an external, or that it
// is declared for its own sake.
func (m *matcher) required(x *resource.Resource) bool {
	used := len(x.Extras) > 0
	if used && !m.q.Lenient && (m.q.AttachedLeftOut == nil || !m.q.AttachedLeftOut(x)) {
		return true
	}
	users := slices.Concat(m.q.Set.Children(x), m.q.Links.To(x), m.q.Links.Naming(x))
	for _, use := range x.External.Uses {
		users = append(users, use.In)
	}
	for _, user := range users {
		used = true
		if m.needs(user) {
			return true
		}
	}
	return !used && !m.q.leftOut(x) && !m.q.Lenient
}

// needs tells that something that is planned needs what a resource refers to.
func (m *matcher) needs(user *resource.Resource) bool {
	if user.External == nil {
		return !m.q.leftOut(user)
	}
	return m.required(user)
}

func (q *Query) leftOut(x *resource.Resource) bool {
	return q.Lenient || q.LeftOut != nil && q.LeftOut(x)
}

// existing are the names of what Konnect has of a type that nobody can declare,
// where they are few and no addresses of people.
func existing(x *resource.Resource, objects []*resource.Object) []string {
	const few = 60
	t := catalog.Of(x)
	if !t.ReadOnly || t.Writer != "" || len(t.Identity) != 1 || len(objects) > few {
		return nil
	}
	if t.Returned().At([]string{t.Identity[0]}, nil) == nil || isAddress(t, t.Identity[0]) {
		return nil
	}
	var out []string
	for _, o := range objects {
		if text, ok := o.Fields[t.Identity[0]].(string); ok {
			out = append(out, text)
		}
	}
	return out
}

// isAddress reports whether a field holds addresses of people.
func isAddress(t *catalog.Bound, field string) bool {
	s := t.Returned().At([]string{field}, nil)
	return field == "email" || s != nil && s.Format == "email"
}

// near are the names, few and the nearest first, of what was read that a selector may
// have meant. Addresses of people are as good as secret but for a slip of the pen.
func near(x *resource.Resource, objects []*resource.Object) []string {
	const few, slip = 3, 2
	t := catalog.Of(x)
	if x.External.Selector == nil || x.External.Named || len(x.External.Selector.Conditions) != 1 {
		return nil
	}
	field := x.External.Selector.Conditions[0].Path.String()
	wanted := x.External.Wanted(field)
	most := (len(wanted) + 2) / 3
	if isAddress(t, field) {
		most = slip
	}
	distance := map[string]int{}
	for _, o := range objects {
		if text, ok := o.Fields[field].(string); ok && wanted != "" {
			if d := diag.Distance(strings.ToLower(wanted), strings.ToLower(text)); d <= most {
				distance[text] = d
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(distance), func(a, b string) int {
		return cmp.Or(cmp.Compare(distance[a], distance[b]), cmp.Compare(a, b))
	})
	return names[:min(few, len(names))]
}
