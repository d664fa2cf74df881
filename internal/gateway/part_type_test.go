package gateway

import (
	"slices"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// Every core entity that others refer to is known by decK's kind of it, so that what
// decK deletes is found in what refers to it; every kind that is shown leads to a type,
// except those that Konnect's API has no lists of.
func TestPartType(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	without := []string{kindMember, "consumer-group-plugin", "filter-chain"}
	for _, kind := range kindOrder {
		found := PartType(cat.Types(), kind)
		if (found == nil) != slices.Contains(without, kind) {
			t.Errorf("%s: %v", kind, found)
		}
		if found != nil {
			known[found.Kind] = true
		}
	}
	for _, x := range cat.Types().All() {
		if x.Writer == TargetName && len(cat.Types().Referring(x.Kind)) > 0 && !known[x.Kind] {
			t.Errorf("decK has no kind for %s, which others refer to", x.Kind)
		}
	}
}
