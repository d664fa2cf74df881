package explain_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/explain"
)

// Of every field whose default is the value of another field, of the resource itself, of
// its parent or of one that it refers to, the text, the page and the schema say so.
func TestDefaultsOfOtherFields(t *testing.T) {
	x, cat := explainer(t)
	tried := 0
	for _, b := range cat.All() {
		found, err := x.Find(b.Kind)
		if err != nil {
			t.Fatal(err)
		}
		schema, err := json.Marshal(x.Schema(found))
		if err != nil {
			t.Fatal(err)
		}
		forms := map[string]string{"text": x.Text(found, explain.TextOptions{Width: 1000}), "schema": string(schema), "page": strings.ReplaceAll(x.Page(familyOf(t, b)), `\_`, "_")}
		says := map[string]string{}
		for _, f := range b.Inherits {
			says[f.Field] = "takes " + f.Of + " of "
		}
		for _, k := range b.Keeps {
			if k.Copies != "" {
				says[k.Field] = "takes " + k.Copies + " when created without it"
			}
		}
		for field, want := range says {
			for form, got := range forms {
				if !strings.Contains(got, want) {
					t.Errorf("%s: the %s of it does not say %q of %s", b.Kind, form, want, field)
				}
			}
			one, err := x.Find(b.Kind + "." + field)
			if err != nil || !strings.Contains(x.Text(one, explain.TextOptions{Width: 1000}), want) {
				t.Errorf("%s.%s does not say %q: %v", b.Kind, field, want, err)
			}
			tried++
		}
	}
	if tried < 6 {
		t.Errorf("%d fields were tried", tried)
	}
}

func familyOf(t *testing.T, b *catalog.Bound) catalog.Family {
	t.Helper()
	for _, f := range catalog.Families() {
		for _, x := range f.Types {
			if x == b.Type {
				return f
			}
		}
	}
	t.Fatalf("%s has no family", b.Kind)
	return catalog.Family{}
}
