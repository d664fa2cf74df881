package catalog_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// TestUnlisted: whoever must be read one by one has a field that says why.
func TestUnlisted(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	some := false
	for _, b := range cat.All() {
		if b.ReadOnly {
			continue
		}
		if got := len(b.Unlisted()) > 0; got != b.ListLacksFields() {
			t.Errorf("%s: %v, and its list lacks fields: %v", b.Kind, b.Unlisted(), b.ListLacksFields())
		}
		some = some || len(b.Unlisted()) > 0
	}
	if !some {
		t.Error("all lists give everything")
	}
}
