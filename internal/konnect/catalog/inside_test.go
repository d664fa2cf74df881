package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// A text of a child whose name ends in the word for the items of a list of the parent,
// from_plan_phase of phases, names one of them.
func TestNamingsInside(t *testing.T) {
	cat := load(t)
	for _, b := range cat.All() {
		if b.Parent == nil || b.Parent.Write() == nil || b.Write() == nil {
			continue
		}
		var want, got []string
		for field, s := range b.Write().Deref().Properties {
			if _, refers := b.Reference([]string{field}); refers || s.Deref().Type != "string" {
				continue
			}
			for list, of := range b.Parent.Write().Deref().Properties {
				name := nameField(of.Deref().Items)
				if item := catalog.Singular(list); name != "" && (field == item || strings.HasSuffix(field, "_"+item)) {
					want = append(want, field+" "+list+"."+name)
				}
			}
		}
		for _, n := range b.Namings {
			if n.Inside == "" {
				continue
			}
			if s := b.Parent.Write().At(value.ParsePath(n.Inside), nil); s == nil || s.Type != "string" || n.Kind != "" {
				t.Errorf("%s names %s of its parent, which is not a text", b.Kind, n.Inside)
			}
			for _, f := range n.Fields {
				got = append(got, f+" "+n.Inside)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-contract +catalog):\n%s", b.Kind, diff)
		}
	}
}

// nameField is what items of a list are called by, "" where nothing tells them apart.
func nameField(items *contract.Schema) string {
	items = items.Deref()
	for _, name := range []string{"key", "name", "id"} {
		if items != nil && items.Properties[name] != nil {
			return name
		}
	}
	return ""
}
