package propose

import (
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan/build"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/derive"
	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/value"
)

// undoCreate deletes what was made.
func (v undoing) undoCreate(t *catalog.Bound, c *plan.Change, tr plan.Trace) *plan.Change {
	o := tr.Object
	switch field := unfound(v, t, c, tr); {
	case field != "":
		v.Cannot(c, nil, "it cannot be found by its %s, which this plan does not know; name the report of the run with --report", field)
		return nil
	case o == nil:
		v.Nothing(c, "is not there: it was not made, or it is gone")
		return nil
	case t.Delete == nil || !t.Optional():
		v.Cannot(c, nil, "it can be changed, but not deleted")
		return nil
	case t.HasLabels() && catalog.Labels(o)[label.Namespace] != c.Namespace:
		v.Cannot(c, nil, "it belongs to another namespace now")
		return nil
	case addedTo(v, t, c, o):
		v.Cannot(c, nil, "others have put more into its %s since", t.Neutral().SetField)
		return nil
	case lostHalf(v.Plan, t, c):
		v.Cannot(c, nil, "it took the place of another one, which cannot be made again")
		return nil
	case !v.proven(t, c):
		v.claim(c, o)
		return nil
	case !v.sameResource(t, c, o):
		v.Cannot(c, nil, "the resource %s has another name than what was created", o.ID)
		return nil
	}
	if derive.Used(v.Undoing, c) {
		return nil
	}
	back := v.Start(c, plan.Delete)
	back.ResourceID = o.ID
	back.Protection = tr.Protected || !t.HasLabels() && c.Protection
	back.Settle(tr.Ancestors)
	if back.Parent != nil {
		back.Parent.RootProtected = tr.RootProtected
	}
	back.ExecutionContext = call(t.Delete)
	seen := o
	if !NeedsRead(back, t) && tr.Listed != nil {
		seen = tr.Listed
	}
	v.record(back, t, seen, c.Expressions, c.Fields)
	for _, text := range uncounted(t) {
		v.Warn(back, text)
	}
	if v.changedSince(t, c, o) {
		v.Warn(back, "it was changed since it was made; undoing deletes it with that")
	}
	return back
}

// record keeps what is there now. What was hidden stays so.
func (v undoing) record(back *plan.Change, t *catalog.Bound, o *resource.Object, env []plan.Expression, hidden map[string]any) {
	back.CurrentState, back.Expect = Proposer{}.Record(t.Neutral(), o, env)
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
		if plan.HoldsHidden(x) {
			if _, deeper := x.(map[string]any); deeper {
				hideLike(m[k], x)
			} else {
				m[k] = plan.Hidden
			}
		}
	}
}

