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

func (b *state) wrongShape(v value.Value, detail, fix string) {
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
	return fmt.Sprintf("- %s: %s", t.ShortName(field), text)
}
