package catalog_test

import (
	"slices"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/testkit"
)

// The secrets that Konnect generates and shows once follow from the contract. A change of
// this list is news: a plan warns of them, and --write-generated writes them.
func TestShownOnce(t *testing.T) {
	var got []string
	for _, b := range testkit.Catalog(t).All() {
		for _, p := range catalog.ShownOnce(b) {
			got = append(got, b.Path+" "+p.String())
		}
	}
	if want := []string{"/v1/ai-gateways/{gatewayId}/consumers/{consumerId}/credentials api_key"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
