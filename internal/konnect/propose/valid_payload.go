package propose

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// payload checks that a change sends what it shows, and nothing else.
func (v rules) payload(c *plan.Change, t *catalog.Bound) {
	v.check.SameForms(c)
	if c.Action == plan.Delete {
		if len(c.Fields)+len(c.ChangedFields) > 0 {
			v.check.Say(c, "a delete sends nothing")
		}
		return
	}
	body := catalog.BodyOf(t, v.operation(c, t))
	for _, k := range slices.Sorted(maps.Keys(c.Fields)) {
		if !writable(t, k, body) {
			v.check.Say(c, "fields.%s: not a field that this change can send", k)
		}
	}
	v.literals(c, body)
	v.contract(c, t)
	v.labels(c, t)
	switch {
	case c.Action == plan.Update && c.CurrentState != nil:
		v.agree(c, t, c.CurrentState)
		v.keeps(c, t)
	case v.takesPlace(c):
		if !needsReplace(c, t) && !v.check.Inverse() {
			v.check.Say(c, "nothing that it changes needs a replace")
		}
		if gone := v.check.Plan.Half(c); gone != nil {
			v.agree(c, t, gone.CurrentState)
			for _, d := range diff.Compare(t, c.Fields, gone.CurrentState, diff.New).Changes {
				if !c.Shows(d.Path) && !undecided(t.Write(), c.Fields, d.Path) {
					v.check.Say(c, "fields.%s: the replace resets it, and changed_fields does not show that", d.Path)
				}
			}
		}
	case len(c.ChangedFields) > 0:
		v.check.Say(c, "changed_fields: nothing is there before") // all of it is shown
	}
}

// needsReplace reports whether a change has a field that an update cannot write.
func needsReplace(c *plan.Change, t *catalog.Bound) bool {
	fixed := func(p value.Path) bool { return t.IsIdentity(p.Generic()) || t.Immutable(p.Generic()) }
	for name := range c.ChangedFields {
		if p := value.ParsePath(name); (p[0] != "labels" || !t.HasLabels()) && p[0] != "kongctl" && fixed(p) {
			return true
		}
	}
	if slices.ContainsFunc(c.SecretWrites, func(e plan.Expression) bool { return t.Immutable(value.ParsePath(e.Field).Generic()) }) {
		return true // it was asked to be written again
	}
	return slices.ContainsFunc(c.Marks(), fixed) || slices.ContainsFunc(c.Marks(), func(p value.Path) bool { return holds(c, t, p) })
}

// holds reports whether a field keeps another resource from being replaced: it
// refers to it, that is refused, and the field cannot be without a value.
func holds(c *plan.Change, t *catalog.Bound, p value.Path) bool {
	ref, ok := t.Reference(p.Generic())
	if !ok || ref.OnDelete != catalog.Refuses || c.References[p.String()].Change == "" {
		return false
	}
	_, can := t.Neutral().Without(p.Generic(), nil, nil)
	return !can
}

// literals refuses secrets in clear, like a configuration does.
func (v rules) literals(c *plan.Change, body *contract.Schema) {
	body.Filter(c.Fields, func(field *contract.Schema, _ bool, x any) bool {
		s, text := x.(string)
		if field != nil && field.Secret && text && !value.FromVault(s) && !plan.HoldsHidden(s) && s != plan.UnknownID {
			v.check.Say(c, "fields: a plan never holds a secret")
		}
		return false
	})
}

