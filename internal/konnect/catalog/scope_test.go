package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/testkit"
)

// Lists of the same name mean the same in all types: scopes, methods of
// authentication and blocks of addresses are sets, a claim is a path to a value.
func TestSetsOfIdentityTypes(t *testing.T) {
	sets := map[string]bool{"scopes": true, "oidc_scopes": true, "auth_methods": true, "cidr_blocks": true, "credential_claim": false}
	seen := map[string]int{}
	for _, b := range testkit.Catalog(t).All() {
		if b.ReadOnly {
			continue
		}
		textLists(b.Write(), nil, func(path []string) {
			name := path[len(path)-1]
			want, listed := sets[name]
			if !listed {
				return
			}
			seen[name]++
			if got := b.IsUnordered(path); got != want {
				t.Errorf("%s.%s: the order does not matter: %v, want %v", b.Kind, strings.Join(path, "."), got, want)
			}
		})
	}
	for name := range sets {
		if seen[name] == 0 {
			t.Errorf("no type has %s", name)
		}
	}
}

// textLists finds the lists of texts in a schema.
func textLists(s *contract.Schema, at []string, do func(path []string)) {
	if s = s.Deref(); s == nil || len(at) > 6 {
		return
	}
	o := s.Object(nil)
	for _, name := range o.Names() {
		f, path := o.Field(name).Schema.Deref(), append(slices.Clone(at), name)
		if f.Type == "array" && f.Items.Deref() != nil && f.Items.Deref().Type == "string" {
			do(path)
		}
		for f != nil && f.Type == "array" {
			f = f.Items.Deref()
		}
		textLists(f, path, do)
	}
}