// changedSince tells whether a resource is not what was sent any more. What the
// plan did not know cannot be compared.
func (v undoing) changedSince(t *catalog.Bound, c *plan.Change, o *resource.Object) bool {
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
func (v undoing) undoUpdate(t *catalog.Bound, c *plan.Change, tr plan.Trace) *plan.Change {
	if c.CurrentState == nil && c.Parent != nil && c.Parent.Change != "" {
		return nil // it came with its parent and goes with it
	}
	if takenBack(v, t, c, tr.Object) {
		return nil
	}
	o, next, c := v.leaves(t, c, tr.Object)
	switch {
	case c.CurrentState == nil:
		v.Cannot(c, nil, "the plan does not say what it was before")
		return nil
	case o == nil:
		v.Nothing(c, "is not there any more")
		return nil
	}
	back := v.Start(c, plan.Update)
	back.ResourceID = o.ID
	back.Settle(tr.Ancestors)
	warned := v.Warned()
	d := v.formerFields(t, c, o)
	labels := formerLabels(t, c, o)
	back.Protection = labels.protects(o)
	if d.Empty() && !labels.changed() {
		for _, field := range askedFor(t, c, o) {
			cannotSecret(v, c, field)
		}
		if v.Warned() == warned {
			v.Nothing(c, "is as it was before")
		}
		return nil
	}
	desired := build.Desired{Env: slices.Clone(c.Expressions)}
	desired.Plain, d = formerForm(t, c, o, d)
	oneOfBoth(t, d)
	back.ExecutionContext = call(updating(t, d))
	back.Fields = updatePayload(t, o.Fields, desired, d)
	for _, field := range sendsAgain(t, c, back, o, desired, d) {
		cannotSecret(v, c, field)
	}
	back.Show(fieldChanges(desired, d, labels, goneSecrets(t, o.Fields, d)...))
	if !hasSecrets(v, t, c, back, o) {
		return nil
	}
	if _, sent := c.Fields["labels"]; sent && t.HasLabels() {
		back.Fields["labels"] = labels.payload
	}
	back.Expressions = desired.Env
	back.DropUnusedExpressions()
	v.record(back, t, o, desired.Env, c.CurrentState)
	if next != nil {
		v.reattach(t, c, back, next, tr.Object, o)
	}
	return back
}

// formerFields are the fields that can go back.
func (v undoing) formerFields(t *catalog.Bound, c *plan.Change, o *resource.Object) diff.Delta {
	var d diff.Delta
	for _, name := range slices.Sorted(maps.Keys(c.ChangedFields)) {
		x, p := c.ChangedFields[name], value.ParsePath(name)
		if len(p) == 0 || p[0] == "kongctl" || (p[0] == "labels" && t.HasLabels()) {
			continue
		}
		have, _ := value.Get(o.Fields, p)
		if name == catalog.OrderField(t) {
			x.Old = left(v, c, x.Old, have)
		}
		shared := name == t.Neutral().SetField && sharesSet(t, c)
		if shared {
			x.Old = formerSet(v, t, c, o)
		}
		switch {
		case same(t, p, x.Old, o):
		case x.New == nil && plan.IsHidden(x.Old) && t.Write().At(p, o.Fields) == nil: // it went with its form, which is said of what comes back
		case plan.HoldsHidden(x.Old) || isEvidence(t, name):
			v.Cannot(c, nil, "the plan does not hold what %s was before", name)
		case !shared && !mayHave(v, t, c, p, o) && !same(t, p, x.New, o):
			if x.Old != nil || !isUnset(t, c, p, o) {
				v.Cannot(c, nil, "%s was changed again since", name)
			}
		default:
			back := takeBack(t, c, p, x.Old, o)
			if len(back) == 0 {
				v.Cannot(c, nil, "%s was not set before, and cannot be unset", name)
			}
			d.Changes = append(d.Changes, back...)
		}
	}
	return d
}

// left is a former order without what is gone.
func left(v undoing, c *plan.Change, old, have any) any {
	before, _ := old.([]any)
	now, _ := have.([]any)
	out := slices.DeleteFunc(slices.Clone(before), func(id any) bool { return !slices.Contains(now, id) })
	if len(out) < len(before) {
		v.Cannot(c, nil, "what comes back comes last")
	}
	return out
}

// same tells whether a field of an object has a value, as Konnect would see it.
func same(t *catalog.Bound, p value.Path, want any, o *resource.Object) bool {
	have, _ := value.Get(o.Fields, p)
	if t.IsIdentity(p) {
		return resource.SameField(t.Neutral(), p.String(), want, have)
	}
	// The other fields choose the branch of a union that this one stands in.
	whole, _ := value.Set(value.Clone(o.Fields), p, want).(map[string]any)
	return !slices.ContainsFunc(diff.Compare(t, whole, o.Fields, diff.Merge).Changes, func(c diff.Change) bool {
		return c.Path.HasPrefix(p) || p.HasPrefix(c.Path)
	})
}

func isEvidence(t *catalog.Bound, field string) bool {
	return slices.ContainsFunc(t.Evidence, func(e catalog.Evidence) bool { return e.Of == field })
}

// formerLabels are the labels that were sent, as they were before.
func formerLabels(t *catalog.Bound, c *plan.Change, o *resource.Object) labelDelta {
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
		if had && old == plan.Hidden {
			continue
		}
		have, has := catalog.Labels(o)[k]
		want[k] = orNil(old, had)
		switch {
		case k == label.LastUpdated && had:
			want[k] = plan.NowText
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
		d.payload = whole(catalog.Labels(o), want)
	}
	return d
}

// protects tells whether the resource is protected afterwards.
func (d labelDelta) protects(o *resource.Object) bool {
	if v, sent := d.payload[label.Protected]; sent {
		return label.ValueProtects(v)
	}
	return label.Protects(catalog.Labels(o))
}

// undoDelete makes again what was deleted, from what the plan recorded.
func (v undoing) undoDelete(t *catalog.Bound, c *plan.Change, tr plan.Trace) *plan.Change {
	stays := tr.Object != nil && !v.Goes(t.Neutral(), tr.Object.ID, tr.Ancestors)
	switch lacks := lackedBy(v, t, c, tr); {
	case len(lacks) > 0:
		v.Cannot(c, nil, "the plan does not hold its %s", strings.Join(lacks, ", "))
		return nil
	case stays && tr.Again:
		return undoAgain(v, t, c, tr)
	case stays:
		v.Nothing(c, "was not deleted: it is there")
		return nil
	case !t.Optional() && c.With != nil:
		return v.undoReset(t, c)
	case t.Create == nil:
		v.Cannot(c, nil, "it cannot be created")
		return nil
	case c.CurrentState == nil:
		v.Cannot(c, nil, "the plan does not say what it was")
		return nil
	case tr.Orphan && (c.Parent == nil || v.Remade(c.Parent.ID) == nil):
		v.Cannot(c, nil, "what it belonged to is gone")
		return nil
	}
	fields, lost := formerState(t, c)
	needed, secrets := lacking(t, fields)
	if len(needed) > 0 {
		v.Cannot(c, nil, "the plan does not hold its %s", strings.Join(needed, ", "))
		return nil
	}
	back := v.Start(c, plan.Create)
	back.Fields = fields
	back.Settle(plan.AncestorsOf(c))
	back.ExecutionContext = call(t.Create)
	if t.MapKey != "" {
		back.ResourceID = c.ResourceID
	}
	if labels, ok := fields["labels"].(map[string]any); ok && t.HasLabels() {
		back.Protection = label.ValueProtects(labels[label.Protected])
		if _, managed := labels[label.LastUpdated]; managed {
			labels[label.LastUpdated] = plan.NowText
		}
	}
	if t.Shape != catalog.Map && c.ResourceID != "" {
		v.Remakes(c.ResourceID, back)
	}
	v.tellLost(t, c, back, lost, had(t, c, fields, secrets))
	if order := catalog.OrderOf(t); order != nil && c.Parent != nil && v.Remade(c.Parent.ID) == nil && !keeps(c, order.Kind) && !keeps(c.With, order.Kind) {
		v.Cannot(c, back, "its place in the order: it comes last")
	}
	return back
}

// formerState is what a create sends to make a deleted resource again, and the
// fields that are not known.
func formerState(t *catalog.Bound, c *plan.Change) (fields map[string]any, lost []string) {
	body := t.Write()
	state := map[string]any{}
	for k, x := range c.CurrentState {
		if x != nil && writable(t, k, body) {
			state[k] = x
		}
	}
	o := body.Object(state) // of a union, the branch that it was
	for k, x := range c.CurrentState {
		if f := o.Field(k); x == nil && f != nil && mayBeNull(f) && writable(t, k, body) {
			state[k] = x
		}
	}
	fields = map[string]any{}
	for _, k := range slices.Sorted(maps.Keys(state)) {
		f := o.Field(k)
		switch {
		case f == nil:
		case plan.HoldsHidden(state[k]):
			lost = append(lost, k)
		default:
			fields[k] = dropNulls(f.Schema, strip(f.Schema, state[k]))
		}
	}
	either(t, fields, diff.Delta{})
	if c.KeepsItself() {
		return fields, lost
	}
	for _, path := range t.Unlisted() {
		if _, known := value.Get(c.CurrentState, path); !known && o.Field(path[0]) != nil {
			lost = append(lost, value.Path(path).String())
		}
	}
	return fields, lost
}

// dropNulls leaves out what had no value: what is absent has none, either. Where
// null must be said it stays.
func dropNulls(s *contract.Schema, x any) any {
	if m, ok := x.(map[string]any); ok {
		o := s.Object(m)
		for k, y := range m {
			f := o.Field(k)
			switch {
			case f == nil && y == nil, f != nil && y == nil && !mayBeNull(f):
				delete(m, k)
			case f != nil:
				m[k] = dropNulls(f.Schema, y)
			default:
				m[k] = dropNulls(o.Values, y)
			}
		}
	}
	return x
}

// mayBeNull reports whether null must be said of a field that has no value.
func mayBeNull(f *contract.Field) bool {
	return f.Required && !f.Schema.Secret && catalog.Nullable(f.Schema)
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
		default:
			m, sec := gapsOfItems(f.Schema, x, p)
			missing, secrets = append(missing, m...), append(secrets, sec...)
		}
	}
	return missing, secrets
}

