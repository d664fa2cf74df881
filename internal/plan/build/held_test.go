package build_test

import (
	"slices"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// A field that the target may have chosen is worth a note only where the hash of its
// resource proves that it was declared, whatever else changes with it.
func TestHeldFieldsAreNotedByProof(t *testing.T) {
	const declared = `event_gateways: [{name: g, description: A, min_runtime_version: "1.0"}]`
	for name, tt := range map[string]struct {
		before, after string
		noted         bool
	}{
		"dropped":                  {declared, `event_gateways: [{name: g, description: A}]`, true},
		"dropped, and more":        {declared, `event_gateways: [{name: g, labels: {a: b}}]`, true},
		"dropped, another changed": {declared, `event_gateways: [{name: g, description: B}]`, true},
		"dropped, a child comes":   {declared, `event_gateways: [{name: g, description: A, static_keys: [{name: k, value: "${vault.env['K']}"}]}]`, true},
		"never declared":           {`event_gateways: [{name: g, description: A}]`, `event_gateways: [{name: g, description: B}]`, false},
		"unchanged":                {declared, declared, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(tt.before)
			p := w.Plan(testkit.Ask{}, tt.after)
			got := slices.ContainsFunc(p.Warnings, func(x plan.Warning) bool {
				return x.Message == `min_runtime_version keeps "1.0": Konnect pins it when the gateway is created`
			})
			if got != tt.noted {
				t.Errorf("noted: %t, want %t: %v", got, tt.noted, p.Warnings)
			}
		})
	}
}
