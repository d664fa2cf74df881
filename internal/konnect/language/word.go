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

// itemForm shows an item of a list of resources, by what it is known by, as it may be
// written in a list of either form; text that stands in its place is taken for its name.
func itemForm(t *catalog.Bound, v value.Value) string {
	field := t.NameField()
	if field == "" {
		fields := make([]string, len(t.Identity))
		for i, f := range t.Identity {
			fields[i] = t.ShortName(f) + ": …"
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	text, ok := v.Text()
	if !ok || holdsSecret(t) {
		text = "…"
	} else if !plainItem.MatchString(text) || wordOfYAML.MatchString(text) {
		text = fmt.Sprintf("%q", text)
	}
	return fmt.Sprintf("{%s: %s}", t.ShortName(field), text)
}

// listForm shows a list of resources with one item.
func listForm(t *catalog.Bound, key string, v value.Value) string {
	return fmt.Sprintf("write a list: %s: [%s]", key, itemForm(t, v))
}
