package language

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// names reports whether an item says which resource it stands for.
func names(t *catalog.Bound, v value.Value) bool { return len(namesIn(t, v)) > 0 }

// namesIn are the keys of an item that say which resource it stands for.
func namesIn(t *catalog.Bound, v value.Value) []string {
	return slices.DeleteFunc(append([]string{keyID}, t.Identity...), func(key string) bool { return !v.Has(key) })
}

// namesOnly reports whether an item has nothing but what names a resource, and what
// belongs to it: it stands for one that exists. Where a new one would need no more, too:
// whoever writes a name alone does not mean to reset the fields of what has it.
func namesOnly(t *catalog.Bound, v value.Value) bool {
	if !catalog.Nameable(t) || !names(t, v) {
		return false
	}
	for _, key := range v.Keys() {
		if key != keyRef && key != keyID && !slices.Contains(t.Identity, key) && t.Child(key) == nil {
			return false
		}
	}
	return true
}

// lacks are the fields that an item would need to declare a new resource.
func lacks(t *catalog.Bound, v value.Value) []string {
	if t.ReadOnly || v.Has(keyID) {
		return nil
	}
	o := t.Write().Object(nil)
	return slices.DeleteFunc(o.Names(), func(f string) bool { return !o.Field(f).Required || v.Has(f) })
}

// wanting are the fields that make an item declare a new resource: those that it lacks, or
// any but its identity.
func wanting(t *catalog.Bound, v value.Value) []string {
	if needed := lacks(t, v); len(needed) > 0 || t.ReadOnly || v.Has(keyID) {
		return needed
	}
	o := t.Write().Object(nil)
	others := slices.DeleteFunc(o.Names(), func(f string) bool { return o.Field(f).Schema.ReadOnly || slices.Contains(t.Identity, f) })
	return []string{diag.Join(others, "or")}
}

// findFix says what makes an item name a resource that exists.
func findFix(t *catalog.Bound) string {
	return fmt.Sprintf("add %s.", diag.Join(append(slices.Clone(t.Identity), keyID), "or"))
}

// textsOnly tells of a number or a boolean in an item that names a resource by a text.
func (b *reader) textsOnly(t *catalog.Bound, v value.Value) {
	for _, f := range t.Identity {
		x, s := v.Field(f), t.Returned().At([]string{f}, nil)
		if s != nil && s.Type == "string" && (x.Kind() == value.Number || x.Kind() == value.Bool) {
			b.diags.Add(diag.ValType, x.Pos(), fmt.Sprintf("The field %s of %s must be a string.", f, diag.A(catalog.Words(t.Kind))), fmt.Sprintf("write it in quotes: %s: %q", f, x.Written()))
		}
	}
}

// found writes out what an item of a type means that nobody writes here: the
// resource that exists and has this id or identity.
func found(t *catalog.Bound, v value.Value) value.Value {
	entry := func(key string, x value.Value) value.Entry {
		return value.Entry{Key: key, KeyPos: v.KeyPos(key), Value: x}
	}
	how := entry(keyID, v.Field(keyID))
	rest := v.Without(keyID)
	if !v.Has(keyID) {
		var fields []value.Entry
		for _, f := range t.Identity {
			if v.Has(f) {
				fields = append(fields, entry(f, v.Field(f)))
			}
			rest = rest.Without(f)
		}
		at := fields[0].Value.Pos()
		how = value.Entry{Key: keySelector, KeyPos: at, Value: value.MapAt(at, value.Entry{Key: keyMatchFields, KeyPos: at, Value: value.MapAt(at, fields...)})}
	}
	at := how.Value.Pos()
	return rest.With(value.Entry{Key: keyExternal, KeyPos: at, Value: value.MapAt(at, how)})
}
