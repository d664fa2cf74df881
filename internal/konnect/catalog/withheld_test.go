package catalog_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/testkit"
)

// Konnect returns whatever an export needs of all types but these.
func TestWithheld(t *testing.T) {
	got := map[string]string{}
	for _, b := range testkit.Catalog(t).All() {
		if field := catalog.Withheld(b); field != "" {
			got[b.Kind] = field
		}
	}
	want := map[string]string{"api_image": "data", "api_package_image": "data"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
