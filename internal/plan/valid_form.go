package plan

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/value"
)

// SameForms checks that both forms of the changed fields say the same.
func (v *Validation) SameForms(c *Change) {
	ok := len(c.FieldChanges) == len(c.ChangedFields)
	for _, f := range c.FieldChanges {
		x, there := c.ChangedFields[f.Field]
		ok = ok && there && Alike(x.Old, f.CurrentValue) && Alike(x.New, f.DesiredValue)
	}
	if !ok {
		v.Say(c, "changed_fields and field_changes differ")
	}
}

// Alike reports whether two values are written alike, so that what is not known
// is like itself.
func Alike(a, b any) bool { return string(value.Canonical(a)) == string(value.Canonical(b)) }

// Marks are the paths whose value the plan does not hold.
func (c *Change) Marks() []value.Path {
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
	return slices.ContainsFunc(c.Marks(), func(m value.Path) bool { return p.HasPrefix(m) || m.Whole().HasPrefix(p) })
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

// What plans call the marks that a kongctl block sets.
const (
	NamespaceField = "kongctl.namespace"
	ProtectedField = "kongctl.protected"
)
