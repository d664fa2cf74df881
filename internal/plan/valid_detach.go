package plan

import (
	"slices"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/value"
)

// detaches checks that an update drops the references that it says it drops.
func (v *validator) detaches(c *Change) {
	for _, d := range c.Detaches {
		x, shown := c.ChangedFields[d.Field]
		if c.Action != Update || !shown || !slices.Contains(value.Texts(x.Old), d.ID) || slices.Contains(value.Texts(x.New), d.ID) {
			v.say(c, "detaches: it does not drop %s from %s", d.ID, d.Field)
		}
	}
}

// expectsResult checks a change that expects what another change of the plan
// leaves: it is not compared with the live resource before that.
func (v *validator) expectsResult(c *Change, t *catalog.Bound) {
	if c.Expect.After == "" {
		return
	}
	first := v.byID[c.Expect.After]
	if first == nil || c.Action != Update || first.Action != Update || len(first.Detaches) == 0 || first.CurrentState == nil ||
		v.target(first) != v.target(c) || !v.after(c, first.ID) {
		v.say(c, "expect.after: %s does not detach this resource", c.Expect.After)
		return
	}
	left, _ := value.Clone(first.CurrentState).(map[string]any)
	for _, x := range first.FieldChanges {
		value.Set(left, value.ParsePath(x.Field), value.Clone(x.DesiredValue))
	}
	o := (&Change{ResourceID: c.ResourceID, CurrentState: left}).seen()
	if !holdsHidden(left) && !holdsHidden(c.CurrentState) && Fingerprint(t, o) != Fingerprint(t, c.seen()) {
		v.say(c, "current_state is not what %s leaves", first.ID)
	}
}
