package plan

import (
	"maps"
	"slices"
	"strings"

	"kongctl/internal/resource"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/konnect/diff"
	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/live"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/value"
)

// undoCreate deletes what was made.
func (v *inverter) undoCreate(t *catalog.Bound, c *Change, tr Trace) *Change {
	o := tr.Object
	switch {
	case o == nil:
		v.nothing(c, "is not there: it was not made, or it is gone")
		return nil
	case t.Delete == nil || !t.Optional():
		v.cannot(c, nil, "it can be changed, but not deleted")
		return nil
	case t.HasLabels() && remote.Labels(o)[label.Namespace] != c.Namespace:
		v.cannot(c, nil, "it belongs to another namespace now")
		return nil
	case !v.proven(t, c):
		v.claim(c, o)
		return nil
	case !v.sameResource(t, c, o):
		v.cannot(c, nil, "the resource %s has another name than what was created", o.ID)
		return nil
	}
	if user := v.usedElsewhere(tr); user != "" {
		v.cannot(c, nil, "the %s uses it", user)
		return nil
	}
	back := v.start(c, Delete)
	back.ResourceID = o.ID
	back.Protection = tr.Protected || !t.HasLabels() && c.Protection
	back.settle(tr.Ancestors)
	if back.Parent != nil {
		back.Parent.RootProtected = tr.RootProtected
	}
	back.ExecutionContext = ExecutionContext{HTTPMethod: t.Delete.Method, APIEndpoint: t.Delete.Path}
	seen := o
	if !back.NeedsRead(t) && tr.Listed != nil {
		seen = tr.Listed
	}
	v.record(back, t, seen, resolved{env: c.Expressions}, c.Fields)
	back.take(v.alone(t, tr))
	v.cascade(back, tr)
	if v.changedSince(t, c, o) {
		v.warn(back, "it was changed since it was made; undoing deletes it with that")
	}
	return back
}

// record keeps what is there now. What was hidden stays so.
func (v *inverter) record(back *Change, t *catalog.Bound, o *resource.Object, desired resolved, hidden map[string]any) {
	v.b.recordCurrent(back, t, o, desired)
	hideLike(back.CurrentState, hidden)
	if !nameFits(t, back) {
		back.ResourceName, _ = back.CurrentState[t.NameField()].(string)
	}
}

// hideLike hides in one value what is hidden in another.
func hideLike(state, like any) {
	m, ok := state.(map[string]any)
	l, likewise := like.(map[string]any)
	if !ok || !likewise {
		return
	}
	for k, x := range l {
		if _, there := m[k]; !there {
			continue
		}
		if holdsHidden(x) {
			if _, deeper := x.(map[string]any); deeper {
				hideLike(m[k], x)
			} else {
				m[k] = masked
			}
		}
	}
}

// holdsHidden tells of a value that has a part whose value is not in the plan.
func holdsHidden(x any) bool {
	switch d := x.(type) {
	case string:
		return d == masked || (strings.HasPrefix(d, "[env:") && strings.HasSuffix(d, "]"))
	case []any:
		return slices.ContainsFunc(d, holdsHidden)
	case map[string]any:
		for _, y := range d {
			if holdsHidden(y) {
				return true
			}
		}
	}
	return false
}

// changedSince tells whether a resource is not what was sent any more. What the
// plan did not know cannot be compared.
func (v *inverter) changedSince(t *catalog.Bound, c *Change, o *resource.Object) bool {
	sent, _ := value.Clone(c.Fields).(map[string]any)
	if sent == nil {
		sent = map[string]any{}
	}
	unknown := slices.Collect(maps.Keys(c.References))
	for _, e := range slices.Concat(c.Expressions, c.SecretWrites) {
		unknown = append(unknown, e.Field)
	}
	for _, path := range unknown {
		p := value.ParsePath(path).Whole()
		if have, ok := value.Get(o.Fields, p); ok && p.String() != t.MapKey {
			value.Set(sent, p, value.Clone(have))
		} else {
			value.Delete(sent, p)
		}
	}
	return !diff.Compare(t, sent, o.Fields, diff.Whole).Empty()
}