// agree checks the changed fields against what was there and what is sent.
func (v rules) agree(c *plan.Change, t *catalog.Bound, before map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(c.ChangedFields)) {
		x, p := c.ChangedFields[name], value.ParsePath(name)
		if p.String() != name || len(p) == 0 {
			v.check.Say(c, "changed_fields: %q is not a field", name)
			continue
		}
		if p[0] == "kongctl" || p[0] == "labels" && t.HasLabels() {
			continue // checked with the labels
		}
		sent, there := value.Get(c.Fields, p)
		if there && !plan.Alike(sent, x.New) && !dropsItems(t, p, x, sent) && !v.fills(c, p) || !there && x.New != nil && !filledIn(c, t, p, x.New) {
			v.check.Say(c, "changed_fields.%s: shows another value than the one sent", name)
		}
		have, _ := value.Get(before, p)
		if !plan.Alike(have, x.Old) && !plan.HoldsHidden(x.Old) && !plan.HoldsHidden(have) && !isEvidence(t, name) {
			v.check.Say(c, "changed_fields.%s: shows another value than current_state", name)
		}
	}
	// What is not sent stays, and may say which form of a union is meant.
	after := map[string]any{}
	maps.Copy(after, before)
	maps.Copy(after, c.Fields)
	for _, d := range diff.Compare(t, after, before, diff.Merge).Changes {
		if !c.Shows(d.Path) && !onlyNull(t.Write().At(d.Path.Generic(), after)) {
			v.check.Say(c, "fields.%s: is sent, and changed_fields does not show it", d.Path)
		}
	}
	for _, f := range t.Identity {
		want, sent := value.Get(c.Fields, value.ParsePath(f))
		have, _ := value.Get(before, value.ParsePath(f))
		if sent && !resource.SameField(t.Neutral(), f, want, have) && !c.Shows(value.ParsePath(f)) && !plan.HoldsHidden(have) {
			v.check.Say(c, "fields.%s: is sent, and changed_fields does not show it", f)
		}
	}
}

// onlyNull reports whether a field can have no value but null, so that the form of its
// mapping, which is shown, says it: older plans do not show it by itself.
func onlyNull(s *contract.Schema) bool {
	return s != nil && len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(x any) bool { return x != nil })
}

// dropsItems reports whether a change does no more than take items out of a list, and
// sends the others as requests have them: by their id, without the name that Konnect
// shows beside it.
func dropsItems(t *catalog.Bound, p value.Path, x plan.OldNew, sent any) bool {
	was, wasList := x.Old.([]any)
	now, isList := x.New.([]any)
	if !wasList || !isList || slices.ContainsFunc(now, func(item any) bool {
		return !slices.ContainsFunc(was, func(old any) bool { return value.Equal(old, item) })
	}) {
		return false
	}
	d := diff.Delta{Changes: []diff.Change{{Path: p, New: x.New}}}
	oneOfBoth(t, d)
	return plan.Alike(sent, d.Changes[0].New)
}

// filledIn reports whether Konnect gives a field that is not sent the value that
// is shown: a new resource gets the default, what Konnect makes of other fields or what
// another resource has, and a PUT the latter, which is not known yet.
func filledIn(c *plan.Change, t *catalog.Bound, p value.Path, now any) bool {
	inherits := catalog.Inherits(t, p)
	if c.Action == plan.Create {
		s := t.Write().At(p, c.Fields)
		k, _ := catalog.KeptAt(t, p)
		return inherits || s != nil && s.HasDefault() && value.Equal(s.Default, now) || k.Unset(now, c.Fields)
	}
	return t.Puts() && (now == plan.UnknownID || isMark(now)) && inherits
}

// fills reports whether a value that is not in the plan stands at a path or
// below it.
func (v rules) fills(c *plan.Change, p value.Path) bool {
	return slices.ContainsFunc(c.Marks(), func(m value.Path) bool { return m.HasPrefix(p) })
}

// keeps checks that an update takes nothing away that it does not show: an
// object is sent whole, and a PUT sends all there is.
func (v rules) keeps(c *plan.Change, t *catalog.Bound) {
	op := v.operation(c, t)
	body, whole := op.Body(), t.Puts() || op == t.Rewrite
	for _, k := range slices.Sorted(maps.Keys(c.CurrentState)) {
		sent, there := c.Fields[k]
		if !writable(t, k, body) || k == "labels" && t.HasLabels() || !there && !whole {
			continue
		}
		v.kept(c, value.Path{k}, body.At([]string{k}, c.Fields), c.CurrentState[k], sent, there)
	}
	for _, path := range c.Unseen(c.CurrentState) {
		v.check.Say(c, "fields.%s: is sent, and changed_fields does not show it", path)
	}
}

