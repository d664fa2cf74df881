package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	model "github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

const labelsField = "labels"

// createLines renders the payload of a create.
func (d Diff) createLines(c *plan.Change) []line {
	fields, _ := value.Clone(c.Fields).(map[string]any)
	if fields == nil {
		fields = map[string]any{}
	}
	d.called(fields)
	for path, m := range markers(c) {
		value.Set(fields, value.ParsePath(path), m)
	}
	protected := hideLabels(fields) || c.Protection && c.Parent == nil
	lines := plain(d.entries(fields)...)
	if protected {
		lines = append(lines, line{text: "kongctl.protected: true"})
	}
	return lines
}

// updateLines renders the fields that change, and nothing else.
func (d Diff) updateLines(c *plan.Change) []line {
	changed := changedFields(c)
	secrets := len(changed) == 0 && c.CurrentState != nil && len(c.SecretWrites) > 0 // nothing but secrets is written
	if len(changed) == 0 && !secrets {
		return d.firstLines(c)
	}
	marks := markers(c)
	d.sent = newSentFields(c)
	var lines []line
	for _, field := range slices.Sorted(maps.Keys(changed)) {
		p := value.ParsePath(field)
		old, now := d.meant(c.ResourceType, p, changed[field].Old, changed[field].New), value.Clone(changed[field].New)
		for _, path := range slices.Sorted(maps.Keys(marks)) {
			if at := value.ParsePath(path); at.HasPrefix(p) {
				now = value.Set(now, at[len(p):], marks[path])
				delete(marks, path)
			}
		}
		now = d.called(now)
		in := d.at(p)
		if _, sent := value.Get(c.Fields, p); !sent && now == nil && p[0] != labelsField {
			now = in.leftOut(old)
			if now == nil && c.Replace && (d.Holds == nil || d.Holds(c.ResourceType, c.Fields, p)) {
				now = marker{text: "(default)"} // a new one starts with what Konnect chooses
			}
		}
		lines = append(lines, in.fieldDifference(p, old, now)...)
	}
	lists := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(marks)) {
		if value.ParsePath(path)[0] == labelsField || c.SendsAll && !secrets {
			continue // sent, and as it is
		}
		// A reference that does not change is not worth a line; what the plan
		// does not know is.
		if _, isReference := c.References[path]; isReference {
			continue
		}
		p := value.ParsePath(path)
		whole := p.Whole()
		if list, sent := value.Get(c.Fields, whole); sent && len(whole) < len(p) {
			// A list is sent as a whole, and so it is shown, once.
			if !lists[whole.String()] {
				lines = append(lines, line{text: printable(whole.String()) + ": " + compact(marked(list, whole, marks))})
			}
			lists[whole.String()] = true
			continue
		}
		lines = append(lines, line{text: printable(path) + ": " + compact(marks[path])})
	}
	if len(lines) == 0 {
		lines = append(lines, line{text: onlyMarks})
	}
	return lines
}

// marked is a value at a path with all marks that are inside of it.
func marked(v any, at value.Path, marks map[string]any) any {
	v = value.Clone(v)
	for path, m := range marks {
		if p := value.ParsePath(path); p.HasPrefix(at) {
			v = value.Set(v, p[len(at):], m)
		}
	}
	return v
}

const onlyMarks = "(only the labels that mark what kongctl manages)"

// firstLines renders an update of what nobody has seen yet: a part that comes
// into being with its parent.
func (d Diff) firstLines(c *plan.Change) []line {
	if lines := d.createLines(c); len(lines) > 0 {
		return lines
	}
	return plain(onlyMarks)
}

// replaceLines renders what differs between what goes and what comes.
func (d Diff) replaceLines(gone, made *plan.Change) []line {
	if len(changedFields(made)) > 0 {
		lines := d.updateLines(made)
		for _, p := range made.Unseen(gone.CurrentState) {
			x, _ := value.Get(made.Fields, p)
			lines = append(lines, d.field(p, nil, x)...)
		}
		return lines
	}
	fields, _ := value.Clone(made.Fields).(map[string]any)
	d.called(fields)
	for path, m := range markers(made) {
		value.Set(fields, value.ParsePath(path), m)
	}
	protected := hideLabels(fields)
	current, _ := value.Clone(gone.CurrentState).(map[string]any)
	d.dropReadOnly(gone, nil, current)
	d.called(current)
	var lines []line
	if was := hideLabels(current); was != protected {
		lines = d.field(value.Path{"kongctl", "protected"}, was, protected)
	}
	for _, k := range slices.Sorted(maps.Keys(fields)) {
		lines = append(lines, d.field(value.Path{k}, current[k], fields[k])...)
	}
	return lines
}

