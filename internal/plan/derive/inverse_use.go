package derive

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// remains lists what refers to a created resource and is neither deleted nor
// updated when the plan is undone.
func (v *Undoing) remains(tr plan.Trace) []resource.User {
	var out []resource.User
	for _, u := range tr.Users {
		if !plan.Within(v.goes, u.Part) && !slices.ContainsFunc(updatesOf(v, u), func(c *plan.Change) bool { return v.undone[c.ID] != nil }) {
			out = append(out, u)
		}
	}
	return out
}

// updatesOf lists the updates of what refers to a resource.
func updatesOf(v *Undoing, u resource.User) []*plan.Change {
	var out []*plan.Change
	for _, c := range v.Plan.Changes {
		t := v.Types.Kind(c.ResourceType)
		if t != nil && c.Action == plan.Update && build.ObjectKey(t, v.Traces[c.ID].ID(), v.Traces[c.ID].Ancestors) == build.ObjectKey(u.Type, u.Object.ID, u.Ancestors) {
			out = append(out, c)
		}
	}
	return out
}

// released lets deletes wait for the updates of what refers to their resources, also
// where the plan has another change between the two.
func released(v *Undoing, add func(c, first *plan.Change)) {
	for _, c := range v.Plan.Changes {
		back := v.undone[c.ID]
		if back == nil || back.Action != plan.Delete {
			continue
		}
		for _, u := range v.Traces[c.ID].Users {
			for _, by := range updatesOf(v, u) {
				add(back, v.undone[by.ID])
			}
		}
	}
}

// Used reports whether the target refuses to delete what a create made, because what
// stays uses it, and says so. Then it stays, with what belongs to it.
func Used(v *Undoing, c *plan.Change) bool {
	for _, u := range v.remains(v.Traces[c.ID]) {
		if u.Use.OnDelete == resource.Refuses {
			v.Cannot(c, nil, "the %s uses it", plan.UserName(u)+plan.Owner(u))
			v.used[c.ID] = true
			return true
		}
	}
	return false
}

// cascade lists what is deleted with a created resource because it refers to it.
func cascade(v *Undoing, back *plan.Change, tr plan.Trace) {
	for _, u := range v.remains(tr) {
		if u.Use.OnDelete == resource.Cascades {
			name := u.Type.Name(u.Object)
			if t := v.Types.Kind(u.Use.Kind); t != nil && name == tr.Object.ID {
				name = t.Name(tr.Object)
			}
			back.Cascade(u, name, plan.Shielded(u, v.Plan.Metadata.SyncScope.Namespaces))
		}
	}
}

// foreign refuses to undo a create when that would delete what others own: there
// is no permission for that.
func (v *Undoing) foreign() map[*plan.Change]string {
	out := map[*plan.Change]string{}
	for _, c := range v.b.Plan.Changes {
		if would, protected, others := c.CascadeText(v.Plan.Metadata.SyncScope.Namespaces); protected || others {
			out[c] = would + " Others own that. Remove it first and create this plan again, or leave this plan and delete the resource with kongctl delete."
		}
	}
	return out
}

// missing takes references to what was deleted and does not come back out of the
// changes. What cannot be without them does not come back, either, and what took its
// place stays, as does what is in use then, with what belongs to it.
func missing(v *Undoing) {
	for again := true; again; {
		again = halves(v)
		again = attached(v) || again
		again = inUse(v) || again
		again = belonging(v) || again
		again = circles(v) || again
		gone, to := goneIn(v), successors(v)
		for _, c := range slices.Clone(v.b.Plan.Changes) {
			if c.Action != plan.Delete && (!redirect(v, c, to) || !without(v, c, gone)) {
				takeBack(v, c)
				again = true
			}
		}
	}
}

// inUse takes back the deletes of what is used by what stays as it is: the update that
// would have led that elsewhere cannot be made. It reports whether it took back any.
func inUse(v *Undoing) bool {
	again := false
	for _, c := range v.Plan.Changes {
		back := v.undone[c.ID]
		if back == nil || back.Action != plan.Delete {
			continue
		}
		if Used(v, c) {
			stay(v, c, back)
			again = true
		}
	}
	return again
}

// belonging takes back the deletes of what belongs to what stays because it is used:
// that is used as it is. It reports whether it took back any.
func belonging(v *Undoing) bool {
	again := false
	for _, c := range v.Plan.Changes {
		back := v.undone[c.ID]
		isDeleted := v.with[c.ID] || back != nil && back.Action == plan.Delete
		if !isDeleted || c.Parent == nil || !v.used[c.Parent.Change] {
			continue
		}
		delete(v.with, c.ID)
		v.Cannot(c, nil, "%s, which it belongs to, stays", called(v.Types, v.Plan.Change(c.Parent.Change)))
		v.used[c.ID] = true
		stay(v, c, back)
		again = true
	}
	return again
}

// lostObject is what a plan deleted. Its id alone does not name it: what one
// resource is to another may have the id of the other one. Without a kind it is what has
// an id of its own, of whatever kind.
type lostObject struct{ kind, id string }

