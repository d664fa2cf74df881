package plan

import (
	"kongctl/internal/catalog"
	"kongctl/internal/contract"
	"kongctl/internal/target"
	"kongctl/internal/value"
)

// Fingerprint is the digest of all that people could have changed: what the
// service works out by itself, and the labels that every run writes, are left
// out.
func Fingerprint(t *catalog.Bound, o *target.Object) string {
	return value.Fingerprint(Essence(t, o))
}

// Essence is the part of an object that a fingerprint covers.
func Essence(t *catalog.Bound, o *target.Object) map[string]any {
	out, _ := essence(t.Write(), value.Clone(o.Fields)).(map[string]any)
	if t.MapKey != "" {
		out[t.MapKey] = o.ID
	}
	delete(out, "labels")
	labels := map[string]any{}
	for k, v := range o.Labels {
		switch k {
		case HashLabel, LastUpdatedLabel, managedLabel:
		default:
			labels[k] = v
		}
	}
	if t.HasLabels() {
		out["labels"] = labels
	}
	return out
}

func essence(s *contract.Schema, v any) any {
	s = s.Deref()
	if s == nil {
		return v
	}
	switch x := v.(type) {
	case []any:
		for i := range x {
			x[i] = essence(s.Items, x[i])
		}
	case map[string]any:
		o := s.Object(nil)
		for k, y := range x {
			f := o.Field(k)
			switch {
			case f == nil && (o.Values != nil || o.Open):
			case f == nil, f.Schema.ReadOnly, f.Schema.Secret, y == nil:
				delete(x, k)
			default:
				x[k] = essence(f.Schema, y)
			}
		}
	}
	return v
}

// NeedsRead tells whether what a change expects was read by itself and not in
// a list: fingerprints are only comparable when taken the same way.
func (c *Change) NeedsRead(t *catalog.Bound) bool {
	pruned := c.Action == Delete && !c.Replace
	return t.Shape == catalog.Singleton || (t.ListLacksFields() && !pruned)
}
