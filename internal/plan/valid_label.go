package plan

import (
	"maps"
	"regexp"
	"slices"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/label"
	"kongctl/internal/value"
)

// labels checks the labels that a change writes: those of people are shown, and
// ours say what the change says.
func (v *validator) labels(c *Change, t *catalog.Bound) {
	sent, there := c.Fields["labels"].(map[string]any)
	switch {
	case !t.HasLabels():
		for k := range sent {
			if label.Ours(k) {
				v.say(c, "labels.%s: only roots carry the labels of kongctl", k)
			}
		}
		return
	case !there && (c.Action == Create || t.Puts() || c.Fields["labels"] != nil):
		v.say(c, "it does not send the labels that mark what is managed")
		return
	}
	before := v.labelsBefore(c)
	if !there {
		v.changedLabels(c, before, before) // they stay as they are
		return
	}
	after := maps.Clone(before)
	if c.Action == Create || !t.LabelsMerge() {
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
		v.say(c, "protection is %v, and the labels say otherwise", c.Protection)
	}
}

// labelsBefore are the labels that a change starts from: those of its resource,
// or of the one that it takes the place of.
func (v *validator) labelsBefore(c *Change) map[string]any {
	state := c.CurrentState
	if gone := v.half(c); v.takesPlace(c) && gone != nil {
		state = gone.CurrentState
	}
	labels, _ := state["labels"].(map[string]any)
	return labels
}

// takesPlace reports whether a change creates what another one deletes, and
// shows only what differs.
func (v *validator) takesPlace(c *Change) bool {
	return c.Action == Create && c.Replace && !v.inverse()
}

// What the plan calls the labels that a kongctl block sets.
const (
	namespaceField = "kongctl.namespace"
	protectedField = "kongctl.protected"
)

var hashForm = regexp.MustCompile(`^sha256-[a-z2-7]{52}$`)

// label checks what becomes of one label.
func (v *validator) label(c *Change, key string, old, now any) {
	text, isText := now.(string)
	moves := v.plan.Metadata.Mode == ModeAdopt || v.inverse()
	var ok bool
	stays := c.Action == Update && alike(old, now)
	isNew := c.Action == Create && !v.takesPlace(c) // all of it is shown
	switch key {
	case label.Namespace:
		x, shown := c.ChangedFields[namespaceField]
		ok = text == c.Namespace && (c.Action == Create || stays) || shown && moves && alike(x.New, now)
	case label.Protected:
		ok = alike(old, now) || isNew && label.ValueProtects(now) || c.ChangedFields[protectedField].New == label.ValueProtects(now)
	case label.Managed:
		ok = text == "true" || stays || v.inverse() && now == nil
	case label.Hash:
		ok = hashForm.MatchString(text) || stays || now == nil && (moves || c.Action == Update)
	case label.LastUpdated:
		ok = text == NowText || stays || v.inverse() && now == nil
	default:
		path := value.Path{"labels", key}
		switch {
		case label.Ours(key):
			ok = alike(old, now) || v.inverse() && c.Action == Create || v.takesPlace(c) && now == nil
		default:
			ok = alike(old, now) || isNew || c.Shows(path)
		}
	}
	if !ok || now != nil && !isText && !isMark(now) {
		v.say(c, "labels.%s: it writes another value than the plan shows", key)
	}
}

func isMark(x any) bool { _, unknown := x.(value.Unknown); return unknown }

// changedLabels checks what the plan shows of labels against what is sent.
func (v *validator) changedLabels(c *Change, before, after map[string]any) {
	for name, x := range c.ChangedFields {
		p := value.ParsePath(name)
		var old, now any
		switch {
		case name == namespaceField:
			old, now = before[label.Namespace], after[label.Namespace]
		case name == protectedField:
			old, now = label.ValueProtects(before[label.Protected]), label.ValueProtects(after[label.Protected])
		case len(p) == 2 && p[0] == "labels":
			old, now = before[p[1]], after[p[1]]
		case len(p) > 0 && (p[0] == "labels" || p[0] == "kongctl"):
			v.say(c, "changed_fields: %q is not a field", name)
			continue
		default:
			continue
		}
		if !alike(now, x.New) && !v.fills(c, p) {
			v.say(c, "changed_fields.%s: shows another value than the one sent", name)
		}
		if !alike(old, x.Old) && !holdsHidden(x.Old) && !holdsHidden(old) {
			v.say(c, "changed_fields.%s: shows another value than current_state", name)
		}
	}
}
