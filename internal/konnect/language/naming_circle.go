package language

import (
	"slices"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// settleCircles lets fields hold names themselves where references to them would lead
// back to where they start: resources of one type may name each other.
func (s siblings) settleCircles() {
	type naming struct {
		r, to *resource.Resource
		at    value.Path
	}
	var all []naming
	for _, r := range s.set.Resources {
		r.Fields.Walk(func(p value.Path, v value.Value) bool {
			if r.Type.NamedAt(p.Generic()).Kind == r.Type.Kind {
				if to := s.referred(r, r.Type.Kind, v); to != nil {
					all = append(all, naming{r, to, p})
				}
			}
			return true
		})
	}
	if len(all) == 0 {
		return
	}
	needs := s.needs()
	for _, n := range all {
		if reaches(needs, n.to, n.r, map[*resource.Resource]bool{}) {
			put(n.r, n.at, nameOf(n.to, n.r.Fields.Nearest(n.at)))
		}
	}
}

// needs are the resources that each one may come after: several where more than one
// goes by what a reference says.
func (s siblings) needs() map[*resource.Resource][]*resource.Resource {
	by := map[string][]*resource.Resource{}
	for _, r := range s.set.Resources {
		for _, name := range append([]string{r.Ref, r.Name}, r.Aliases...) {
			if !slices.Contains(by[name], r) {
				by[name] = append(by[name], r)
			}
		}
	}
	out := map[*resource.Resource][]*resource.Resource{}
	for _, r := range s.set.Resources {
		out[r] = slices.Clone(r.After)
		for _, above := range []*resource.Resource{r.Parent, r.Above} {
			if above != nil {
				out[r] = append(out[r], above)
			}
		}
		r.Fields.Walk(func(_ value.Path, v value.Value) bool {
			if e := v.Expr(); e != nil && e.Op == value.OpRef {
				out[r] = append(out[r], by[e.Name]...)
			}
			return true
		})
	}
	return out
}

// reaches reports whether one resource is another or needs it.
func reaches(needs map[*resource.Resource][]*resource.Resource, from, to *resource.Resource, seen map[*resource.Resource]bool) bool {
	if from == to {
		return true
	}
	seen[from] = true
	return slices.ContainsFunc(needs[from], func(r *resource.Resource) bool { return !seen[r] && reaches(needs, r, to, seen) })
}
