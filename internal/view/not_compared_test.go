package view_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

// Whatever is not compared, the flags that a plan names for it go together, or it says
// that one takes the place of the other: --write-secret and --write-secrets exclude
// each other.
func TestFlagsForSecretsGoTogether(t *testing.T) {
	kinds := []plan.NotCompared{
		{ResourceType: "portal_auth_settings", ResourceRef: "dev-auth", Field: "oidc_client_secret"},
		{ResourceType: "dcr_provider", ResourceRef: "okta", Field: "dcr_config.dcr_token", Null: true},
		{ResourceType: "event_gateway_static_key", ResourceRef: "card-key", Field: "value", Immutable: true},
		{ResourceType: "api_image", ResourceRef: "flights-icon", Field: "data", Noun: "image"},
	}
	for set := 1; set < 1<<(2*len(kinds)); set++ {
		p := newPlan(plan.ModeSync)
		for i, x := range slices.Concat(kinds, kinds) {
			if set&(1<<i) != 0 {
				p.NotCompared = append(p.NotCompared, x)
			}
		}
		var b strings.Builder
		if err := view.WritePlan(&b, p, view.PlanOptions{}); err != nil {
			t.Fatal(err)
		}
		all := false
		for _, sentence := range strings.Split(strings.TrimSpace(b.String()), ". ") {
			one := strings.Contains(sentence, "--write-secret ")
			if one && all && !strings.Contains(sentence, "in place of --write-secrets") {
				t.Fatalf("%d: %s", set, sentence)
			}
			all = all || strings.Contains(sentence, "--write-secrets")
		}
		if !strings.Contains(b.String(), "--write-secret") {
			t.Errorf("%d: no flag is named: %s", set, b.String())
		}
	}
}
