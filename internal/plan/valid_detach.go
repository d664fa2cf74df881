package plan

import (
	"slices"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// detaches checks that an update drops the references that it says it drops.
func (v *Validation) detaches(c *Change) {
	for _, d := range c.Detaches {
		x, below, shown := c.shownAt(value.ParsePath(d.Field))
		if c.Action != Update || !shown || !slices.Contains(value.TextsAt(x.Old, below), d.ID) || slices.Contains(value.TextsAt(x.New, below), d.ID) {
			v.Say(c, "detaches: it does not drop %s from %s", d.ID, d.Field)
		}
	}
}

// shownAt is the changed field that has the value at a path, and the rest of the
// path: a list is shown whole.
func (c *Change) shownAt(p value.Path) (x OldNew, below value.Path, shown bool) {
	for n := len(p); n > 0; n-- {
		if x, shown = c.ChangedFields[p[:n].String()]; shown {
			return x, p[n:], true
		}
	}
	return OldNew{}, nil, false
}

// expectsResult checks a change that expects what another change of the plan
// leaves: it is not compared with the live resource before that.
func (v *Validation) expectsResult(c *Change, t *resource.Type) {
	if c.Expect.After == "" {
		return
	}
	first := v.byID[c.Expect.After]
	if first == nil || c.Action != Update || first.Action != Update || len(first.Detaches) == 0 || first.CurrentState == nil ||
		v.target(first) != v.target(c) || !v.after(c, first.ID) {
		v.Say(c, "expect.after: %s does not detach this resource", c.Expect.After)
		return
	}
	left, _ := value.Clone(first.CurrentState).(map[string]any)
	for _, x := range first.FieldChanges {
		value.Set(left, value.ParsePath(x.Field), value.Clone(x.DesiredValue))
	}
	o := t.Recorded(c.ResourceID, left)
	if !HoldsHidden(left) && !HoldsHidden(c.CurrentState) && t.Fingerprint(o) != t.Fingerprint(t.Recorded(c.ResourceID, c.CurrentState)) {
		v.Say(c, "current_state is not what %s leaves", first.ID)
	}
}
