package build

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
)

// togetherness says which changes are only made when another one is: a part that
// is deleted by itself with what it belongs to, a half of a replace with the
// other.
func togetherness(b *Sequence) []Need {
	out := slices.Concat(b.together, halves(b.Plan.Changes))
	for _, c := range b.Plan.Changes {
		if c.With != nil {
			out = append(out, Need{c, c.With})
		}
	}
	return out
}

// halves says of the halves of replaces that each is only made when the other one is.
func halves(changes []*plan.Change) []Need {
	var out []Need
	for _, c := range changes {
		if c.Half != nil {
			out = append(out, Need{c, c.Half})
		}
	}
	return out
}

// waitingFor are the refused changes and all that wait for them, each with the refused one
// that it waits for.
func waitingFor(needs []Need, refused map[*plan.Change]string) map[*plan.Change]*plan.Change {
	out := map[*plan.Change]*plan.Change{}
	for c := range refused {
		out[c] = c
	}
	for again := true; again; {
		again = false
		for _, n := range needs {
			if first := out[n.Before]; first != nil && out[n.Change] == nil {
				out[n.Change], again = first, true
			}
		}
	}
	return out
}

// waitsFor says what a change waits for that is refused.
func waitsFor(b *Sequence, first *plan.Change) string {
	what := first.ResourceType + " " + first.ResourceRef
	switch first.Action {
	case plan.Create, plan.Update:
	case plan.Delete:
		what = "the deletion of " + what
	case plan.ExternalTool:
		what = toolOf(b, first) + " on " + first.Parent.Type + " " + first.ResourceRef
	}
	return "it waits for " + what + ", which is refused"
}

// Refuse takes refused changes, and what waits for them, out of the plan and lists
// them as blocked.
func Refuse(b *Sequence, name string, refused map[*plan.Change]string) {
	waiting := waitingFor(slices.Concat(b.Needs, togetherness(b)), refused)
	kept := b.Plan.Changes[:0]
	for _, c := range b.Plan.Changes {
		message, direct := refused[c]
		first := waiting[c]
		switch {
		case direct:
		case first == nil:
			kept = append(kept, c)
			continue
		case c.Half != nil && c.Action == plan.Create:
			continue // its other half is listed
		default:
			message = waitsFor(b, first)
		}
		b.Plan.Blocked = append(b.Plan.Blocked, plan.Blocked{ResourceType: c.ResourceType, ResourceRef: c.ResourceRef, Action: c.Action, By: name, Message: message})
	}
	b.Plan.Changes = kept
	left := map[*plan.Change]bool{}
	for _, c := range kept {
		left[c] = true
	}
	b.forget(func(n Need) bool { return !left[n.Change] || !left[n.Before] })
}

// toolOf is what carries out an attached change.
func toolOf(b *Sequence, c *plan.Change) string {
	if t := b.AllTypes.Kind(c.ResourceType); t != nil {
		return t.Tool
	}
	return c.ResourceType
}

// Guard refuses changes. It returns its name and, for each change it refuses, why.
type Guard func(*Draft) (by string, refused map[*plan.Change]string)

// guardAll takes what guards refuse, and what waits for it, out of the plan
// and lists it as blocked.
func guardAll(b *Draft) {
	rules := slices.Collect(maps.Keys(b.notAllowed))
	for _, x := range b.refusals {
		if x.guard == ofTarget {
			rules = append(rules, x.by)
		}
	}
	slices.Sort(rules)
	for _, by := range slices.Compact(rules) {
		b.refuse(ofTarget, by, b.notAllowed[by])
	}
	for i, g := range b.Guards {
		by, refused := g(b)
		b.refuse(i, by, refused)
	}
	b.refuseRest()
}

// noteRefusal notes a change that its target refuses.
func noteRefusal(b *Draft, c *plan.Change, p Proposal) {
	if p.Refused == "" {
		return
	}
	if b.notAllowed[p.RefusedBy] == nil {
		b.notAllowed[p.RefusedBy] = map[*plan.Change]string{}
	}
	b.notAllowed[p.RefusedBy][c] = p.Refused
}
