package plan

import "slices"

// togetherness says which changes are only made when another one is: a part that
// is deleted by itself with what it belongs to, a half of a replace with the
// other.
func togetherness(b *Sequence) []need {
	out := slices.Clone(b.together)
	for _, c := range b.plan.Changes {
		if c.With != nil {
			out = append(out, need{c, c.With})
		}
		if c.Half != nil {
			out = append(out, need{c, c.Half})
		}
	}
	return out
}

func refuse(b *Sequence, name string, refused map[*Change]string) {
	waiting := map[*Change]*Change{}
	for again := true; again; {
		again = false
		for _, n := range slices.Concat(b.needs, togetherness(b)) {
			_, known := waiting[n.change]
			if known || refused[n.change] != "" {
				continue
			}
			first := waiting[n.before]
			if refused[n.before] != "" {
				first = n.before
			}
			if first != nil {
				waiting[n.change], again = first, true
			}
		}
	}
	kept := b.plan.Changes[:0]
	for _, c := range b.plan.Changes {
		message, direct := refused[c]
		first := waiting[c]
		switch {
		case direct:
		case first == nil:
			kept = append(kept, c)
			continue
		case c.Half != nil && c.Action == Create:
			continue // its other half is listed
		default:
			message = "it waits for the deletion of " + first.ResourceType + " " + first.ResourceRef + ", which is refused"
			if first.Action == ExternalTool {
				message = "it waits for " + toolOf(b, first) + " on " + first.Parent.Type + " " + first.ResourceRef + ", which is refused"
			}
		}
		b.plan.Blocked = append(b.plan.Blocked, Blocked{ResourceType: c.ResourceType, ResourceRef: c.ResourceRef, Action: c.Action, By: name, Message: message})
	}
	b.plan.Changes = kept
	b.needs = slices.DeleteFunc(b.needs, func(n need) bool {
		return !slices.Contains(kept, n.change) || !slices.Contains(kept, n.before)
	})
}

// toolOf is what carries out an attached change.
func toolOf(b *Sequence, c *Change) string {
	if t := b.allTypes.Kind(c.ResourceType); t != nil {
		return t.Tool
	}
	return c.ResourceType
}

// Guard refuses changes. It returns its name and, for each change it refuses, why.
type Guard func(*Draft) (by string, refused map[*Change]string)

// guardAll takes what guards refuse, and what waits for it, out of the plan
// and lists it as blocked.
func guardAll(b *Draft) {
	for _, g := range b.Guards {
		if by, refused := g(b); len(refused) > 0 {
			refuse(b.Sequence, by, refused)
		}
	}
}
