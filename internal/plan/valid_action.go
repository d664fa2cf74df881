package plan

import (
	"slices"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/konnect/live"
	"kongctl/internal/value"
)

// operation is the call that a change of a type makes, nil where there is none.
func (v *validator) operation(c *Change, t *catalog.Bound) *contract.Operation {
	switch {
	case c.Action == Create && t.Optional():
		return t.Create
	case c.Action == Update:
		return t.Update
	case c.Action == Delete && t.Optional():
		return t.Delete
	default:
		return nil
	}
}

// action checks that plans of this kind may take the action.
func (v *validator) action(c *Change, t *catalog.Bound) {
	op := v.operation(c, t)
	if got := c.ExecutionContext; got.HTTPMethod != op.Method || got.APIEndpoint != op.Path {
		v.say(c, "execution_context is %s %s, and this change calls %s", got.HTTPMethod, got.APIEndpoint, op.Key())
	}
	mode := v.plan.Metadata.Mode
	if _, labels := c.Fields["labels"]; mode == ModeAdopt && (c.Action != Update || !labels || len(c.Fields) > 1) {
		v.say(c, "a plan for adopt writes labels, and nothing else")
	}
	if v.inverse() {
		return
	}
	if !slices.Contains(allowedActions[mode], c.Action) {
		v.say(c, "a plan for %s has no %s", mode, c.Action)
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
		v.say(c, "a plan for apply deletes nothing, except to replace it")
	case mode == ModeSync && v.plan.Metadata.SyncScope.Prune == live.PruneNone:
		v.say(c, "a sync without pruning deletes nothing, except to replace it")
	}
}

// allowedActions are the actions of each mode, decK's aside.
var allowedActions = map[Mode][]Action{
	ModeApply:  {Create, Update, Delete},
	ModeSync:   {Create, Update, Delete},
	ModeDelete: {Delete},
	ModeAdopt:  {Update},
}

// replace checks that both halves of a replace are there and are about one
// resource.
func (v *validator) replace(c *Change, t *catalog.Bound) {
	if c.Action == Update {
		v.say(c, "an update replaces nothing")
		return
	}
	other := v.half(c)
	if other == nil {
		v.say(c, "one half of a replace without the other")
		return
	}
	if other.Namespace != c.Namespace {
		v.say(c, "its namespace is not that of %s, the other half of the replace", other.ID)
	}
	if c.Action == Create && !sameIdentity(t, c, other) {
		v.say(c, "it replaces %s, which is another resource", other.ID)
	}
}

// half is the other half of a replace.
func (v *validator) half(c *Change) *Change {
	for _, x := range v.plan.Changes {
		if !x.Replace || x.ResourceType != c.ResourceType || x.ResourceRef != c.ResourceRef || !sameAncestors(c, x) {
			continue
		}
		switch {
		case c.Action == Delete && x.Action == Create && slices.Contains(x.DependsOn, c.ID),
			c.Action == Create && x.Action == Delete && slices.Contains(c.DependsOn, x.ID):
			return x
		}
	}
	return nil
}

func sameAncestors(a, b *Change) bool {
	if a.Parent == nil || b.Parent == nil {
		return a.Parent == b.Parent
	}
	return a.Parent.Change == b.Parent.Change && slices.Equal(a.Parent.Ancestors, b.Parent.Ancestors)
}

// sameIdentity reports whether what a replace creates is what it deletes: by the
// same identity, except for what another change makes or the plan shows.
func sameIdentity(t *catalog.Bound, made, gone *Change) bool {
	for _, f := range t.Identity {
		p := value.ParsePath(f)
		if r, ok := made.References[f]; ok && r.Change != "" {
			continue
		}
		if _, shown := made.ChangedFields[f]; shown {
			continue
		}
		var want, have any
		if f == t.MapKey {
			want, have = made.ResourceID, gone.ResourceID
		} else {
			want, _ = value.Get(made.Fields, p)
			have, _ = value.Get(gone.CurrentState, p)
		}
		if (want != nil || have != nil) && !live.SameText(want, have) && !holdsHidden(have) {
			return false
		}
	}
	return true
}