// undoUpdate takes the fields that were changed back to what they were.
func (v *inverter) undoUpdate(t *catalog.Bound, c *Change, tr Trace) *Change {
	if c.CurrentState == nil && c.Parent != nil && c.Parent.Change != "" {
		return nil // it came with its parent and goes with it
	}
	o, next := v.leaves(c, tr.Object)
	switch {
	case c.CurrentState == nil:
		v.cannot(c, nil, "the plan does not say what it was before")
		return nil
	case o == nil:
		v.nothing(c, "is not there any more")
		return nil
	}
	back := v.start(c, Update)
	back.ResourceID = o.ID
	back.settle(tr.Ancestors)
	back.ExecutionContext = ExecutionContext{HTTPMethod: t.Update.Method, APIEndpoint: t.Update.Path}
	told := len(v.warnings)
	for _, e := range c.SecretWrites {
		v.cannot(c, nil, "the plan does not hold what the secret %s was before", e.Field)
	}
	d := v.formerFields(t, c, o)
	labels := formerLabels(t, c, o)
	back.Protection = labels.protects(o)
	if d.Empty() && !labels.changed() {
		if len(v.warnings) == told {
			v.nothing(c, "is as it was before")
		}
		return nil
	}
	desired := resolved{env: slices.Clone(c.Expressions)}
	back.Fields = updatePayload(t, o.Fields, desired, d)
	if _, sent := c.Fields["labels"]; sent && t.HasLabels() {
		back.Fields["labels"] = labels.payload
	}
	back.Expressions = desired.env
	back.recordChanges(desired, d, labels)
	back.dropUnusedExpressions()
	v.record(back, t, o, desired, c.CurrentState)
	if next != nil {
		v.reattach(t, c, back, next, tr.Object, o)
	}
	return back
}

// formerFields are the fields that can go back.
func (v *inverter) formerFields(t *catalog.Bound, c *Change, o *resource.Object) diff.Delta {
	var d diff.Delta
	for _, name := range slices.Sorted(maps.Keys(c.ChangedFields)) {
		x, p := c.ChangedFields[name], value.ParsePath(name)
		if len(p) == 0 || p[0] == "kongctl" || (p[0] == "labels" && t.HasLabels()) {
			continue
		}
		have, _ := value.Get(o.Fields, p)
		switch {
		case same(t, p, x.Old, o):
		case holdsHidden(x.Old) || isEvidence(t, name):
			v.cannot(c, nil, "the plan does not hold what %s was before", name)
		case !v.unknown(c, p, x.New) && !same(t, p, x.New, o):
			v.cannot(c, nil, "%s was changed again since", name)
		default:
			old, ok := takeBack(t, p, x.Old)
			if !ok {
				v.cannot(c, nil, "%s was not set before, and cannot be unset", name)
				continue
			}
			d.Changes = append(d.Changes, diff.Change{Path: p, Old: have, New: old})
		}
	}
	return d
}

// takeBack is what to send for a former value: nothing is null, or the default.
func takeBack(t *catalog.Bound, p value.Path, old any) (any, bool) {
	body := t.Update.Body()
	if old != nil || len(p) > 1 || nullable(body, p) {
		return old, true
	}
	if s := body.At(p, nil); s != nil && s.HasDefault() {
		return value.Clone(s.Default), true
	}
	return nil, false
}

// same tells whether a field of an object has a value, as Konnect would see it.
func same(t *catalog.Bound, p value.Path, want any, o *resource.Object) bool {
	have, _ := value.Get(o.Fields, p)
	if t.IsIdentity(p) {
		return live.SameText(want, have)
	}
	alone, _ := value.Set(map[string]any{}, p, want).(map[string]any)
	return diff.Compare(t, alone, o.Fields, diff.Merge).Empty()
}

func isEvidence(t *catalog.Bound, field string) bool {
	return slices.ContainsFunc(t.Evidence, func(e catalog.Evidence) bool { return e.Of == field })
}

// unknown tells of a new value that the plan did not hold.
func (v *inverter) unknown(c *Change, p value.Path, x any) bool {
	if holdsHidden(x) {
		return true
	}
	for path, r := range c.References {
		if r.Change != "" && value.ParsePath(path).HasPrefix(p) {
			return true
		}
	}
	return false
}

// formerLabels are the labels that were sent, as they were before.
func formerLabels(t *catalog.Bound, c *Change, o *resource.Object) labelDelta {
	sent, _ := c.Fields["labels"].(map[string]any)
	if !t.HasLabels() || sent == nil {
		return labelDelta{}
	}
	former, _ := c.CurrentState["labels"].(map[string]any)
	keys := map[string]bool{}
	for k := range sent {
		keys[k] = true
	}
	if !t.LabelsMerge() {
		for k := range former {
			keys[k] = true
		}
	}
	var d labelDelta
	want := map[string]any{}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		old, had := former[k].(string)
		if had && old == masked {
			continue
		}
		have, has := remote.Labels(o)[k]
		want[k] = orNil(old, had)
		switch {
		case k == label.LastUpdated && had:
			want[k] = NowText
		case had == has && old == have, k == label.LastUpdated, k == label.Hash, k == label.Managed:
		case k == label.Protected:
			d.changes = append(d.changes, labelChange{"kongctl.protected", has && label.ValueProtects(have), had && label.ValueProtects(old)})
		case k == label.Namespace:
			d.changes = append(d.changes, labelChange{"kongctl.namespace", orNil(have, has), orNil(old, had)})
		case !label.Ours(k):
			d.changes = append(d.changes, labelChange{value.Path{"labels", k}.String(), orNil(have, has), orNil(old, had)})
		}
	}
	d.payload = want
	if !t.LabelsMerge() {
		d.payload = whole(remote.Labels(o), want)
	}
	return d
}

