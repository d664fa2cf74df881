package plan

import (
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/resource"
	"kongctl/internal/value"
)

// Fingerprint is the digest of all that people could have changed: what the
// service works out by itself, and the labels that every run writes, are left
// out.
func Fingerprint(t *catalog.Bound, o *resource.Object) string {
	return value.Fingerprint(Essence(t, o))
}

// Essence is the part of an object that a fingerprint covers.
func Essence(t *catalog.Bound, o *resource.Object) map[string]any {
	out, _ := t.Write().Filter(o.Fields, unimportant).(map[string]any)
	if t.MapKey != "" {
		out[t.MapKey] = o.ID
	}
	delete(out, "labels")
	labels := map[string]any{}
	for k, v := range remote.Labels(o) {
		switch k {
		case label.Hash, label.LastUpdated, label.Managed:
		default:
			labels[k] = v
		}
	}
	if t.HasLabels() {
		out["labels"] = labels
	}
	return out
}

// unimportant are fields that nobody can have changed.
func unimportant(field *contract.Schema, allowed bool, v any) bool {
	return !allowed || v == nil || (field != nil && (field.ReadOnly || field.Secret))
}

// NeedsRead tells whether what a change expects was read by itself and not in
// a list: fingerprints are only comparable when taken the same way.
func (c *Change) NeedsRead(t *catalog.Bound) bool {
	pruned := c.Action == Delete && !c.Replace
	return t.Shape == catalog.Singleton || (t.ListLacksFields() && !pruned)
}
