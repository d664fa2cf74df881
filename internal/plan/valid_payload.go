package plan

import (
	"maps"
	"slices"
	"strings"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/konnect/diff"
	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/live"
	"kongctl/internal/value"
)

// payload checks that a change sends what it shows, and nothing else.
func (v *validator) payload(c *Change, t *catalog.Bound) {
	v.sameForms(c)
	if c.Action == Delete {
		if len(c.Fields)+len(c.ChangedFields) > 0 {
			v.say(c, "a delete sends nothing")
		}
		return
	}
	body := v.operation(c, t).Body()
	for _, k := range slices.Sorted(maps.Keys(c.Fields)) {
		if !writable(t, k, body) {
			v.say(c, "fields.%s: not a field that this change can send", k)
		}
	}
	v.literals(c, body)
	v.contract(c, t)
	v.labels(c, t)
	switch {
	case c.Action == Update && c.CurrentState != nil:
		v.agree(c, t, c.CurrentState)
		v.keeps(c, t)
	case c.Action == Create && c.Replace && !v.inverse():
		if !c.needsReplace(t) {
			v.say(c, "nothing that it changes needs a replace")
		}
		if gone := v.half(c); gone != nil {
			v.agree(c, t, gone.CurrentState)
			for _, d := range diff.Compare(t, c.Fields, gone.CurrentState, diff.New).Changes {
				if !c.Shows(d.Path) {
					v.say(c, "fields.%s: the replace resets it, and changed_fields does not show that", d.Path)
				}
			}
		}
	case len(c.ChangedFields) > 0:
		v.say(c, "changed_fields: nothing is there before") // all of it is shown
	}
}

// needsReplace reports whether a change has a field that an update cannot write.
func (c *Change) needsReplace(t *catalog.Bound) bool {
	fixed := func(p value.Path) bool { return t.IsIdentity(p.Generic()) || t.Immutable(p.Generic()) }
	for name := range c.ChangedFields {
		if p := value.ParsePath(name); p[0] != "labels" && p[0] != "kongctl" && fixed(p) {
			return true
		}
	}
	return slices.ContainsFunc(c.marks(), fixed)
}

// sameForms checks that both forms of the changed fields say the same.
func (v *validator) sameForms(c *Change) {
	ok := len(c.FieldChanges) == len(c.ChangedFields)
	for _, f := range c.FieldChanges {
		x, there := c.ChangedFields[f.Field]
		ok = ok && there && alike(x.Old, f.CurrentValue) && alike(x.New, f.DesiredValue)
	}
	if !ok {
		v.say(c, "changed_fields and field_changes differ")
	}
}

// alike reports whether two values are written alike, so that what is not known
// is like itself.
func alike(a, b any) bool { return string(value.Canonical(a)) == string(value.Canonical(b)) }

// literals refuses secrets in clear, like a configuration does.
func (v *validator) literals(c *Change, body *contract.Schema) {
	body.Filter(c.Fields, func(field *contract.Schema, _ bool, x any) bool {
		s, text := x.(string)
		if field != nil && field.Secret && text && (!strings.HasPrefix(s, "{vault://") || !strings.HasSuffix(s, "}")) && !holdsHidden(s) && s != unknownID {
			v.say(c, "fields: a plan never holds a secret")
		}
		return false
	})
}

// marks are the paths whose value the plan does not hold.
func (c *Change) marks() []value.Path {
	var out []value.Path
	for path, r := range c.References {
		if r.Change != "" {
			out = append(out, value.ParsePath(path))
		}
	}
	for _, e := range slices.Concat(c.Expressions, c.SecretWrites) {
		out = append(out, value.ParsePath(e.Field))
	}
	return out
}

// Shows reports whether the plan shows what becomes of a field: among the
// changed fields, or as a value from elsewhere.
func (c *Change) Shows(p value.Path) bool {
	for name := range c.ChangedFields {
		if p.HasPrefix(value.ParsePath(name)) {
			return true
		}
	}
	return slices.ContainsFunc(c.marks(), func(m value.Path) bool { return p.HasPrefix(m) || m.Whole().HasPrefix(p) })
}

// agree checks the changed fields against what was there and what is sent.
func (v *validator) agree(c *Change, t *catalog.Bound, before map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(c.ChangedFields)) {
		x, p := c.ChangedFields[name], value.ParsePath(name)
		if p.String() != name || len(p) == 0 {
			v.say(c, "changed_fields: %q is not a field", name)
			continue
		}
		if p[0] == "kongctl" || p[0] == "labels" && t.HasLabels() {
			continue // checked with the labels
		}
		sent, there := value.Get(c.Fields, p)
		if there && !alike(sent, x.New) && !v.fills(c, p) || !there && x.New != nil {
			v.say(c, "changed_fields.%s: shows another value than the one sent", name)
		}
		have, _ := value.Get(before, p)
		if !alike(have, x.Old) && !holdsHidden(x.Old) && !holdsHidden(have) && !isEvidence(t, name) {
			v.say(c, "changed_fields.%s: shows another value than current_state", name)
		}
	}
	// What is not sent stays, and may say which form of a union is meant.
	after := map[string]any{}
	maps.Copy(after, before)
	maps.Copy(after, c.Fields)
	for _, d := range diff.Compare(t, after, before, diff.Merge).Changes {
		if !c.Shows(d.Path) {
			v.say(c, "fields.%s: is sent, and changed_fields does not show it", d.Path)
		}
	}
	for _, f := range t.Identity {
		want, sent := value.Get(c.Fields, value.ParsePath(f))
		have, _ := value.Get(before, value.ParsePath(f))
		if sent && !live.SameText(want, have) && !c.Shows(value.ParsePath(f)) && !holdsHidden(have) {
			v.say(c, "fields.%s: is sent, and changed_fields does not show it", f)
		}
	}
}

