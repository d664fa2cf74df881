package gateway_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/gateway"
)

func TestRead(t *testing.T) {
	env := map[string]string{"DECK_A": "one", "DECK_N": "7", "DECK_B": "true", "DECK_F": "1.5", "DECK_LINES": "first\nsecond"}
	rows := []struct{ name, text, want string }{
		{"JSON", `{"services": []}`, `{"services":[]}`},
		{
			"functions", `partials: [{a: ${{ env "DECK_A" }}, n: ${{ env "DECK_N" | toInt }}, b: ${{ toBool (env "DECK_B") }}, f: ${{ env "DECK_F" | toFloat }}}]`,
			`{"partials":[{"a":"one","b":true,"f":1.5,"n":7}]}`,
		},
		{"lines", "partials:\n- a: |\n    ${{ env \"DECK_LINES\" | indent 4 }}\n", `{"partials":[{"a":"first\nsecond\n"}]}`},
		{"templates in comments are left, and so are they in texts", "# ${{ env \"DECK_NONE\" }}\npartials:\n- a: |\n    # ${{ env \"DECK_NONE\" }}\n", `{"partials":[{"a":"# \u0024{{ env \"DECK_NONE\" }}\n"}]}`},
		{"booleans of YAML 1.1", `partials: [{a: yes, b: "yes", c: off, d: !!str no, e: yes please}]`, `{"partials":[{"a":true,"b":"yes","c":false,"d":"no","e":"yes please"}]}`},
		{"numbers", `partials: [{a: 0x10, b: 010, c: 1e3, d: 1.50, e: 12345678901234567890}]`, `{"partials":[{"a":16,"b":8,"c":1e3,"d":1.50,"e":12345678901234567890}]}`},
		{"dates are texts", `partials: [{a: 2024-01-02}]`, `{"partials":[{"a":"2024-01-02"}]}`},
		{"aliases", "services:\n- &a {name: x, tags: [t]}\n- {<<: *a, name: w}\n- {<<: [*a, {z: 1}]}\n", `{"services":[{"name":"x","tags":["t"]},{"name":"w","tags":["t"]},{"name":"x","tags":["t"],"z":1}]}`},
		{"a number as format version", `_format_version: 3.0`, `{"_format_version":"3.0"}`},
	}
	for _, r := range rows {
		d, diags := gateway.Read("kong.yaml", []byte(r.text), func(name string) (string, bool) { v, ok := env[name]; return v, ok })
		if len(diags) > 0 {
			t.Errorf("%s: %v", r.name, diags.Err())
			continue
		}
		if diff := cmp.Diff(strings.ReplaceAll(r.want, "\n", "\\n"), string(d.Content)); diff != "" {
			t.Errorf("%s: %s", r.name, diff)
		}
		// Whoever reads it again gets the same.
		if again, diags := gateway.Read("kong.yaml", d.Content, nil); len(diags) > 0 || string(again.Content) != string(d.Content) {
			t.Errorf("%s: read again it is %v, %v", r.name, again, diags)
		}
	}
}

func TestAliasesDoNotBlowUp(t *testing.T) {
	text := "services:\n- &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		text += "- &a" + string(rune('1'+i)) + " [" + strings.Repeat("*a"+string(rune('0'+i))+", ", 10) + "]\n"
	}
	_, diags := gateway.Read("kong.yaml", []byte(text), nil)
	if len(diags) != 1 || !strings.Contains(diags[0].Detail, "more than 1000000 values") {
		t.Errorf("%v", diags)
	}
	if _, diags = gateway.Read("kong.yaml", []byte("services: &a [*a]"), nil); len(diags) != 1 {
		t.Errorf("an alias of itself: %v", diags)
	}
}

func TestSecretsIn(t *testing.T) {
	text := `
_plugin_configs: {shared: {client_secret: secret-1}}
services: [{name: a, plugins: [{name: x, config: {password: secret-2, user: public}}, {name: loggly, config: {key: secret-3}}]}]
consumers: [{username: alice, keyauth_credentials: [{key: secret-4}, {key: "{vault://env/key}"}, {key: abc}]}]
keys: [{name: k, jwk: secret-5, pem: {public_key: public, private_key: secret-6}}]
`
	got := gateway.SecretsIn([]gateway.File{{Name: "kong.yaml", Content: []byte(text)}})
	if diff := cmp.Diff([]string{"secret-1", "secret-2", "secret-3", "secret-4", "secret-5", "secret-6"}, got); diff != "" {
		t.Error(diff)
	}
}

// What stands in an entity or above it is not looked at again with it.
func TestSecretTextsOfOneEntity(t *testing.T) {
	plugin := map[string]any{"name": "x", "config": map[string]any{"password": "secret-1"}}
	plugin["service"] = map[string]any{"name": "a", "config": map[string]any{"password": "secret-2"}, "plugins": []any{plugin}} // has no end
	if diff := cmp.Diff([]string{"secret-1"}, gateway.SecretTexts("plugin", plugin)); diff != "" {
		t.Error(diff)
	}
}

func TestVariablesAreTakenOnce(t *testing.T) {
	text := "services:\n" + strings.Repeat("- {name: a, host: '${{ env \"DECK_A\" }}', path: '${{ env \"DECK_B\" }}'}\n", 3)
	d, diags := gateway.Read("kong.yaml", []byte(text), func(name string) (string, bool) { return "value of " + name, true })
	if len(diags) > 0 {
		t.Fatal(diags.Err())
	}
	if diff := cmp.Diff([]string{"value of DECK_A", "value of DECK_B"}, d.Secrets); diff != "" {
		t.Error(diff)
	}
}

// A select tag may not come from a variable, whatever that is set to.
func TestTagsFromVariables(t *testing.T) {
	rows := []struct {
		name, text, value string
		refused           bool
	}{
		{"the whole tag", `_info: {select_tags: ['${{ env "DECK_X" }}']}`, "hunter2", true},
		{"a part", `_info: {select_tags: ['team-${{ env "DECK_X" }}']}`, "a", true},
		{"the same as a stand-in", `_info: {select_tags: ['${{ env "DECK_X" }}']}`, "1", true},
		{"all tags", `_info: {select_tags: ${{ env "DECK_X" }}}`, "[a, b]", true},
		{"more than the tags", `${{ env "DECK_X" }}`, "_info: {select_tags: [a]}", true},
		{"another field", "_info: {select_tags: [a]}\nservices: [{name: x, host: '${{ env \"DECK_X\" }}'}]", "a", false},
		{"no tags", `services: [{name: '${{ env "DECK_X" }}', tags: [select_tags]}]`, "a", false},
	}
	for _, r := range rows {
		_, diags := gateway.Read("kong.yaml", []byte(r.text), func(string) (string, bool) { return r.value, true })
		if refused := len(diags) == 1 && diags[0].Code == diag.DeckTemplate; refused != r.refused || len(diags) > 1 {
			t.Errorf("%s: %v", r.name, diags)
		}
	}
}
