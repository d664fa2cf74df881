package language_test

import (
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