// gapsOfItems are the gaps of the mappings in a list.
func gapsOfItems(s *contract.Schema, v any, at value.Path) (missing, secrets []string) {
	list, _ := v.([]any)
	for i, item := range list {
		if inner, isMap := item.(map[string]any); isMap && s.Items != nil {
			m, sec := gaps(s.Items, inner, at.Index(i))
			missing, secrets = append(missing, m...), append(secrets, sec...)
		}
	}
	return missing, secrets
}

// tellLost says what does not come back with a resource that is made again.
func (v undoing) tellLost(t *catalog.Bound, c, back *plan.Change, lost, secrets []string) {
	if len(t.Children) > 0 && !v.Plan.Metadata.KeepsDeleted {
		v.Cannot(c, back, "what belonged to it comes back only where the plan deleted it by itself")
	}
	if len(lost) > 0 {
		v.Cannot(c, back, "the plan does not hold its %s", strings.Join(lost, ", "))
	}
	if len(secrets) > 0 {
		v.Cannot(c, back, "plans never contain secrets; set them again with --write-secret (%s)", strings.Join(secrets, ", "))
	}
}

// NeedsRead reports whether what a change expects was read by itself and not in
// a list: fingerprints are only comparable when taken the same way.
func NeedsRead(c *plan.Change, t *catalog.Bound) bool {
	pruned := c.Action == plan.Delete && !c.Replace
	return t.Shape == catalog.Singleton || (t.ListLacksFields() && !pruned)
}
