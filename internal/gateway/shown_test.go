package gateway

import "testing"

// TestQuotedFields: of decK files, neither credentials nor configurations of
// plugins are quoted.
func TestQuotedFields(t *testing.T) {
	hidden := [][]string{
		{"plugins", "config", "anything"},
		{"services", "plugins", "config", "name"},
		{"certificates", "key"},
		{"keys", "jwk"},
		{"keys", "pem", "private_key"},
		{"vaults", "config", "name"},
		{"partials", "config", "host"},
		{"_plugin_configs", "x", "name"},
		{"consumers", "keyauth_credentials", "key"},
		{"control_planes", "_deck", "state", "plugins", "config", "name"},
		{"filter_chains", "filters", "config"},
		{"custom_entities", "fields", "name"},
	}
	for _, path := range hidden {
		if !hides(path) {
			t.Errorf("%v is quoted", path)
		}
	}
	for _, path := range append(hidden, []string{"services", "naem"}, []string{"consumers", "basicauth_credentials", "password"}) {
		if shows(path) && !hides(path) {
			t.Errorf("%v is shown", path)
		}
	}
	for _, path := range [][]string{{"services", "routes", "paths"}, {"_info", "select_tags"}, {"_format_version"}} {
		if !shows(path) || hides(path) {
			t.Errorf("%v is hidden", path)
		}
	}
}
