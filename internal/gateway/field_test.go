package gateway_test

import (
	"testing"

	"kongctl/internal/gateway"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/value"
)

func TestFieldSchema(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]contract.Types{
		"services[0].port":                      "integer",
		"services[0].name":                      "string",
		"services[0].routes[1].strip_path":      "boolean",
		"routes[0].regex_priority":              "integer",
		"upstreams[0].targets[0].weight":        "integer",
		"plugins[0].config.minute":              "",
		"consumers[0].keyauth_credentials[0].x": "",
		"services":                              "",
		"nothing.port":                          "",
	} {
		var got contract.Types
		if s := gateway.FieldSchema(cat, value.ParsePath(path)); s != nil {
			got = s.Type
		}
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
