package language

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// mapKey checks the field that becomes a part of the path: no body of the
// contract has it.
func (c checker) mapKey() {
	key := catalog.Of(c.r).MapKey
	if key == "" || !c.r.Fields.Has(key) {
		return
	}
	p, v := value.Path{key}, c.r.Fields.Field(key)
	if text, ok := v.Text(); ok {
		c.mapKeyText(p, text)
		return
	}
	if e := v.Expr(); v.Kind() == value.String || e != nil && e.Op != value.OpSecret {
		return // an id, a reference, or was reported
	}
	wanted, fix := "a text", "write a text."
	if reference, ok := catalog.Of(c.r).Reference(p); ok {
		kind := catalog.Words(reference.Kind)
		wanted = "the ref, name or id of " + diag.A(kind)
		fix = fmt.Sprintf("write the ref or name of the %s.", kind)
	}
	if meant, ok := meant(v).Text(); ok {
		fix = fmt.Sprintf("write %s: %s", catalog.Of(c.r).ShortName(key), meant)
	}
	if v.Kind() == value.Null {
		c.add(diag.ValNull, p, fmt.Sprintf("The field %s of the %s must be %s and cannot be null.", p, c.what(), wanted), fix)
		return
	}
	c.add(diag.ValType, p, fmt.Sprintf("The field %s of the %s must be %s, not %s.", p, c.what(), wanted, shape(v)), fix)
}

// mapKeyText checks a key that can have few values.
func (c checker) mapKeyText(p value.Path, text string) {
	names := catalog.Keys(catalog.Of(c.r))
	if len(names) == 0 || slices.Contains(names, text) {
		return
	}
	fix := fmt.Sprintf("use one of %s.", strings.Join(names, ", "))
	if near := diag.Nearest(text, names); near != "" {
		fix = fmt.Sprintf("did you mean %s?", near)
	}
	c.add(diag.ValEnum, p, fmt.Sprintf("The field %s of the %s cannot be %q.", p, c.what(), text), fix)
}

// byKey reports whether a mapping holds resources by their keys, as in
// email_templates: {reset-password: {…}}. A single resource has fields of its type.
func byKey(t *catalog.Bound, v value.Value) bool {
	if len(catalog.Keys(t)) == 0 || v.Has(t.MapKey) {
		return false
	}
	return !slices.ContainsFunc(v.Entries(), func(e value.Entry) bool {
		return e.Value.Kind() != value.Map && e.Value.Kind() != value.Null || e.Key == keyExternal || t.Write().At([]string{e.Key}, nil) != nil
	})
}

// withKey is a resource that stands below its key. One that says nothing else is
// there, too.
func withKey(t *catalog.Bound, e value.Entry) value.Value {
	v := e.Value
	if v.Kind() == value.Null {
		return v
	}
	if !v.Has(t.MapKey) {
		v = v.With(value.Entry{Key: t.MapKey, KeyPos: e.KeyPos, Value: value.StringAt(e.KeyPos, e.Key)})
	}
	return v
}

// meant is the one value in a list or mapping that stands where a reference
// belongs.
func meant(v value.Value) value.Value {
	if len(v.Items()) == 1 {
		return v.Items()[0]
	}
	return v.Field(keyRef)
}

// linked is the link that a name or a reference alone stands for: nothing else can
// be said of it.
func linked(t *catalog.Bound, v value.Value) value.Value {
	if _, isText := v.Text(); t.Link == "" || !isText && v.Expr() == nil {
		return v
	}
	return value.MapAt(v.Pos(), value.Entry{Key: t.MapKey, KeyPos: v.Pos(), Value: v})
}

// whole is the set that a list alone stands for.
func whole(t *catalog.Bound, v value.Value) value.Value {
	if t.Set == "" || v.Kind() != value.List {
		return v
	}
	return value.MapAt(v.Pos(), value.Entry{Key: t.Set, KeyPos: v.Pos(), Value: v})
}
