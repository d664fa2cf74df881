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
		{"control_planes", "_deck", "flags"},
		{"control_planes", "_deck", "flags", "name"},
		{"control_planes", "_deck", "flags", "plugins", "config", "client_id"},
		{"plugins", "config", "client_id", "x"},
		{"plugins", "config", "probe", "client_id"},
		{"vaults", "config", "client_id"},
	}
	for _, path := range hidden {
		if !hides(path) {
			t.Errorf("%v is quoted", path)
		}
	}
	for _, path := range append(hidden, []string{"services", "naem"}, []string{"consumers", "basicauth_credentials", "password"},
		[]string{"name"}, []string{"url"}, []string{"services"}, []string{"services", "name", "name"}, []string{"control_planes", "_deck"}, []string{"control_planes", "_deck", "name"}) {
		if shows(path) && !hides(path) {
			t.Errorf("%v is shown", path)
		}
	}
	for _, path := range [][]string{
		{"services", "routes", "paths"},
		{"routes", "service", "name"},
		{"services", "ca_certificates"},
		{"control_planes", "_deck", "files"},
		{"_info", "select_tags"},
		{"_format_version"},
		{"plugins", "config", "client_id"},
		{"services", "plugins", "config", "client_id"},
		{"_plugin_configs", "x", "client_id"},
		{"control_planes", "_deck", "state", "plugins", "config", "client_id"},
	} {
		if !shows(path) || hides(path) {
			t.Errorf("%v is hidden", path)
		}
	}
}

// TestQuotedKeys: fields of entities and of configurations are quoted as keys, what
// stands below a secret is not.
func TestQuotedKeys(t *testing.T) {
	for _, path := range [][]string{
		{"plugins", "config", "minuet"},
		{"services", "plugins", "config", "redis", "password"},
		{"consumers", "keyauth_credentials", "key"},
		{"_plugin_configs", "x", "limit"},
		{"control_planes", "_deck", "state", "plugins", "config", "name"},
		{"vaults", "config", "prefix"},
	} {
		if !names(path) {
			t.Errorf("%v is hidden", path)
		}
	}
	for _, path := range [][]string{
		{"plugins", "config", "client_secret", "x"},
		{"keys", "jwk", "kty"},
		{"keys", "pem", "private_key"},
		{"certificates", "key", "x"},
		{"consumers", "keyauth_credentials", "key", "x"},
		{"portals", "auth_settings", "oidc_client_secret"},
		{"control_planes", "_deck", "flags", "x"},
		nil,
	} {
		if names(path) {
			t.Errorf("%v is quoted", path)
		}
	}
}
