package language_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/language"
)

// TestFieldsHideSecrets: no field that the contract knows as a secret, of any type,
// is quoted, wherever it stands.
func TestFieldsHideSecrets(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	fields := language.FieldsOf(cat)
	secrets := 0
	for _, b := range cat.All() {
		each(b.Write(), []string{b.Root()}, 0, func(path []string, s *contract.Schema) {
			if !s.Secret {
				return
			}
			secrets++
			if fields.Shows(path) || !fields.Hides(path) || !fields.Hides(append(path, "name")) {
				t.Errorf("%v is shown", path)
			}
		})
	}
	if secrets < 2 {
		t.Errorf("only %d secrets were seen", secrets)
	}
	for _, path := range [][]string{{"portals", "name"}, {"portals", "labels", "team"}, {"apis", "publications", "portal"}, {"portals", "kongctl", "namespace"}} {
		if !fields.Shows(path) || fields.Hides(path) {
			t.Errorf("%v is hidden", path)
		}
	}
	for _, path := range [][]string{{"metering_features", "key"}, {"metering_plans", "phases", "rate_cards", "key"}, {"apis", "attributes", "any"}} {
		if !fields.Shows(path) || fields.Hides(path) || !fields.Knows(path) {
			t.Errorf("%v is hidden, and no secret there", path)
		}
	}
	for _, path := range [][]string{{"ai_gateways", "consumers", "credentials", "api_key"}, {"metering_featurs", "key"}, {"portals", "labels", "team", "secret"}} {
		if fields.Shows(path) {
			t.Errorf("%v is shown", path)
		}
	}
	for _, path := range [][]string{{"portals", "naem"}, {"portals", "client_secrte"}, nil} {
		if fields.Shows(path) {
			t.Errorf("%v is shown", path)
		}
	}
}

// TestFieldsShowWhatNamesResources: what identifies a resource of any type, and what it
// refers to, is quoted, below its root key and below its parent.
func TestFieldsShowWhatNamesResources(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	fields := language.FieldsOf(cat)
	seen := 0
	for _, b := range cat.All() {
		names := slices.Clone(b.Identity)
		for _, r := range b.References {
			names = append(names, r.Field, b.ShortName(r.Field))
		}
		tops := [][]string{strings.Split(b.Root(), ".")}
		if b.Parent != nil {
			tops = append(tops, append(strings.Split(b.Parent.Root(), "."), b.Key))
		}
		for _, name := range names {
			rest := strings.Split(name, ".")
			if s := b.Write().At(rest, nil); s != nil && s.Deref().Type == "object" {
				continue // keys that people choose may be secrets
			}
			for _, top := range tops {
				seen++
				if path := slices.Concat(top, rest); !fields.Shows(path) || fields.Hides(path) {
					t.Errorf("%s: %v is hidden", b.Kind, path)
				}
			}
		}
	}
	if seen < 300 {
		t.Errorf("only %d fields were seen", seen)
	}
	for _, path := range [][]string{{"organization_users", "full_name"}, {"organization_users", "token"}, {"gateway_jwts", "secret"}, {"gateway_services", "service", "id"}} {
		if fields.Shows(path) {
			t.Errorf("%v is shown", path)
		}
	}
}

func each(s *contract.Schema, path []string, depth int, visit func([]string, *contract.Schema)) {
	if s = s.Deref(); s == nil || depth > 8 {
		return
	}
	visit(path, s)
	for name, below := range s.Properties {
		each(below, append(path[:len(path):len(path)], name), depth+1, visit)
	}
	for _, list := range [][]*contract.Schema{s.OneOf, s.AnyOf, s.AllOf, {s.Items}} {
		for _, b := range list {
			if b != nil {
				each(b, path, depth+1, visit)
			}
		}
	}
}