// kept checks what an update takes away below a field. Of a union that gets
// another form, the fields of the former one go. A value below a mapping that is
// not in the plan shows itself, and nothing of what stands beside it.
func (v rules) kept(c *plan.Change, p value.Path, s *contract.Schema, have, sent any, there bool) {
	if have == nil || s != nil && (s.ReadOnly || s.Secret) {
		return
	}
	m, isMap := have.(map[string]any)
	switch {
	case isMap && (there || v.fills(c, p)):
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
	case !there && !value.Empty(have) && !c.Shows(p):
		v.check.Say(c, "fields: lacks %s, and changed_fields does not show that", p)
	}
}

// contract checks that Konnect can take what a change sends: a replace that it
// refuses has deleted by then.
func (v rules) contract(c *plan.Change, t *catalog.Bound) {
	body, _ := value.Clone(c.Fields).(map[string]any)
	if labels, ok := body["labels"].(map[string]any); ok && labels[label.LastUpdated] == plan.NowText {
		labels[label.LastUpdated] = "now"
	}
	for _, e := range c.SecretWrites {
		value.Set(body, value.ParsePath(e.Field), plan.UnknownID)
	}
	marks := c.Marks()
	unknown := func(path []string) bool {
		return slices.ContainsFunc(marks, func(m value.Path) bool { return value.Path(path).HasPrefix(m) || m.HasPrefix(path) })
	}
	for _, x := range t.ValidateBody(v.operation(c, t), body, unknown) {
		v.check.Say(c, "fields.%s: %s", value.Path(x.Path), x.Detail)
	}
}

// fieldSchema is what the contract says of a path of a payload, in a list as
// well.
func fieldSchema(body *contract.Schema, p value.Path, fields map[string]any) *contract.Schema {
	if s := body.At(p, fields); s != nil || len(p) > 0 && body.Configured(p[0]) {
		return s
	}
	return body.At(p, nil) // what tells the variant may not be in the plan
}

// undecided reports whether the plan does not hold what tells the variant of a
// union in which a field stands.
func undecided(body *contract.Schema, fields map[string]any, p value.Path) bool {
	for n := range p {
		s := body.At(p[:n], fields)
		above, _ := value.Get(fields, p[:n])
		if m, isMap := above.(map[string]any); s != nil && isMap && len(s.Branches()) > 0 && s.Pick(m) == nil {
			return true
		}
	}
	return false
}

// operation is the call that a change of a type makes, or nil.
func (v rules) operation(c *plan.Change, t *catalog.Bound) *contract.Operation {
	switch {
	case c.Action == plan.Create && t.Optional():
		return t.Create
	case c.Action == plan.Update:
		return catalog.UpdateBy(t, c.ExecutionContext.HTTPMethod)
	case c.Action == plan.Delete && t.Optional():
		return t.Delete
	default:
		return nil
	}
}

// place checks the id of a change's resource and those above it.
func (v rules) place(c *plan.Change, t *catalog.Bound) {
	op := v.operation(c, t)
	v.check.Parent(c, t.Parent.Neutral(), t.Depth())
	if c.Parent != nil {
		for i, id := range c.Parent.Ancestors {
			v.id(c, t, op, i, id)
		}
	}
	switch {
	case c.Action == plan.Create && t.Shape != catalog.Map:
		if c.ResourceID != "" {
			v.check.Say(c, "Konnect assigns the id of what is created")
		}
	case c.Action == plan.Create && c.References[t.MapKey].Change != "":
		if c.ResourceID != "" {
			v.check.Say(c, "resource_id: another change makes it")
		}
	case t.Shape == catalog.Singleton && !t.Listed:
		// Its path has no id of its own.
	case c.ResourceID == "":
		v.check.Say(c, "no resource_id")
	default:
		v.id(c, t, op, t.Depth(), c.ResourceID)
	}
	v.name(c, t)
	v.check.Refs(c)
}

