package plan

import (
	"slices"
	"sort"

	"kongctl/internal/resource"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/konnect/diff"
	"kongctl/internal/value"
)

// updatePayload is what an update sends. A field below the top is sent with
// its neighbours, as they are: whether a PATCH merges inside an object is not
// said anywhere, and this is right either way. A PUT sends all there is.
func updatePayload(t *catalog.Bound, current map[string]any, desired resolved, d diff.Delta) map[string]any {
	body := t.Update.Body()
	out := map[string]any{}
	if t.Puts() {
		for k, v := range current {
			if writable(t, k, body) && v != nil {
				out[k] = strip(body.At([]string{k}, nil), v)
			}
		}
		for k, v := range desired.plain {
			if writable(t, k, body) {
				out[k] = strip(body.At([]string{k}, nil), overlay(out[k], v))
			}
		}
	}
	for _, c := range d.Changes {
		top := c.Path[0]
		if _, started := out[top]; !started && len(c.Path) > 1 {
			out[top] = strip(body.At([]string{top}, nil), current[top])
		}
		if c.New == nil && len(c.Path) > 1 && !nullable(body, c.Path) {
			value.Delete(out, c.Path)
			continue
		}
		value.Set(out, c.Path, value.Clone(c.New))
	}
	desired.placeholders(out)
	return out
}

// overlay lays declared values over existing ones, field by field: what is not
// declared stays, because a PUT would reset it.
func overlay(have, declared any) any {
	h, isMap := have.(map[string]any)
	d, both := declared.(map[string]any)
	if !isMap || !both {
		return value.Clone(declared)
	}
	for k, v := range d {
		h[k] = overlay(h[k], v)
	}
	return h
}

func nullable(body *contract.Schema, p value.Path) bool {
	s := body.At(p.Generic(), nil)
	return s != nil && s.Nullable
}

// strip takes away what is only returned.
func strip(s *contract.Schema, v any) any {
	return s.Filter(v, func(field *contract.Schema, allowed bool, _ any) bool {
		return !allowed || (field != nil && field.ReadOnly)
	})
}

const masked = "[hidden]"

// recordChanges writes down what differs, in both forms of the format.
func (c *Change) recordChanges(desired resolved, d diff.Delta, labels labelDelta) {
	c.ChangedFields, c.FieldChanges = map[string]OldNew{}, nil
	record := func(field string, old, desired any) {
		c.ChangedFields[field] = OldNew{Old: old, New: desired}
		c.FieldChanges = append(c.FieldChanges, FieldChange{Field: field, CurrentValue: old, DesiredValue: desired})
	}
	for _, x := range d.Changes {
		old, now := desired.hide(x.Path, x.Old, x.New)
		record(x.Path.String(), old, now)
	}
	for _, x := range labels.changes {
		record(x.field, x.old, x.new)
	}
	sort.Slice(c.FieldChanges, func(i, j int) bool { return c.FieldChanges[i].Field < c.FieldChanges[j].Field })
}

// dropUnusedExpressions keeps only those that the update sends.
func (c *Change) dropUnusedExpressions() {
	c.Expressions = slices.DeleteFunc(c.Expressions, func(e Expression) bool {
		_, sent := value.Get(c.Fields, value.ParsePath(e.Field))
		return !sent
	})
	for path := range c.References {
		if _, sent := value.Get(c.Fields, value.ParsePath(path)); !sent {
			delete(c.References, path)
		}
	}
}

// recordCurrent keeps what the resource is now, without secrets and without
// what came from the environment.
func (b *builder) recordCurrent(c *Change, t *catalog.Bound, o *resource.Object, desired resolved) {
	state, _ := dropSecretFields(t.Write(), o.Fields).(map[string]any)
	for _, e := range desired.env {
		p := value.ParsePath(e.Field).Whole()
		if _, ok := value.Get(state, p); ok {
			value.Set(state, p, masked)
		}
	}
	c.CurrentState = state
	c.Expect = &Expect{Fingerprint: Fingerprint(t, o)}
	c.Expect.UpdatedAt, _ = o.Fields["updated_at"].(string)
}

func dropSecretFields(s *contract.Schema, v any) any {
	return s.Filter(v, func(field *contract.Schema, _ bool, _ any) bool { return field != nil && field.Secret })
}
