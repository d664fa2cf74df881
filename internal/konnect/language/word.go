package language

import (
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// first names the first n of several.
func first(names []string, n int) string {
	if len(names) > n {
		names = append(names[:n:n], "…")
	}
	return strings.Join(names, ", ")
}

// suggest says what may have been meant, else what there is.
func suggest(got string, known []string) string { return resource.Suggest(got, known) }

// unread reports whether a value could not be read, which was reported.
func unread(v value.Value) bool { return resource.Unreadable(v) }

// shape names what a value is.
func shape(v value.Value) string { return resource.Shape(v) }

func (b *state) wrongShape(v value.Value, detail, fix string) {
	if !unread(v) {
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
	if !ok || holdsSecret(t) {
		text = "…"
	} else if strings.Trim(text, "0123456789.") == "" {
		text = fmt.Sprintf("%q", text)
	}
	return fmt.Sprintf("- %s: %s", t.ShortName(field), text)
}
