package derive

import (
	"reflect"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// halves takes back the deletes of what took the place of others that cannot be made
// again, and with them the deletes of what belongs to it: a replacement is undone as a
// whole or not at all. It reports whether it took back any.
func halves(v *Undoing) bool {
	again := false
	for _, c := range v.Plan.Changes {
		back := v.undone[c.ID]
		if back == nil || back.Action != plan.Delete {
			continue
		}
		switch former := formerOf(v, c); {
		case former != nil && isGone(v, former) && v.undone[former.ID] == nil && !usesGoing(v, c):
			v.Cannot(c, nil, "it took the place of another one, which cannot be made again")
		case c.Parent != nil && staysInPlace(v, v.Plan.Change(c.Parent.Change)):
		default:
			continue
		}
		stay(v, c, back)
		again = true
	}
	return again
}

// usesGoing reports whether what a change made refers to something that undoing
// deletes: then it goes with that.
func usesGoing(v *Undoing, c *plan.Change) bool {
	t, o := v.Types.Kind(c.ResourceType), v.Traces[c.ID].Object
	if o == nil {
		return false
	}
	for _, r := range t.References {
		for _, id := range t.ReferredIDs(o, r.Field) {
			if deletes(v, plan.Detached{Type: r.Kind, ID: id}) {
				return true
			}
		}
	}
	return false
}

// stay lets what a change made be there: the change that would delete it is taken back.
func stay(v *Undoing, c, back *plan.Change) {
	takeBack(v, back)
	if tr, t := v.Traces[c.ID], v.Types.Kind(c.ResourceType); tr.Object != nil && t != nil {
		delete(v.goes, build.ObjectKey(t, tr.Object.ID, tr.Ancestors))
	}
}

// formerOf is the delete of what a create took the place of; nil for none.
func formerOf(v *Undoing, c *plan.Change) *plan.Change {
	if c == nil || c.Action != plan.Create {
		return nil
	}
	return v.Plan.Half(c)
}

// show lets what takes the place of another one show what differs.
func show(v *Undoing) {
	for _, c := range v.Plan.Changes {
		former := formerOf(v, c)
		if former == nil {
			continue
		}
		gone, made := v.undone[c.ID], v.undone[former.ID]
		if _, by := v.undoer(c); gone != nil && made != nil && gone.Action == plan.Delete && made.Action == plan.Create {
			by.Shows(v, c, gone, made)
		}
	}
}

// staysInPlace reports whether what a create made stays in the place of another one.
func staysInPlace(v *Undoing, c *plan.Change) bool {
	former := formerOf(v, c)
	return former != nil && isGone(v, former) && v.undone[former.ID] == nil && v.undone[c.ID] == nil && v.Traces[c.ID].Object != nil && !goesAlong(v, c)
}

// successors are the ids of what stays in the place of others, by the others.
func successors(v *Undoing) map[lostObject]string {
	out := map[lostObject]string{}
	for _, c := range v.Plan.Changes {
		if staysInPlace(v, c) {
			former := formerOf(v, c)
			out[lostObject{former.ResourceType, former.ResourceID}] = v.Traces[c.ID].Object.ID
		}
	}
	return out
}

// attached takes out of the changes what detaches a resource from others that are not
// deleted after all, and what attaches it again. It reports whether it took any change
// back.
func attached(v *Undoing) bool {
	again := false
	for _, first := range slices.Clone(v.b.Plan.Changes) {
		if len(first.Detaches) == 0 {
			continue
		}
		i := slices.IndexFunc(v.b.Plan.Changes, func(c *plan.Change) bool { return c.After == first })
		first.Detaches = slices.DeleteFunc(first.Detaches, func(d plan.Detached) bool {
			if deletes(v, d) {
				return false
			}
			name := value.Listed(first.Fields, value.ParsePath(d.Field)).String()
			if was, ok := first.ChangedFields[name]; ok {
				unchange(first, name, was.Old)
				if i >= 0 {
					unchange(v.b.Plan.Changes[i], name, was.Old)
				}
			}
			return true
		})
		var second *plan.Change
		if i >= 0 {
			second = v.b.Plan.Changes[i]
		}
		if len(first.Detaches) > 0 || len(first.ChangedFields) > 0 || second != nil && len(second.ChangedFields) > 0 {
			continue
		}
		takeBack(v, first)
		if second != nil {
			takeBack(v, second)
		}
		again = true
	}
	return again
}

func deletes(v *Undoing, d plan.Detached) bool {
	return slices.ContainsFunc(v.b.Plan.Changes, func(c *plan.Change) bool {
		return c.Action == plan.Delete && c.ResourceType == d.Type && c.ResourceID == d.ID
	}) || slices.ContainsFunc(v.Plan.Changes, func(c *plan.Change) bool {
		return c.ResourceType == d.Type && v.Traces[c.ID].ID() == d.ID && goesAlong(v, c)
	})
}

// unchange leaves a field of a change as it is.
func unchange(c *plan.Change, name string, now any) {
	value.Set(c.Fields, value.ParsePath(name), value.Clone(now))
	delete(c.ChangedFields, name)
	c.FieldChanges = slices.DeleteFunc(c.FieldChanges, func(f plan.FieldChange) bool { return f.Field == name })
}

// redirect leads references of an update to what stays in the place of what they led
// to. It reports whether the update still changes anything.
func redirect(v *Undoing, c *plan.Change, to map[lostObject]string) bool {
	if c.Action != plan.Update || len(to) == 0 || len(c.ChangedFields) == 0 {
		return true
	}
	for _, r := range v.Types.Kind(c.ResourceType).References {
		field := value.ParsePath(r.Field)
		p := value.Listed(c.Fields, field)
		now, ok := value.Get(c.Fields, p)
		if !ok {
			continue
		}
		next := redirected(now, r, to)
		if reflect.DeepEqual(next, now) {
			continue
		}
		name := p.String()
		x, shown := c.ChangedFields[name]
		if shown && reflect.DeepEqual(next, x.Old) {
			unchange(c, name, next)
			continue
		}
		value.Set(c.Fields, p, next)
		if shown {
			x.New = next
			c.ChangedFields[name] = x
		}
	}
	return len(c.ChangedFields) > 0
}

func redirected(x any, r resource.Reference, to map[lostObject]string) any {
	x = value.Clone(x)
	for _, p := range holding(x, nil, func(id string) bool { return to[lostObject{r.Kind, id}] != "" }) {
		id, _ := value.Get(x, p)
		next := to[lostObject{r.Kind, id.(string)}]
		if len(p) == 0 {
			return next
		}
		x = value.Set(x, p, next)
	}
	return x
}
