package language

import (
	"fmt"
	"slices"
	"strings"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/value"
)

// first names the first n of several.
func first(names []string, n int) string {
	if len(names) > n {
		names = append(names[:n:n], "…")
	}
	return strings.Join(names, ", ")
}

// suggest says what may have been meant, else what there is.
func suggest(got string, known []string) string {
	known = slices.Compact(slices.Sorted(slices.Values(known)))
	if near := diag.Nearest(got, known); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	switch len(known) {
	case 0:
		return "remove it."
	case 1:
		return fmt.Sprintf("use %s.", known[0])
	default:
		return fmt.Sprintf("use one of %s.", strings.Join(known, ", "))
	}
}

// told tells that a value could not be read and that this was said already.
func told(v value.Value) bool { return v.Kind() == value.Expr && v.Expr().Op == value.OpNone }

// shape names what a value is.
func shape(v value.Value) string {
	if v.Kind() == value.Expr {
		return "the tag !" + string(v.Expr().Op)
	}
	return v.Kind().String()
}

func (b *builder) wrongShape(v value.Value, detail, fix string) {
	if !told(v) {
		b.diags.Add(diag.CfgWrongShape, v.Pos(), detail, fix)
	}
}

// itemForm shows how an item of a list of resources begins; text that stands
// in its place is taken for its name.
func itemForm(t *catalog.Bound, v value.Value) string {
	field := t.NameField()
	if field == "" {
		return "- key: value"
	}
	text, ok := v.Text()
	if !ok {
		text = "…"
	} else if strings.Trim(text, "0123456789.") == "" {
		text = fmt.Sprintf("%q", text)
	}
	return fmt.Sprintf("- %s: %s", shortName(t, field), text)
}

// Describe names a resource in a sentence: portal "dev", or where it has no
// ref that people wrote, api version "1.0" of "flights".
func (r *Resource) Describe() string {
	kind := catalog.Words(r.Type.Kind)
	own := ownName(r)
	if r.Type.Shape == catalog.Singleton {
		own = ""
	}
	switch {
	case r.Explicit:
		return fmt.Sprintf("%s %q", kind, r.Ref)
	case r.Parent == nil && own == "":
		return kind
	case r.Parent == nil:
		return fmt.Sprintf("%s %q", kind, own)
	case own == "":
		return fmt.Sprintf("%s of %q", kind, r.Parent.Ref)
	default:
		return fmt.Sprintf("%s %q of %q", kind, own, r.Parent.Ref)
	}
}
