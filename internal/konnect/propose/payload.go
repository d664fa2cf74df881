package propose

import (
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/kongctl/kongctl/internal/plan/build"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/value"
)

// updatePayload is what an update sends. A field below the top is sent with
// its neighbours, as they are: whether a PATCH merges inside an object is not
// said anywhere, and this is right either way. A PUT sends all there is.
func updatePayload(t *catalog.Bound, current map[string]any, desired build.Desired, d diff.Delta) map[string]any {
	body := t.Update.Body()
	out := map[string]any{}
	if t.Puts() || d.Rewrites() {
		current = withoutClear(body, current)
		for k, v := range current {
			if writable(t, k, body) && v != nil {
				out[k] = value.Clone(v)
			}
		}
		for k, v := range desired.Plain {
			if writable(t, k, body) {
				out[k] = overlay(body.At([]string{k}, nil), out[k], v)
			}
		}
		// What only the former variant of a union has goes.
		out, _ = strip(body, out).(map[string]any)
		keepNulls(body.Object(out), out, current)
	}
	for _, c := range d.Changes {
		top := c.Path[0]
		if _, started := out[top]; !started && len(c.Path) > 1 {
			out[top] = strip(body.At([]string{top}, desired.Plain), current[top])
			inForm(body.At([]string{top}, nil), out[top], desired.Plain[top])
		}
		if c.Omit || c.Rewrite || c.New == nil && len(c.Path) > 1 && !nullable(body, c.Path) {
			value.Delete(out, c.Path)
			continue
		}
		value.Set(out, c.Path, value.Clone(c.New))
	}
	maps.Copy(out, catalog.Overridden(t, out, desired.Plain))
	if have, isMap := strip(body, current).(map[string]any); isMap {
		out, _ = value.Clone(contract.WithVariant(body, out, have)).(map[string]any)
	}
	either(t, out, d)
	desired.Placeholders(out)
	return out
}

// updating is the operation that makes the changes.
func updating(t *catalog.Bound, d diff.Delta) *contract.Operation {
	if d.Rewrites() {
		return t.Rewrite
	}
	return t.Update
}

// keepNulls adds the fields that have no value, where a request must say so.
func keepNulls(o *contract.Object, out, current map[string]any) {
	for k, v := range current {
		if _, sent := out[k]; sent || v != nil {
			continue
		}
		if f := o.Field(k); f != nil && !f.Schema.ReadOnly && mayBeNull(f) {
			out[k] = nil
		}
	}
}

// either leaves one of id and name where Konnect answers with both and a request
// takes one: the one that changes, else the id.
func either(t *catalog.Bound, out map[string]any, d diff.Delta) {
	for above := range catalog.Either(t) {
		byName := slices.ContainsFunc(d.Changes, func(c diff.Change) bool { return strings.Join(c.Path.Generic(), ".") == above+".name" })
		for _, m := range catalog.Mappings(out, strings.Split(above, ".")) {
			switch {
			case m["id"] == nil || m["name"] == nil:
			case byName:
				delete(m, "id")
			default:
				delete(m, "name")
			}
		}
	}
}

// oneOfBoth leaves one of id and name in the values that changes send, as either does
// in a payload.
func oneOfBoth(t *catalog.Bound, d diff.Delta) {
	for i, c := range d.Changes {
		whole, _ := value.Set(map[string]any{}, c.Path, value.Clone(c.New)).(map[string]any)
		either(t, whole, d)
		d.Changes[i].New, _ = value.Get(whole, c.Path)
	}
}

// overlay lays declared values over existing ones, field by field: what is not
// declared stays, because a PUT would reset it. Of a union only what the declared
// form has stays.
func overlay(s *contract.Schema, have, declared any) any {
	h, isMap := have.(map[string]any)
	d, both := declared.(map[string]any)
	if !isMap || !both {
		return value.Clone(declared)
	}
	onlyForm(s, h, d)
	for k, v := range d {
		h[k] = overlay(s.At([]string{k}, d), h[k], v)
	}
	return h
}

// inForm takes away from existing values what the declared form of a union does not
// have, at any depth.
func inForm(s *contract.Schema, have, declared any) {
	h, isMap := have.(map[string]any)
	d, both := declared.(map[string]any)
	if !isMap || !both {
		return
	}
	onlyForm(s, h, d)
	for k, v := range d {
		inForm(s.At([]string{k}, d), h[k], v)
	}
}

