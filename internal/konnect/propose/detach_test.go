package propose_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/propose"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/testkit"
)

// An update that only drops references replaces the whole where it is a PUT: it writes
// the declared secrets of what stays, and none of another form.
func TestDetachingWritesSecrets(t *testing.T) {
	of := testkit.Catalog(t).Kind("event_gateway_listener_policy").Neutral()
	bundles := []any{map[string]any{"id": "0b2e6f5c-8f0e-4e0c-9d0a-6c8f4d2b1a11"}}
	live := map[string]any{
		"id": "5f1d1c0a-1f6e-4b8e-8d59-2b0f7f1d9c22", "name": "tls", "type": "tls_server", "enabled": true,
		"config": map[string]any{
			"certificates":          []any{map[string]any{"certificate": "cert"}},
			"client_authentication": map[string]any{"mode": "required", "tls_trust_bundles": bundles},
		},
	}
	secret := func(field string) plan.Expression {
		return plan.Expression{Field: field, Expression: map[string]any{"parts": []any{"x"}}}
	}
	out := propose.Proposer{}.Propose(build.Subject{
		Type: of, Live: &resource.Object{ID: "5f1d1c0a-1f6e-4b8e-8d59-2b0f7f1d9c22", Fields: live}, Mode: plan.ModeSync,
		Desired: build.Desired{Secrets: []plan.Expression{secret("config.certificates[0].key"), secret("config.certificates[1].key"), secret("config.elsewhere.key")}},
		Detach:  []plan.FieldChange{{Field: "config.client_authentication.tls_trust_bundles", CurrentValue: bundles}},
	})
	if len(out.Secrets) != 1 || out.Secrets[0].Field != "config.certificates[0].key" {
		t.Errorf("secrets written: %v", out.Secrets)
	}
}
