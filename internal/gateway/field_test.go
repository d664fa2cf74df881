package gateway_test

import (
	"encoding/json"
	"testing"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

func TestCoerce(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]any{"integer": json.Number("1"), "boolean": true}
	for path, want := range map[string]string{
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
		for kind, text := range map[string]string{"integer": "1", "boolean": "true"} {
			var expected any = text
			if kind == want {
				expected = texts[kind]
			}
			if got := gateway.Coerce(cat.Types(), value.ParsePath(path), text); got != expected {
				t.Errorf("%s: %q is %v, want %v", path, text, got, expected)
			}
		}
	}
}
