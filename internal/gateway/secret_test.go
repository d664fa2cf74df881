package gateway_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "go.yaml.in/yaml/v3"

	"kongctl/internal/gateway"
	"kongctl/internal/plan"
)

func TestSecretFields(t *testing.T) {
	rows := []struct {
		kind, path string
		secret     bool
	}{
		{"key-auth", "key", true},
		{"key-auth", "ttl", false},
		{"basic-auth", "password", true},
		{"basic-auth", "username", false},
		{"hmac-auth", "secret", true},
		{"jwt-auth", "secret", true},
		{"jwt-auth", "key", false},
		{"jwt-auth", "rsa_public_key", false},
		{"oauth2-cred", "client_secret", true},
		{"certificate", "key", true},
		{"certificate", "key_alt", true},
		{"certificate", "cert", false},
		{"key", "jwk", true},
		{"key", "pem.private_key", true},
		{"key", "pem.public_key", false},
		{"service", "name", false},
		{"route", "headers.authorization", false},
		{"plugin", "config.client_secret", true},
		{"plugin", "config.redis.password", true},
		{"plugin", "config.redis.sentinel_password", true},
		{"plugin", "config.session_secret", true},
		{"plugin", "config.aws_key", true},
		{"plugin", "config.auth.header_value", true},
		{"plugin", "config.auth.azure_client_secret", true},
		{"plugin", "config.headers.Authorization", true},
		{"plugin", "config.confluent_cloud_api_key", true},
		{"plugin", "config.client_jwk.k", true},
		{"plugin", "config.key_names", false},
		{"plugin", "config.token_endpoint", false},
		{"plugin", "config.model.options.max_tokens", false},
		{"plugin", "config.credential_claim", false},
		{"plugin", "config.minute", false},
		{"plugin", "name", false},
		{"partial", "config.password", true},
		{"vault", "config.token", true},
		{"vault", "config.approle_secret_id", true},
		{"vault", "config.approle_secret_id_file", false},
		{"vault", "config.approle_role_id", false},
		{"vault", "config.cert_auth_cert_key", true},
		{"vault", "config.cert_auth_cert", false},
		{"plugin", "config.content_safety_key", true},
		{"plugin", "config.token_headers_values", true},
		{"plugin", "config.token_headers_names", false},
		{"plugin", "config.authorization_value", true},
		{"plugin", "config.add.headers", false},
		{"vault", "config.region", false},
		{"filter-chain", "filters.config.api_key", true},
	}
	for _, r := range rows {
		if got := gateway.Secret(r.kind, "", strings.Split(r.path, ".")); got != r.secret {
			t.Errorf("%s %s: %v, want %v", r.kind, r.path, got, r.secret)
		}
	}
	if !gateway.Secret("plugin", "loggly", []string{"config", "key"}) || gateway.Secret("plugin", "", []string{"config", "key"}) {
		t.Error("config.key is secret for loggly alone")
	}
	if headers := []string{"config", "headers", "X-Key"}; !gateway.Secret("plugin", "http-log", headers) || gateway.Secret("plugin", "cors", headers[:2]) {
		t.Error("config.headers has values in http-log, and names in cors")
	}
}

func TestHide(t *testing.T) {
	got := changed("plugin", map[string]any{}, map[string]any{
		"name": "openid-connect",
		"config": map[string]any{
			"client_secret": []any{"s3cret"}, "hide_credentials": true, "issuer": "https://me:pw@idp.example/x?a=b",
			"redis": map[string]any{"password": "{vault://env/pw}", "port": json.Number("6379")},
		},
	}, nil)
	want := map[string]plan.OldNew{
		"name":                    {New: "openid-connect"},
		"config.client_secret":    {New: []any{plan.Hidden}},
		"config.hide_credentials": {New: true},
		"config.issuer":           {New: "https://me:[hidden]@idp.example/x?a=b"},
		"config.redis.password":   {New: "{vault://env/pw}"},
		"config.redis.port":       {New: json.Number("6379")},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// changed are the fields that an update changes.
func changed(kind string, before, after map[string]any, secrets []string) map[string]plan.OldNew {
	edits := []gateway.Edit{{Kind: kind, Action: plan.Update, Before: before, After: after}}
	for _, c := range gateway.NewWording(edits, nil, secrets).Changes(edits) {
		return c.ChangedFields
	}
	return nil
}

// What Kong encrypts is secret here, too.
func TestEncryptedFields(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "konnect", "emulator", "entity", "plugin.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var plugins map[string]map[string]any
	if err := yaml.Unmarshal(raw, &plugins); err != nil {
		t.Fatal(err)
	}
	shown := []string{
		"aws-lambda aws_assume_role_arn", // names a role
		"http-log http_endpoint",         // an address, of which the password is hidden
		"openid-connect client_id",       // tells clients apart
	}
	var encrypted, notSecret []string
	var walk func(plugin string, path []string, v any)
	walk = func(plugin string, path []string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				walk(plugin, append(path[:len(path):len(path)], k), x)
			}
		case string:
			kind, _, _ := strings.Cut(v, "=")
			if !slices.Contains(strings.Fields(kind), "*") {
				return
			}
			name := plugin + " " + strings.Join(path[1:], ".")
			encrypted = append(encrypted, name)
			if strings.HasPrefix(v, "map ") {
				path = append(path, "any")
			}
			if !gateway.Secret("plugin", plugin, path) {
				notSecret = append(notSecret, name)
			}
		}
	}
	for name, fields := range plugins {
		walk(name, []string{"config"}, fields)
	}
	slices.Sort(notSecret)
	if diff := cmp.Diff(shown, notSecret); diff != "" || len(encrypted) < 25 {
		t.Errorf("of %d fields: %s", len(encrypted), diff)
	}
}

