package contract_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// What every variant of a union requires is missing whichever one is meant, so all of
// it is reported at once, and each field once.
func TestMissingFieldsOfUnions(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	vault := cat.Kind("ai_gateway_vault")
	for want, config := range map[string]map[string]any{
		"auth_method mount port": {"host": "x"},
		"mount port":             {"host": "x", "auth_method": "token"},
		"auth_method":            {"host": "x", "mount": "m", "port": 1},
		"":                       {"host": "x", "mount": "m", "port": 1, "auth_method": "token"},
	} {
		var got []string
		for _, v := range vault.ValidateBody(vault.WriteOp(), map[string]any{"name": "v", "type": "hcv", "config": config}, nil) {
			got = append(got, v.Path[len(v.Path)-1])
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%v: %q, want %q", config, got, want)
		}
	}
}

// What is required and takes any value must have one: null is none in a request.
func TestNullForRequiredOfAnyValue(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	addon := cat.Kind("metering_addon")
	for _, row := range []struct {
		config any
		want   contract.Rule
	}{{nil, contract.RuleNull}, {map[string]any{}, ""}, {map[string]any{"a": nil}, ""}, {"text", ""}, {false, ""}, {[]any{nil}, ""}} {
		card := map[string]any{"key": "k", "name": "K", "price": map[string]any{"type": "free"}, "entitlement": map[string]any{"type": "static", "config": row.config}}
		var got contract.Rule
		for _, v := range addon.ValidateBody(addon.WriteOp(), map[string]any{"key": "a", "name": "A", "currency": "USD", "instance_type": "single", "rate_cards": []any{card}}, nil) {
			if got = v.Rule; v.Path[len(v.Path)-1] != "config" {
				t.Errorf("%v: %v", row.config, v)
			}
		}
		if got != row.want {
			t.Errorf("%v: %q, want %q", row.config, got, row.want)
		}
	}
}
