package propose

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// labels checks the labels that a change writes: those of people are shown, and
// ours say what the change says.
func (v rules) labels(c *plan.Change, t *catalog.Bound) {
	sent, there := c.Fields["labels"].(map[string]any)
	switch {
	case !t.HasLabels():
		for k := range sent {
			if label.Ours(k) {
				v.check.Say(c, "labels.%s: only roots carry the labels of kongctl", k)
			}
		}
		return
	case !there && (c.Action == plan.Create || t.Puts() || c.Fields["labels"] != nil):
		v.check.Say(c, "it does not send the labels that mark what is managed")
		return
	}
	before := v.labelsBefore(c)
	if !there {
		v.changedLabels(c, before, before) // they stay as they are
		return
	}
	after := maps.Clone(before)
	if c.Action == plan.Create || !t.LabelsMerge() {
		after = map[string]any{}
	}
	if after == nil {
		after = map[string]any{}
	}
	for k, x := range sent {
		if x == nil {
			delete(after, k)
		} else {
			after[k] = x
		}
	}
	keys := slices.Collect(maps.Keys(before))
	keys = slices.AppendSeq(keys, maps.Keys(after))
	keys = append(keys, label.Namespace, label.Protected, label.Managed, label.Hash, label.LastUpdated)
	slices.Sort(keys)
	for _, k := range slices.Compact(keys) {
		v.label(c, k, before[k], after[k])
	}
	v.changedLabels(c, before, after)
	if c.Protection != label.ValueProtects(after[label.Protected]) {
		v.check.Say(c, "protection is %v, and the labels say otherwise", c.Protection)
	}
}

// labelsBefore are the labels that a change starts from: those of its resource,
// or of the one that it takes the place of.
func (v rules) labelsBefore(c *plan.Change) map[string]any {
	state := c.CurrentState
	if gone := v.check.Plan.Half(c); v.takesPlace(c) && gone != nil {
		state = gone.CurrentState
	}
	labels, _ := state["labels"].(map[string]any)
	return labels
}

// takesPlace reports whether a change creates what another one deletes, and
// shows only what differs. An inverse plan may have one without the other.
func (v rules) takesPlace(c *plan.Change) bool {
	return c.Action == plan.Create && c.Replace && (!v.check.Inverse() || v.check.Plan.Half(c) != nil)
}

var hashForm = pattern.New(`^sha256-[a-z2-7]{52}$`)

// label checks what becomes of one label.
func (v rules) label(c *plan.Change, key string, old, now any) {
	text, isText := now.(string)
	moves := v.check.Plan.Metadata.Mode == plan.ModeAdopt || v.check.Inverse()
	var ok bool
	stays := c.Action == plan.Update && plan.Alike(old, now)
	isNew := c.Action == plan.Create && !v.takesPlace(c) // all of it is shown
	switch key {
	case label.Namespace:
		x, shown := c.ChangedFields[plan.NamespaceField]
		ok = text == c.Namespace && (c.Action == plan.Create || stays) || shown && moves && plan.Alike(x.New, now)
	case label.Protected:
		ok = plan.Alike(old, now) || isNew && label.ValueProtects(now) || c.ChangedFields[plan.ProtectedField].New == label.ValueProtects(now)
	case label.Managed:
		ok = text == "true" || stays || v.check.Inverse() && now == nil
	case label.Hash:
		ok = hashForm.MatchString(text) || stays || now == nil && (moves || c.Action == plan.Update)
	case label.LastUpdated:
		ok = text == plan.NowText || stays || v.check.Inverse() && now == nil
	default:
		path := value.Path{"labels", key}
		switch {
		case label.Ours(key):
			ok = plan.Alike(old, now) || v.check.Inverse() && c.Action == plan.Create || v.takesPlace(c) && now == nil
		default:
			ok = plan.Alike(old, now) || isNew || c.Shows(path)
		}
	}
	if !ok || now != nil && !isText && !isMark(now) {
		v.check.Say(c, "labels.%s: it writes another value than the plan shows", key)
	}
}

func isMark(x any) bool { _, unknown := x.(value.Unknown); return unknown }

// changedLabels checks what the plan shows of labels against what is sent.
func (v rules) changedLabels(c *plan.Change, before, after map[string]any) {
	for name, x := range c.ChangedFields {
		p := value.ParsePath(name)
		var old, now any
		switch {
		case name == plan.NamespaceField:
			old, now = before[label.Namespace], after[label.Namespace]
		case name == plan.ProtectedField:
			old, now = label.ValueProtects(before[label.Protected]), label.ValueProtects(after[label.Protected])
		case len(p) == 2 && p[0] == "labels":
			old, now = before[p[1]], after[p[1]]
		case len(p) > 0 && (p[0] == "labels" || p[0] == "kongctl"):
			v.check.Say(c, "changed_fields: %q is not a field", name)
			continue
		default:
			continue
		}
		if !plan.Alike(now, x.New) && !v.fills(c, p) {
			v.check.Say(c, "changed_fields.%s: shows another value than the one sent", name)
		}
		if !plan.Alike(old, x.Old) && !plan.HoldsHidden(x.Old) && !plan.HoldsHidden(old) {
			v.check.Say(c, "changed_fields.%s: shows another value than current_state", name)
		}
	}
}