func TestMask(t *testing.T) {
	key := "-----BEGIN KEY-----\nMIIEpAIBAAKCAQEA\n-----END KEY-----\n"
	rows := []struct {
		text, want string
		secrets    []string
	}{
		{"token abcdef refused", "token [hidden] refused", []string{"abcdef"}},
		{"abcdefgh and abcdef", "[hidden] and [hidden]", []string{"abcdef", "abcdefgh"}},
		{`{"a":"x\"yz12"}`, `{"a":"[hidden]"}`, []string{`x"yz12`}},
		{"?q=aa%2Fb%3Fc", "?q=[hidden]", []string{"aa/b?c"}},
		{"up-a on port 80 of r-prod in zone1", "up-a on port 80 of r-prod in zone1", []string{"a", "80", "prod", "zone1"}},
		{"http://u:p@ss@host/x@y failed", "http://u:[hidden]@host/x@y failed", nil},
		{"nothing", "nothing", []string{"", " "}},
		{fmt.Sprintf("bad key %q", key), `bad key "[hidden]\n"`, []string{key}},
		{"line MIIEpAIBAAKCAQEA is wrong", "line [hidden] is wrong", []string{key}},
	}
	for _, r := range rows {
		if got := gateway.Mask(r.text, r.secrets); got != r.want {
			t.Errorf("%q: %q, want %q", r.text, got, r.want)
		}
	}
}

func TestMaskError(t *testing.T) {
	rows := map[string]struct{ text, want string }{
		"the end of a key":            {"Create key-auth ANKEY for consumer v failed: 409", "Create key-auth key for consumer v failed: 409"},
		"a whole key of few letters":  {"Create key-auth abc failed", "Create key-auth key failed"},
		"a key with blanks":           {"Delete key-auth a b c for consumer a failed", "Delete key-auth key for consumer a failed"},
		"a short secret stands alone": {"password 'pass' of passer is wrong", "password '[hidden]' of passer is wrong"},
		"a long one stands within":    {"xlong-secretx", "x[hidden]x"},
		"short values of variables":   {"Create service prod failed", "Create service prod failed"},
		"no key, though it looks so":  {"key-authentication of ANKEY for consumer v", "key-authentication of ANKEY for consumer v"},
		"our own name stays as it is": {"create key-auth key for consumer v: 400", "create key-auth key for consumer v: 400"},
	}
	for name, r := range rows {
		if got := gateway.MaskError([]string{"prod"}, []string{"pass", "long-secret"})(r.text); got != r.want {
			t.Errorf("%s: %q, want %q", name, got, r.want)
		}
	}
}

// Short values of variables are hidden where they are all of a text, and
// nowhere else: neither in names nor in numbers.
func TestShortSecrets(t *testing.T) {
	before := map[string]any{"name": "up-a", "host": "b", "path": "/b", "connect_timeout": json.Number("60"), "service": map[string]any{"name": "b"}, "tags": []any{"dev"}}
	after := map[string]any{"name": "up-a", "host": "a", "path": "/a", "connect_timeout": json.Number("80"), "service": map[string]any{"name": "a"}, "tags": []any{"prod"}}
	want := []plan.Part{{Kind: "route", Name: "up-a", Action: plan.Update, ChangedFields: map[string]plan.OldNew{
		"host":            {Old: plan.Hidden, New: plan.Hidden},
		"path":            {Old: "/b", New: "/a"},
		"connect_timeout": {Old: json.Number("60"), New: json.Number("80")},
		"service.name":    {Old: "b", New: "a"},
		"tags":            {Old: plan.Hidden, New: []any{plan.Hidden}},
	}}}
	edits := []gateway.Edit{{Kind: "route", Action: plan.Update, Before: before, After: after}}
	got := gateway.Done(gateway.NewWording(edits, nil, []string{"a", "80", "prod"}).Changes(edits))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestChanged(t *testing.T) {
	old := map[string]any{
		"id": "1", "created_at": json.Number("1"), "name": "openid-connect", "enabled": true, "protocols": []any{"http"},
		"tags": []any{"b", "a"}, "service": map[string]any{"id": "1", "name": "users"}, "instance_name": nil,
		"config": map[string]any{"client_secret": []any{"old"}, "minute": json.Number("5"), "path": nil, "scopes": []any{}, "url": "http://a/secret-path"},
	}
	now := map[string]any{
		"id": "2", "created_at": json.Number("2"), "name": "openid-connect", "enabled": true, "protocols": []any{"http", "https"},
		"tags": []any{"a", "b"}, "service": map[string]any{"id": "2", "name": "orders"},
		"config": map[string]any{"client_secret": []any{"new"}, "minute": json.Number("5.0"), "hour": json.Number("7"), "day": json.Number("424242"), "url": "http://b/secret-path"},
	}
	want := map[string]plan.OldNew{
		"protocols":            {Old: []any{"http"}, New: []any{"http", "https"}},
		"service.name":         {Old: "users", New: "orders"},
		"config.client_secret": {Old: []any{plan.Hidden}, New: []any{plan.Hidden}},
		"config.hour":          {Old: nil, New: json.Number("7")},
		"config.day":           {Old: nil, New: plan.Hidden},
		"config.url":           {Old: "http://a/[hidden]", New: "http://b/[hidden]"},
	}
	if diff := cmp.Diff(want, changed("plugin", old, now, []string{"secret-path", "424242"})); diff != "" {
		t.Error(diff)
	}
	if got := changed("plugin", old, old, nil); got != nil {
		t.Errorf("the same entity differs: %v", got)
	}
}
