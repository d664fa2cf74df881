package plan

import (
	"slices"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Action checks that plans of this kind may take the action.
func (v *Validation) Action(c *Change, t *resource.Type) {
	if v.Inverse() {
		return
	}
	mode := v.Plan.Metadata.Mode
	if !slices.Contains(v.modes[mode], c.Action) {
		v.Say(c, "a plan for %s has no %s", mode, c.Action)
		return
	}
	if c.Replace {
		v.replace(c, t)
		return
	}
	if c.Action != Delete {
		return
	}
	switch {
	case mode == ModeApply:
		v.Say(c, "a plan for apply deletes nothing, except to replace it")
	case mode.Prunes() && v.Plan.Metadata.SyncScope.Prune == resource.PruneNone:
		v.Say(c, "a sync without pruning deletes nothing, except to replace it")
	}
}

// modesOf are the actions of each mode, except for attached changes: those of every
// target, and those that targets bring.
func modesOf(types *resource.Types, rules func(*resource.Type) Rules) map[Mode][]Action {
	out := map[Mode][]Action{
		ModeApply:  {Create, Update, Delete},
		ModeSync:   {Create, Update, Delete},
		ModeLive:   {Create, Update, Delete},
		ModeDelete: {Delete},
		ModeAdopt:  {Update},
	}
	for _, t := range types.All() {
		if own, ok := rules(t).(ModeRules); ok {
			for mode, actions := range own.Modes() {
				out[mode] = Union(out[mode], actions)
			}
		}
	}
	return out
}

// replace checks that both halves of a replace are there and are about one
// resource.
func (v *Validation) replace(c *Change, t *resource.Type) {
	if c.Action == Update {
		v.Say(c, "an update replaces nothing")
		return
	}
	other := v.Plan.Half(c)
	if other == nil {
		v.Say(c, "one half of a replace without the other")
		return
	}
	if other.Namespace != c.Namespace {
		v.Say(c, "its namespace is not that of %s, the other half of the replace", other.ID)
	}
	if c.Action == Create && !sameIdentity(t, c, other) {
		v.Say(c, "it replaces %s, which is another resource", other.ID)
	}
}

// sameIdentity reports whether what a replace creates is what it deletes: by the
// same identity, except for what another change makes or the plan shows.
func sameIdentity(t *resource.Type, made, gone *Change) bool {
	for _, f := range t.Identity {
		p := value.ParsePath(f)
		if r, ok := made.References[f]; ok && r.Change != "" {
			continue
		}
		if _, shown := made.ChangedFields[f]; shown {
			continue
		}
		var want, have any
		if f == t.KeyField {
			want, have = made.ResourceID, gone.ResourceID
		} else {
			want, _ = value.Get(made.Fields, p)
			have, _ = value.Get(gone.CurrentState, p)
		}
		if (want != nil || have != nil) && !resource.SameField(t, f, want, have) && !HoldsHidden(have) {
			return false
		}
	}
	return true
}
