package catalog_test

import (
	"testing"

	"kongctl/internal/catalog"
)

// New refuses a type whose path or fields the contract does not have, so
// loading is the check; the rest is what New cannot see.
func TestCatalogChecksItself(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range cat.All() {
		t.Logf("%s root=%s labels=%v merge=%v puts=%v lacks=%v optional=%v", b.Kind, b.Root(), !b.External && b.HasLabels(), !b.External && b.Write() != nil && b.HasLabels() && b.LabelsMerge(), b.Puts(), !b.External && b.ListLacksFields(), b.Optional())
		for _, r := range b.References {
			if r.Kind != "" && cat.Kind(r.Kind) == nil {
				t.Errorf("%s.%s refers to the unknown kind %s", b.Kind, r.Field, r.Kind)
			}
		}
	}
}