func onlyForm(s *contract.Schema, have, declared map[string]any) {
	if s = s.Deref(); s != nil && len(s.Branches()) > 0 && s.Pick(declared) != nil {
		form := s.Object(declared)
		maps.DeleteFunc(have, func(k string, _ any) bool { return form.Field(k) == nil && form.Values == nil && !form.Open })
	}
}

func nullable(body *contract.Schema, p value.Path) bool {
	s := body.At(p.Generic(), nil)
	return catalog.Nullable(s) || s == nil && catalog.Chosen(body, p.Generic())
}

// strip takes away what is only returned, secrets that are, and nulls where a
// request takes none.
func strip(s *contract.Schema, v any) any {
	return s.Filter(v, func(field *contract.Schema, allowed bool, x any) bool {
		switch {
		case !allowed:
			return true
		case field == nil:
			return false
		case field.Secret:
			return field.ReadOnly || inClear(x)
		default:
			return field.ReadOnly || x == nil && !catalog.Nullable(field)
		}
	})
}

// withoutClear leaves out the secrets of the form that exists: another one may take
// them for keys that people choose.
func withoutClear(body *contract.Schema, current map[string]any) map[string]any {
	out, _ := body.Filter(current, func(field *contract.Schema, _ bool, x any) bool {
		return field != nil && field.Secret && inClear(x)
	}).(map[string]any)
	return out
}

// inClear reports whether a value holds a secret, and not only a place for one or a
// reference into a vault.
func inClear(v any) bool {
	switch x := v.(type) {
	case nil:
		return false
	case string:
		return !value.FromVault(x)
	case []any:
		return slices.ContainsFunc(x, inClear)
	default:
		return true
	}
}

// places are where the items of declared orders are in what an update sends.
func places(d diff.Delta) map[string]value.Path {
	var out map[string]value.Path
	for _, c := range d.Changes {
		for i, at := range c.Places {
			if out == nil {
				out = map[string]value.Path{}
			}
			out[c.Path.Index(i).String()] = c.Path.Index(at)
		}
	}
	return out
}

// fieldChanges writes down what differs, by name.
func fieldChanges(desired build.Desired, d diff.Delta, labels labelDelta, gone ...plan.FieldChange) []plan.FieldChange {
	out := append([]plan.FieldChange{}, gone...)
	for _, x := range d.Changes {
		old, now := desired.Hide(x.Path, x.Old, x.New)
		out = append(out, plan.FieldChange{Field: x.Path.String(), CurrentValue: old, DesiredValue: now})
	}
	for _, x := range labels.changes {
		out = append(out, plan.FieldChange{Field: x.field, CurrentValue: x.old, DesiredValue: x.new})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Field < out[j].Field })
	return out
}

// Record returns what a plan keeps of an object, without secrets and without
// what came from the environment, and what the plan expects of it.
func (Proposer) Record(of *resource.Type, o *resource.Object, env []plan.Expression) (map[string]any, *plan.Expect) {
	state := catalog.WithoutSecrets(catalog.OfType(of), o.Fields)
	for _, e := range env {
		p := value.ParsePath(e.Field).Whole()
		if _, ok := value.Get(state, p); ok {
			value.Set(state, p, plan.Hidden)
		}
	}
	return state, &plan.Expect{Fingerprint: of.Fingerprint(o), UpdatedAt: plan.UpdatedAt(o)}
}

// besideSecrets adds what a secret below the top is sent with: its neighbours, as
// they are, and the list that it is an item of, as it is declared.
func besideSecrets(t *catalog.Bound, out, current map[string]any, desired build.Desired, secrets []plan.Expression) {
	body := t.Update.Body()
	for _, e := range secrets {
		p := value.ParsePath(e.Field)
		if _, started := out[p[0]]; !started && len(p) > 1 && current[p[0]] != nil {
			out[p[0]] = strip(body.At(p[:1], desired.Plain), current[p[0]])
		}
		for n := range p {
			_, isItem := value.Place(p[n])
			_, there := value.Get(out, p[:n+1])
			if list, declared := value.Get(desired.Plain, p[:n]); isItem && !there && declared {
				value.Set(out, p[:n], value.Clone(list))
			}
		}
	}
}

// writable reports whether the type's request has the field.
func writable(t *catalog.Bound, name string, body *contract.Schema) bool {
	f := body.At([]string{name}, nil)
	return f != nil && !f.ReadOnly && name != t.MapKey
}