// dropReadOnly takes out of a value what is no configuration: what Konnect assigns.
func (d Diff) dropReadOnly(c *plan.Change, at value.Path, x any) {
	switch v := x.(type) {
	case map[string]any:
		for k, y := range v {
			p := at.Child(k)
			if d.Holds != nil && p[0] != labelsField && !d.Holds(c.ResourceType, c.CurrentState, p) {
				delete(v, k)
				continue
			}
			d.dropReadOnly(c, p, y)
		}
	case []any:
		for i, y := range v {
			d.dropReadOnly(c, at.Index(i), y)
		}
	}
}

// changedFields are the fields before and after, whichever form the plan has.
func changedFields(c *plan.Change) map[string]plan.OldNew {
	if len(c.ChangedFields) > 0 {
		return c.ChangedFields
	}
	out := make(map[string]plan.OldNew, len(c.FieldChanges))
	for _, f := range c.FieldChanges {
		out[f.Field] = plan.OldNew{Old: f.CurrentValue, New: f.DesiredValue}
	}
	return out
}

// fieldDifference is difference without the labels that mark what is managed;
// those that people declare are shown in their words.
func (d Diff) fieldDifference(p value.Path, old, now any) []line {
	if old == plan.Hidden && now == plan.Hidden {
		return []line{arrowed(printable(p.String()), hidden, hidden)}
	}
	if len(p) == 0 || p[0] != labelsField {
		return d.field(p, old, now)
	}
	if len(p) > 1 {
		if model.IsMark(p[1]) {
			return d.meta(p[1], old, now)
		}
		return d.field(p, old, now)
	}
	before, after := split(old), split(now)
	lines := d.maps(p, before.theirs, after.theirs)
	for _, k := range slices.Sorted(maps.Keys(union(before.ours, after.ours))) {
		lines = append(lines, d.meta(k, before.ours[k], after.ours[k])...)
	}
	return lines
}

// meta renders a change of a label of ours that comes from a kongctl block.
func (d Diff) meta(key string, old, now any) []line {
	if old != nil && now == nil {
		// An update leaves our labels out where they stay as they are.
		return nil
	}
	switch name := strings.TrimPrefix(key, model.MarkPrefix); name {
	case "protected":
		return d.field(value.Path{"kongctl", name}, old == "true", now == "true")
	case "namespace":
		return d.field(value.Path{"kongctl", name}, old, now)
	default:
		return nil
	}
}

type labels struct{ ours, theirs map[string]any }

func split(x any) labels {
	l := labels{ours: map[string]any{}, theirs: map[string]any{}}
	m, _ := x.(map[string]any)
	for k, v := range m {
		if model.IsMark(k) {
			l.ours[k] = v
		} else {
			l.theirs[k] = v
		}
	}
	return l
}

func union(a, b map[string]any) map[string]any {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// hideLabels takes our labels out of the fields and tells whether they protect.
func hideLabels(fields map[string]any) bool {
	m, ok := fields[labelsField].(map[string]any)
	if !ok {
		return false
	}
	l := split(m)
	if len(l.theirs) == 0 {
		delete(fields, labelsField)
	} else {
		fields[labelsField] = l.theirs
	}
	return l.ours[model.ProtectedMark] == "true"
}

// markers are the parts of a change that the plan holds no value of, by path. A
// reference that was written as an id is that id.
func markers(c *plan.Change) map[string]any {
	out := map[string]any{}
	for path, r := range c.References {
		if r.Ref == r.ID && r.ID != "" && r.ID != value.UnknownText {
			out[path] = r.ID
		} else {
			out[path] = referenceMarker(r)
		}
	}
	for _, e := range c.Expressions {
		out[e.Field] = marker{text: expression(e.Expression)}
	}
	for _, e := range c.SecretWrites {
		out[e.Field] = marker{text: secret}
	}
	delete(out, "")
	return out
}

func referenceMarker(r plan.Reference) marker {
	m := marker{text: reference(r)}
	if r.ID != value.UnknownText {
		m.id = r.ID
	}
	return m
}

func reference(r plan.Reference) string {
	field := r.Field
	if field == "" {
		field = "id"
	}
	id := printable(r.ID)
	if id == "" || id == value.UnknownText {
		id = strings.Trim(unknown, "()")
	}
	if r.Ref == r.ID {
		return id // it was written so
	}
	return fmt.Sprintf("%s of %s (%s)", printable(field), printable(model.ShownRef(r.Ref, r.Lookup.Text())), id)
}

// expression tells where a value will come from. What is not known to be
// harmless is a secret.
func expression(e map[string]any) string {
	switch env := e["env"].(type) {
	case string:
		return "(from $" + printable(env) + ")"
	case map[string]any:
		for _, key := range []string{"var", "name"} {
			if name, ok := env[key].(string); ok {
				return "(from $" + printable(name) + ")"
			}
		}
	}
	return secret
}
