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
	out := slices.Clone(b.together)
	for _, c := range b.Plan.Changes {
		if c.With != nil {
			out = append(out, Need{c, c.With})
		}
		if c.Half != nil {
			out = append(out, Need{c, c.Half})
		}
	}
	return out
}

// Refuse takes refused changes, and what waits for them, out of the plan and lists
// them as blocked.
func Refuse(b *Sequence, name string, refused map[*plan.Change]string) {
	waiting := map[*plan.Change]*plan.Change{}
	for again := true; again; {
		again = false
		for _, n := range slices.Concat(b.Needs, togetherness(b)) {
			_, known := waiting[n.Change]
			if known || refused[n.Change] != "" {
				continue
			}
			first := waiting[n.Before]
			if refused[n.Before] != "" {
				first = n.Before
			}
			if first != nil {
				waiting[n.Change], again = first, true
			}
		}
	}
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
			message = "it waits for " + first.ResourceType + " " + first.ResourceRef + ", which is refused"
			switch first.Action {
			case plan.Create, plan.Update:
			case plan.Delete:
				message = "it waits for the deletion of " + first.ResourceType + " " + first.ResourceRef + ", which is refused"
			case plan.ExternalTool:
				message = "it waits for " + toolOf(b, first) + " on " + first.Parent.Type + " " + first.ResourceRef + ", which is refused"
			}
		}
		b.Plan.Blocked = append(b.Plan.Blocked, plan.Blocked{ResourceType: c.ResourceType, ResourceRef: c.ResourceRef, Action: c.Action, By: name, Message: message})
	}
	b.Plan.Changes = kept
	b.Needs = slices.DeleteFunc(b.Needs, func(n Need) bool {
		return !slices.Contains(kept, n.Change) || !slices.Contains(kept, n.Before)
	})
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
	for _, by := range slices.Sorted(maps.Keys(b.notAllowed)) {
		Refuse(b.Sequence, by, b.notAllowed[by])
	}
	for _, g := range b.Guards {
		if by, refused := g(b); len(refused) > 0 {
			Refuse(b.Sequence, by, refused)
		}
	}
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