// Deleted lists those of the ids of a kind that the plan deleted: what has them comes
// back with another one, or not at all.
func Deleted(v *Undoing, kind string, ids []string) []string {
	var out []string
	for _, id := range ids {
		if slices.ContainsFunc(v.Plan.Changes, func(c *plan.Change) bool {
			return c.ResourceType == kind && c.ResourceID == id && isGone(v, c)
		}) {
			out = append(out, id)
		}
	}
	return out
}

// isGone reports whether what a change deleted is not there, though another one may be
// in its place.
func isGone(v *Undoing, c *plan.Change) bool {
	tr := v.Traces[c.ID]
	there := tr.Object != nil && tr.Object.ID == c.ResourceID
	return c.Action == plan.Delete && c.ResourceID != "" && !tr.NotDone && !there
}

// goneIn lists the changes that deleted what does not come back.
func goneIn(v *Undoing) map[lostObject]*plan.Change {
	out := map[lostObject]*plan.Change{}
	for _, c := range v.Plan.Changes {
		if isGone(v, c) && v.remade[c.ResourceID] == nil {
			out[lostObject{c.ResourceType, c.ResourceID}] = c
		}
	}
	lostWith(v, out)
	for key, c := range maps.Clone(out) {
		kindless := lostObject{id: key.id}
		if first := out[kindless]; hasOwnID(v.Types, key.kind) && (first == nil || key.kind < first.ResourceType) {
			out[kindless] = c
		}
	}
	return out
}

// without takes references to what is gone out of a change; false where it cannot
// be made then, or does nothing any more.
func without(v *Undoing, c *plan.Change, gone map[lostObject]*plan.Change) bool {
	t := v.Types.Kind(c.ResourceType)
	if c.Parent != nil && gone[lostObject{c.Parent.Type, c.Parent.ID}] != nil {
		if !t.Single { // settings are not missed without what they are of
			v.Cannot(c, nil, "what it belonged to is gone")
		}
		return false
	}
	for _, r := range t.References {
		if _, lost := lostIn(r.Kind, []string{c.ResourceID}, gone); lost != nil && r.Field == t.KeyField && c.Action == plan.Create {
			v.Cannot(c, nil, "the %s, which it refers to, is gone", called(v.Types, lost))
			return false
		}
		if !drop(v, c, r, func(ids []string) ([]string, *plan.Change, string) {
			ids, lost := lostIn(r.Kind, ids, gone)
			return ids, lost, "is gone"
		}) {
			return false
		}
	}
	for _, r := range resource.NameUses(t) {
		if !drop(v, c, r, func(names []string) ([]string, *plan.Change, string) { return lostNames(v, c, r.Kind, names) }) {
			return false
		}
	}
	tellDead(v, c, gone)
	return !idle(c)
}

// idle reports whether an update changes nothing any more.
func idle(c *plan.Change) bool {
	if c.Action != plan.Update || len(c.ChangedFields) == 0 {
		return false
	}
	for _, x := range c.ChangedFields {
		if !value.Equal(x.Old, x.New) {
			return false
		}
	}
	return true
}

// drop takes out of a field of a change what leads nowhere: of its texts those that are
// lost, with the first that was so and why. It reports whether the change can be made
// then.
func drop(v *Undoing, c *plan.Change, r resource.Reference, find func([]string) ([]string, *plan.Change, string)) bool {
	t, field := v.Types.Kind(c.ResourceType), value.ParsePath(r.Field)
	p := value.Listed(c.Fields, field) // the items of a list go whole
	now, _ := value.Get(c.Fields, p)
	texts, lost, why := find(value.TextsAt(now, field[len(p):]))
	if lost == nil {
		return true
	}
	if _, list := now.([]any); r.OnDelete == resource.Keeps && !list && (c.Action != plan.Create || !t.IsIdentity(field.Generic())) {
		once(v, c, fmt.Sprintf("%s: the %s %s", r.Field, called(v.Types, lost), why))
		return true
	}
	left, can := t.Without(field.Generic(), now, texts)
	if !can {
		v.Cannot(c, nil, "the %s, which it refers to, %s", called(v.Types, lost), why)
		return false
	}
	v.Cannot(c, c, "%s: the %s %s", r.Field, called(v.Types, lost), why)
	value.Set(c.Fields, p, left)
	if x, ok := c.ChangedFields[p.String()]; ok {
		x.New = left
		c.ChangedFields[p.String()] = x
	}
	return true
}

// lostIn lists the ids of a reference field that lead nowhere, and what the first
// of them was.
func lostIn(kind string, now []string, gone map[lostObject]*plan.Change) (ids []string, first *plan.Change) {
	for _, id := range now {
		if c := gone[lostObject{kind, id}]; c != nil {
			ids = append(ids, id)
			if first == nil {
				first = c
			}
		}
	}
	return ids, first
}

// takeBack takes a change out of the plan.
func takeBack(v *Undoing, c *plan.Change) {
	v.b.Drop(c)
	maps.DeleteFunc(v.undone, func(_ string, x *plan.Change) bool { return x == c })
	maps.DeleteFunc(v.remade, func(_ string, x *plan.Change) bool { return x == c })
}
