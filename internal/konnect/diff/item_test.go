package diff_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

// What an update says of the items of a list, by what is declared and what exists.
func TestCompleted(t *testing.T) {
	cat := testkit.Catalog(t)
	nothing := func(value.Path) bool { return false }
	all := func(value.Path) bool { return true }
	for _, c := range []struct {
		name, kind, live, declared string
		mode                       diff.Mode
		hidden                     func(value.Path) bool
		with                       diff.Beside
		want                       string
	}{
		{
			name: "what is not declared of an item stays in a merge", kind: "cloud_gateway_configuration",
			live:     `{"dataplane_groups": [{"provider": "aws", "region": "a", "id": "1", "autoscale": {"kind": "autopilot", "base_rps": 10, "max_rps": 90}}]}`,
			declared: `{"dataplane_groups": [{"provider": "aws", "region": "a", "autoscale": {"kind": "autopilot", "base_rps": 20}}]}`,
			want:     `{"dataplane_groups": [{"provider": "aws", "region": "a", "autoscale": {"kind": "autopilot", "base_rps": 20, "max_rps": 90}}]}`,
		},
		{
			name: "what Konnect worked out follows what it is made of", kind: "cloud_gateway_configuration",
			live:     `{"dataplane_groups": [{"provider": "aws", "region": "a", "autoscale": {"kind": "autopilot", "base_rps": 10, "max_rps": 100}}]}`,
			declared: `{"dataplane_groups": [{"provider": "aws", "region": "a", "autoscale": {"kind": "autopilot", "base_rps": 20}}]}`,
			want:     `{"dataplane_groups": [{"provider": "aws", "region": "a", "autoscale": {"kind": "autopilot", "base_rps": 20, "max_rps": 200}}]}`,
		},
		{
			name: "the whole takes it back to what Konnect works out", kind: "cloud_gateway_configuration", mode: diff.Whole,
			live:     `{"dataplane_groups": [{"provider": "aws", "region": "a", "environment": [{"name": "x", "value": "y"}], "autoscale": {"kind": "autopilot", "base_rps": 10, "max_rps": 90}}]}`,
			declared: `{"dataplane_groups": [{"provider": "aws", "region": "a", "autoscale": {"kind": "autopilot", "base_rps": 10}}]}`,
			want:     `{"dataplane_groups": [{"provider": "aws", "region": "a", "autoscale": {"kind": "autopilot", "base_rps": 10, "max_rps": 100}}]}`,
		},
		{
			name: "what is worked out of a variable is not shown", kind: "cloud_gateway_configuration", mode: diff.Whole, hidden: all,
			live:     `{"dataplane_groups": [{"provider": "aws", "region": "a", "autoscale": {"kind": "autopilot", "base_rps": 10, "max_rps": 100}}, {"provider": "aws", "region": "b", "autoscale": {"kind": "autopilot", "base_rps": 10, "max_rps": 90}}]}`,
			declared: `{"dataplane_groups": [{"provider": "aws", "region": "a", "autoscale": {"kind": "autopilot", "base_rps": 20}}, {"provider": "aws", "region": "b", "autoscale": {"kind": "autopilot", "base_rps": 20}}]}`,
			want:     `{"dataplane_groups": [{"provider": "aws", "region": "a", "autoscale": {"kind": "autopilot", "base_rps": 20}}, {"provider": "aws", "region": "b", "autoscale": {"kind": "autopilot", "base_rps": 20, "max_rps": 90}}]}`,
		},
		{
			name: "of several items that are known by the same texts the most similar one is meant", kind: "cloud_gateway_configuration",
			live: `{"dataplane_groups": [{"provider": "aws", "region": "a", "cloud_gateway_network_id": "1", "autoscale": {"kind": "autopilot", "base_rps": 10, "max_rps": 90}},
				{"provider": "aws", "region": "a", "cloud_gateway_network_id": "2", "autoscale": {"kind": "autopilot", "base_rps": 10, "max_rps": 80}}]}`,
			declared: `{"dataplane_groups": [{"provider": "aws", "region": "a", "cloud_gateway_network_id": "2", "autoscale": {"kind": "autopilot", "base_rps": 20}},
				{"provider": "aws", "region": "a", "cloud_gateway_network_id": "1", "autoscale": {"kind": "autopilot", "base_rps": 10}}]}`,
			want: `{"dataplane_groups": [{"provider": "aws", "region": "a", "cloud_gateway_network_id": "2", "autoscale": {"kind": "autopilot", "base_rps": 20, "max_rps": 80}},
				{"provider": "aws", "region": "a", "cloud_gateway_network_id": "1", "autoscale": {"kind": "autopilot", "base_rps": 10, "max_rps": 90}}]}`,
		},
		{
			name: "a new item has nothing of another one", kind: "cloud_gateway_configuration",
			live:     `{"dataplane_groups": [{"provider": "aws", "region": "a", "autoscale": {"kind": "autopilot", "base_rps": 10, "max_rps": 90}}]}`,
			declared: `{"dataplane_groups": [{"provider": "aws", "region": "b", "autoscale": {"kind": "autopilot", "base_rps": 10}}]}`,
			want:     `{"dataplane_groups": [{"provider": "aws", "region": "b", "autoscale": {"kind": "autopilot", "base_rps": 10}}]}`,
		},
		{
			name: "what is worked out is so of what stays, too", kind: "cloud_gateway_configuration",
			live:     `{"dataplane_groups": [{"provider": "aws", "region": "a", "autoscale": {"kind": "autopilot", "base_rps": 10, "max_rps": 100}}]}`,
			declared: `{"dataplane_groups": [{"provider": "aws", "region": "a", "autoscale": {"kind": "autopilot"}}]}`,
			want:     `{"dataplane_groups": [{"provider": "aws", "region": "a", "autoscale": {"kind": "autopilot", "base_rps": 10}}]}`,
		},
		{
			name: "a reference into a vault is no secret, and stays", kind: "ai_gateway_model_provider",
			live:     `{"type": "openai", "config": {"auth": {"type": "basic", "headers": [{"name": "a", "value": "{vault://env/x}"}, {"name": "b", "value": "secret"}]}}}`,
			declared: `{"type": "openai", "config": {"auth": {"type": "basic", "headers": [{"name": "b"}, {"name": "a"}]}}}`,
			want:     `{"type": "openai", "config": {"auth": {"type": "basic", "headers": [{"name": "b"}, {"name": "a", "value": "{vault://env/x}"}]}}}`,
		},
		{
			name: "null takes a field of an item back in a merge, too", kind: "cloud_gateway_configuration",
			live:     `{"dataplane_groups": [{"provider": "aws", "region": "a", "environment": [{"name": "x", "value": "y"}], "cloud_gateway_network_id": "1"}]}`,
			declared: `{"dataplane_groups": [{"provider": "aws", "region": "a"}]}`,
			with:     diff.Beside{Nulled: []value.Path{value.ParsePath("dataplane_groups[0].environment")}},
			want:     `{"dataplane_groups": [{"provider": "aws", "region": "a", "cloud_gateway_network_id": "1"}]}`,
		},
		{
			name: "lists in items are completed, too", kind: "metering_plan",
			live:     `{"phases": [{"key": "p", "name": "P", "rate_cards": [{"key": "a", "name": "A", "price": {"type": "free"}, "description": "x"}, {"key": "b", "name": "B", "price": {"type": "free"}, "description": "y"}]}]}`,
			declared: `{"phases": [{"key": "p", "name": "Q", "rate_cards": [{"key": "b", "name": "B", "price": {"type": "free"}}, {"key": "c", "name": "C", "price": {"type": "free"}}]}]}`,
			want:     `{"phases": [{"key": "p", "name": "Q", "rate_cards": [{"key": "b", "name": "B", "price": {"type": "free"}, "description": "y"}, {"key": "c", "name": "C", "price": {"type": "free"}}]}]}`,
		},
		{
			name: "of a union an item keeps what its form has", kind: "event_gateway_virtual_cluster",
			live:     `{"authentication": [{"type": "oauth_bearer", "mediation": "passthrough", "jwks": {"endpoint": "https://x", "timeout": "1s"}}]}`,
			declared: `{"authentication": [{"type": "sasl_plain"}]}`,
			want:     `{"authentication": [{"type": "sasl_plain"}]}`,
		},
		{
			name: "secrets that Konnect returns are left out", kind: "application_auth_strategy",
			live:     `{"strategy_type": "openid_connect", "configs": {"openid-connect": {"client_jwk": [{"kty": "RSA", "d": "secret", "alg": "RS256"}]}}}`,
			declared: `{"strategy_type": "openid_connect", "configs": {"openid-connect": {"client_jwk": [{"kty": "RSA"}]}}}`,
			want:     `{"strategy_type": "openid_connect", "configs": {"openid-connect": {"client_jwk": [{"kty": "RSA", "alg": "RS256"}]}}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, hidden := cat.Kind(c.kind), c.hidden
			if hidden == nil {
				hidden = nothing
			}
			declared := decode(t, c.declared)
			got := diff.Completed(b, catalog.BodyOf(b, b.Update), declared, decode(t, c.live), c.mode, c.with, hidden)
			if d := cmp.Diff(decode(t, c.want), got); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(decode(t, c.declared), declared); d != "" {
				t.Errorf("the declaration is changed: %s", d)
			}
		})
	}
}
