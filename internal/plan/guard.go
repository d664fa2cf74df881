package plan

import "slices"

// guard refuses changes. It returns its name and, for each change it refuses, why.
type guard func(*Draft) (by string, refused map[*Change]string)

// guards are asked in this order; a change is refused once.
func guards() []guard {
	named := func(by string, check func(*Draft) map[*Change]string) guard {
		return func(b *Draft) (string, map[*Change]string) { return by, check(b) }
	}
	return []guard{
		named("protected", guardProtected),
		named("protected", guardProtectedChildren),
		named("protected", guardProtectedIdentity),
		named("cascade", guardCascade),
		named("filter", guardLeftOut),
		named("skipped-document", guardSkipped),
		guardUnbounded,
		named("max-deletes", guardMaxDeletes),
	}
}

// guardAll takes what guards refuse, and what waits for it, out of the plan
// and lists it as blocked.
func guardAll(b *Draft) {
	for _, g := range guards() {
		if by, refused := g(b); len(refused) > 0 {
			refuse(b, by, refused)
		}
	}
}

// togetherness says which changes are only made when another one is: a part that
// is deleted by itself with what it belongs to, a half of a replace with the
// other.
func togetherness(b *Draft) []need {
	out := slices.Clone(b.together)
	for _, c := range b.plan.Changes {
		if c.with != nil {
			out = append(out, need{c, c.with})
		}
		if c.half != nil {
			out = append(out, need{c, c.half})
		}
	}
	return out
}

func refuse(b *Draft, name string, refused map[*Change]string) {
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
		case c.half != nil && c.Action == Create:
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
func toolOf(b *Draft, c *Change) string {
	if t := b.Types.Kind(c.ResourceType); t != nil {
		return t.Tool
	}
	return c.ResourceType
}
