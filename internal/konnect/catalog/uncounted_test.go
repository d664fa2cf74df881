package catalog

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is deleted with a resource and has no type is known from the contract. What is new
// here needs a look: a type of its own, or a word in docs/trust.md.
func TestUncounted(t *testing.T) {
	cat, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, b := range cat.All() {
		if len(b.Uncounted) > 0 {
			got[b.Kind] = b.Uncounted
		}
	}
	want := map[string][]string{"control_plane": {"plugin schemas"}, "organization_system_account": {"access tokens"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