// id checks one part of the path of a call.
func (v rules) id(c *plan.Change, t *catalog.Bound, op *contract.Operation, place int, id string) {
	if !v.check.ID(c, id) {
		return
	}
	names := catalog.ParamNames(t, op)
	if place >= len(names) {
		return
	}
	at := slices.IndexFunc(op.Params(), func(p contract.Param) bool { return p.In == "path" && p.Name == names[place] })
	if at < 0 {
		return
	}
	if s := op.Params()[at].Schema.Deref(); s != nil && s.Format == "uuid" {
		v.check.UUID(c, id)
	} else if s != nil && s.Pattern != "" && !regexp.MustCompile(s.Pattern).MatchString(id) {
		v.check.Say(c, "%q is not an id: it does not have the form of %s", id, names[place])
	}
}

// name checks that what people call a resource is what the plan saw.
func (v rules) name(c *plan.Change, t *catalog.Bound) {
	if c.Action != plan.Create && !nameFits(t, c) {
		v.check.Say(c, "resource_name is %q, and current_state is of another resource", c.ResourceName)
	}
}

// nameFits reports whether the name of a change's resource is what the plan saw.
// Types that are known by several fields, or long ones, have names of our making.
func nameFits(t *catalog.Bound, c *plan.Change) bool {
	if c.CurrentState == nil || len(t.Identity) != 1 || t.Shape != catalog.Collection {
		return true
	}
	known := false
	for _, f := range t.Neutral().NameFields() {
		for _, x := range []any{c.CurrentState[f], c.ChangedFields[f].New} {
			s, ok := x.(string)
			if ok && (sameName(t, f, s, c.ResourceName) || plan.HoldsHidden(s) || len(s) > resource.MaxName) {
				return true
			}
			known = known || ok && s != ""
		}
	}
	return !known || c.ResourceName == c.ResourceID
}

// sameName compares names as Konnect does: host names are the same in any case.
func sameName(t *catalog.Bound, field, a, b string) bool {
	return resource.SameField(t.Neutral(), field, strings.TrimSpace(a), strings.TrimSpace(b))
}

// expressions checks that values come from elsewhere only where a configuration
// may say so: secrets in secret fields, variables in other fields that are sent.
func (v rules) expressions(c *plan.Change, t *catalog.Bound) {
	if c.Action == plan.Delete {
		if len(c.Expressions)+len(c.SecretWrites) > 0 {
			v.check.Say(c, "a delete sends nothing")
		}
		return
	}
	body := catalog.BodyOf(t, v.operation(c, t))
	seen := map[string]bool{}
	once := func(e plan.Expression) value.Path {
		p := value.ParsePath(e.Field)
		if e.Field == "" || seen[e.Field] || p.String() != e.Field || c.References[e.Field].Change != "" {
			v.check.Say(c, "%q: more than one value for it", e.Field)
		}
		seen[e.Field] = true
		return p
	}
	for _, e := range c.Expressions {
		p := once(e)
		text, sent := value.Get(c.Fields, p)
		s := fieldSchema(body, p, c.Fields)
		switch {
		case !sent || s != nil && s.ReadOnly:
			v.check.Say(c, "expressions: %s is not sent", e.Field)
		case s != nil && s.Secret:
			v.check.Say(c, "expressions: %s is a secret field", e.Field)
		case t.IsIdentity(p.Generic()):
			v.check.Say(c, "expressions: %s identifies the resource", e.Field)
		case len(p) > 1 && p[0] == "labels" && label.Ours(p[1]):
			v.check.Say(c, "expressions: %s is a label of kongctl", e.Field)
		case plan.IsEnvPlaceholder(text) && text != plan.EnvPlaceholder(e):
			v.check.Say(c, "expressions: %s shows another variable than the one that is read", e.Field)
		}
		v.check.Source(c, e.Field, e.Expression, false)
	}
	for _, e := range c.SecretWrites {
		p := once(e)
		if s := fieldSchema(body, p, c.Fields); s == nil || !s.Secret {
			v.check.Say(c, "secret_writes: %s is not a secret field", e.Field)
		}
		v.check.Secret(c, e)
	}
}
