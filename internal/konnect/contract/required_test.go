package contract_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
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
