package derive

import (
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
)

// circles finds deletes that wait for each other: something uses what one of them
// deletes, and goes only with another one. Such a resource goes with what it belongs to,
// which the target allows; where that stays, so does the resource. It reports whether it
// took back any.
func circles(v *Undoing) bool {
	var found *plan.Change
	before := goersFirst(v)
	for _, c := range slices.Backward(v.Plan.Changes) {
		if waitsForItself(before, v.undone[c.ID]) != nil && (found == nil || deleteAbove(v, found) == nil) {
			found = c
		}
	}
	if found == nil {
		return false
	}
	back := v.undone[found.ID]
	if deleteAbove(v, found) != nil {
		v.with[found.ID] = true
	} else {
		v.Cannot(found, nil, "the %s must be deleted first, and can only be deleted after it", undoneName(v, waitsForItself(before, back)))
		v.used[found.ID] = true
	}
	stay(v, found, back)
	return true
}

// waitsForItself is what a delete waits for that waits for it in turn; nil where nothing
// does.
func waitsForItself(before map[*plan.Change][]*plan.Change, back *plan.Change) *plan.Change {
	i := slices.IndexFunc(before[back], func(first *plan.Change) bool { return build.Reaches(before, first, back) })
	if i < 0 {
		return nil
	}
	return before[back][i]
}

// goesAlong reports whether what a change made is deleted with what it belongs to.
func goesAlong(v *Undoing, c *plan.Change) bool { return v.with[c.ID] && deleteAbove(v, c) != nil }

// goersFirst lists for each delete those that must come before it: of what belongs to its
// resource, and of what refers to something that goes, where the target would refuse it.
// What is protected is not deleted: nothing needs to be known of it.
func goersFirst(v *Undoing) map[*plan.Change][]*plan.Change {
	out, deletes := map[*plan.Change][]*plan.Change{}, deletesIn(v)
	add := func(c, first *plan.Change) {
		if c != nil && first != nil && c != first && !slices.Contains(out[c], first) {
			out[c] = append(out[c], first)
		}
	}
	for _, c := range v.Plan.Changes {
		back := v.undone[c.ID]
		if back == nil || back.Action != plan.Delete || back.Protection {
			continue
		}
		add(deleteAbove(v, c), back)
		for _, u := range v.Traces[c.ID].Users {
			if u.Use.OnDelete == resource.Refuses {
				add(back, goer(deletes, u.Part))
			}
		}
	}
	return out
}

// deletesIn are the deletes by what they delete.
func deletesIn(v *Undoing) map[string]*plan.Change {
	out := map[string]*plan.Change{}
	for _, c := range v.Plan.Changes {
		if back, t := v.undone[c.ID], v.Types.Kind(c.ResourceType); back != nil && back.Action == plan.Delete {
			out[build.ObjectKey(t, v.Traces[c.ID].Object.ID, v.Traces[c.ID].Ancestors)] = back
		}
	}
	return out
}

// goer is the delete that an object goes with, its own or that of what it belongs to; nil
// where it stays.
func goer(deletes map[string]*plan.Change, x resource.Part) *plan.Change {
	for t, id, above := x.Type, x.Object.ID, x.Ancestors; ; {
		if c := deletes[build.ObjectKey(t, id, above)]; c != nil || t.Parent == nil || len(above) == 0 {
			return c
		}
		t, id, above = t.Parent, above[len(above)-1], above[:len(above)-1]
	}
}

// deleteAbove is the delete of what the resource of a change belongs to; nil where that
// stays.
func deleteAbove(v *Undoing, c *plan.Change) *plan.Change {
	t, above := v.Types.Kind(c.ResourceType), v.Traces[c.ID].Ancestors
	if t.Parent == nil || len(above) == 0 {
		return nil
	}
	last := len(above) - 1
	return goer(deletesIn(v), resource.Part{Type: t.Parent, Ancestors: above[:last], Object: &resource.Object{ID: above[last]}})
}

// takeAlong says of every delete what goes with it.
func takeAlong(v *Undoing) {
	for _, c := range v.Plan.Changes {
		back, tr := v.undone[c.ID], v.Traces[c.ID]
		if back == nil || back.Action != plan.Delete {
			continue
		}
		back.Take(alone(v, v.Types.Kind(c.ResourceType), tr))
		back.Watch(plan.Without(tr.Settings, func(t *resource.Type, ancestors []string, id string) bool {
			return len(ancestors) > len(tr.Ancestors) && v.Goes(t, id, ancestors)
		}))
		cascade(v, back, tr)
	}
}