// protects tells whether the resource is protected afterwards.
func (d labelDelta) protects(o *resource.Object) bool {
	if v, sent := d.payload[label.Protected]; sent {
		return label.ValueProtects(v)
	}
	return label.Protects(remote.Labels(o))
}

// undoDelete makes again what was deleted, from what the plan recorded.
func (v *inverter) undoDelete(t *catalog.Bound, c *Change, tr Trace) *Change {
	stays := tr.Object != nil && !v.goes[objectKey(t, tr.Object.ID, tr.Ancestors)]
	switch {
	case stays && tr.Again:
		v.cannot(c, nil, "another one has its place (id %s)", tr.Object.ID)
		return nil
	case stays:
		v.nothing(c, "was not deleted: it is there")
		return nil
	case t.Create == nil:
		v.cannot(c, nil, "it cannot be created")
		return nil
	case c.CurrentState == nil:
		v.cannot(c, nil, "the plan does not say what it was")
		return nil
	case tr.Orphan && (c.Parent == nil || v.remade[c.Parent.ID] == nil):
		v.cannot(c, nil, "what it belonged to is gone")
		return nil
	}
	fields, lost := formerState(t, c)
	missing, secrets := gaps(t.Write(), fields, nil)
	if len(missing) > 0 {
		v.cannot(c, nil, "the plan does not hold its %s", strings.Join(missing, ", "))
		return nil
	}
	back := v.start(c, Create)
	back.Fields = fields
	back.settle(ancestorsOf(c))
	back.ExecutionContext = ExecutionContext{HTTPMethod: t.Create.Method, APIEndpoint: t.Create.Path}
	if t.MapKey != "" {
		back.ResourceID = c.ResourceID
	}
	if labels, ok := fields["labels"].(map[string]any); ok && t.HasLabels() {
		back.Protection = label.ValueProtects(labels[label.Protected])
		if _, managed := labels[label.LastUpdated]; managed {
			labels[label.LastUpdated] = NowText
		}
	}
	if t.Shape != catalog.Map && c.ResourceID != "" {
		v.remade[c.ResourceID] = back
	}
	v.tellLost(t, c, back, lost, secrets)
	return back
}

func ancestorsOf(c *Change) []string {
	if c.Parent == nil {
		return nil
	}
	return c.Parent.Ancestors
}

// formerState is what a create sends to make a deleted resource again, and the
// fields that are not known.
func formerState(t *catalog.Bound, c *Change) (fields map[string]any, lost []string) {
	body := t.Write()
	state := map[string]any{}
	for k, x := range c.CurrentState {
		if x != nil && writable(t, k, body) {
			state[k] = x
		}
	}
	o := body.Object(state) // of a union, the branch that it was
	fields = map[string]any{}
	for _, k := range slices.Sorted(maps.Keys(state)) {
		f := o.Field(k)
		switch {
		case f == nil:
		case holdsHidden(state[k]):
			lost = append(lost, k)
		default:
			fields[k] = dropNulls(strip(f.Schema, state[k]))
		}
	}
	for _, path := range t.Unlisted() {
		if _, known := value.Get(c.CurrentState, path); !known && o.Field(path[0]) != nil {
			lost = append(lost, value.Path(path).String())
		}
	}
	return fields, lost
}

// dropNulls leaves out what had no value: what is absent has none, either.
func dropNulls(x any) any {
	if m, ok := x.(map[string]any); ok {
		for k, y := range m {
			if y == nil {
				delete(m, k)
			} else {
				m[k] = dropNulls(y)
			}
		}
	}
	return x
}

// gaps lists the fields that a create needs and does not have, and the secrets
// that it may have had.
func gaps(s *contract.Schema, fields map[string]any, at value.Path) (missing, secrets []string) {
	o := s.Object(fields)
	for _, k := range o.Names() {
		f, p := o.Field(k), at.Child(k)
		x, there := fields[k]
		switch inner, isMap := x.(map[string]any); {
		case f.Schema.ReadOnly:
		case !there && f.Required && !f.Schema.HasDefault():
			missing = append(missing, p.String())
		case !there && f.Schema.Secret:
			secrets = append(secrets, p.String())
		case isMap:
			m, sec := gaps(f.Schema, inner, p)
			missing, secrets = append(missing, m...), append(secrets, sec...)
		}
	}
	return missing, secrets
}

// tellLost says what does not come back with a resource that is made again.
func (v *inverter) tellLost(t *catalog.Bound, c, back *Change, lost, secrets []string) {
	if len(t.Children) > 0 {
		v.cannot(c, back, "what belonged to it comes back only where the plan deleted it by itself")
	}
	if len(lost) > 0 {
		v.cannot(c, back, "the plan does not hold its %s", strings.Join(lost, ", "))
	}
	if len(secrets) > 0 {
		v.cannot(c, back, "plans never contain secrets; set them again with --write-secret (%s)", strings.Join(secrets, ", "))
	}
}