// fills reports whether a value that is not in the plan stands at a path or
// below it.
func (v *validator) fills(c *Change, p value.Path) bool {
	return slices.ContainsFunc(c.marks(), func(m value.Path) bool { return m.HasPrefix(p) })
}

// keeps checks that an update takes nothing away that it does not show: an
// object is sent whole, and a PUT sends all there is.
func (v *validator) keeps(c *Change, t *catalog.Bound) {
	body := t.Update.Body()
	for _, k := range slices.Sorted(maps.Keys(c.CurrentState)) {
		sent, there := c.Fields[k]
		if !writable(t, k, body) || k == "labels" && t.HasLabels() || !there && !t.Puts() {
			continue
		}
		v.kept(c, value.Path{k}, body.At([]string{k}, nil), c.CurrentState[k], sent, there)
	}
	for _, path := range c.Unseen(c.CurrentState) {
		v.say(c, "fields.%s: is sent, and changed_fields does not show it", path)
	}
}

// kept checks what an update takes away below a field. Of a union that gets
// another form, the fields of the former one go.
func (v *validator) kept(c *Change, p value.Path, s *contract.Schema, have, sent any, there bool) {
	if have == nil || s != nil && (s.ReadOnly || s.Secret) || c.Shows(p) {
		return
	}
	m, isMap := have.(map[string]any)
	switch {
	case isMap && there:
		now, _ := sent.(map[string]any)
		o := s.Object(now)
		for _, k := range slices.Sorted(maps.Keys(m)) {
			field := o.Values
			if f := o.Field(k); f != nil {
				field = f.Schema
			}
			if x, has := now[k]; field != nil || o.Open {
				v.kept(c, p.Child(k), field, m[k], x, has)
			}
		}
	case !there && !value.Empty(have):
		v.say(c, "fields: lacks %s, and changed_fields does not show that", p)
	}
}

// Unseen are the fields that a change sends, that were not there before, and
// that the changed fields do not show: Konnect does not return them.
func (c *Change) Unseen(before map[string]any) []value.Path {
	return slices.DeleteFunc(notReturned(c.Fields, before, nil), func(p value.Path) bool {
		return p[0] == "labels" || c.Shows(p)
	})
}

// notReturned are the fields of a payload that the state does not have.
func notReturned(fields, state map[string]any, at value.Path) []value.Path {
	var out []value.Path
	for _, k := range slices.Sorted(maps.Keys(fields)) {
		p := at.Child(k)
		have, there := state[k]
		sub, isMap := fields[k].(map[string]any)
		below, likewise := have.(map[string]any)
		switch {
		case !there && !value.Empty(fields[k]):
			out = append(out, p)
		case isMap && likewise:
			out = append(out, notReturned(sub, below, p)...)
		}
	}
	return out
}

// contract checks that Konnect can take what a change sends: a replace that it
// refuses has deleted by then.
func (v *validator) contract(c *Change, t *catalog.Bound) {
	body, _ := value.Clone(c.Fields).(map[string]any)
	if labels, ok := body["labels"].(map[string]any); ok && labels[label.LastUpdated] == NowText {
		labels[label.LastUpdated] = "now"
	}
	for _, e := range c.SecretWrites {
		value.Set(body, value.ParsePath(e.Field), unknownID)
	}
	marks := c.marks()
	unknown := func(path []string) bool {
		return slices.ContainsFunc(marks, func(m value.Path) bool { return value.Path(path).HasPrefix(m) || m.HasPrefix(path) })
	}
	for _, x := range v.operation(c, t).ValidateBody(body, unknown) {
		v.say(c, "fields.%s: %s", value.Path(x.Path), x.Detail)
	}
}

// fieldSchema is what the contract says of a path of a payload, in a list as
// well.
func fieldSchema(body *contract.Schema, p value.Path, fields map[string]any) *contract.Schema {
	s := body.At(p.Generic(), fields)
	for n := len(p); n > 0 && len(p[:n].Generic()) == len(p[:n-1].Generic()); n-- {
		if s == nil || s.Items == nil {
			return nil
		}
		s = s.Items.Deref()
	}
	return s
}
