package gateway_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/plan"
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

// What gateways encrypt is secret here, too, in every plugin, but for identifiers; what
// they do not is shown, but for what the supplement to the facts says.
func TestEncryptedFields(t *testing.T) {
	encrypted, identifiers, shown := 0, 0, 0
	var walk func(name string, path []string, f *plugin.Field)
	walk = func(name string, path []string, f *plugin.Field) {
		for f.Element != nil {
			f = f.Element
		}
		for _, x := range f.Fields {
			at := append(path[:len(path):len(path)], x.Name)
			if want := x.IsSecret(); x.Kind != plugin.KindRecord && gateway.Secret("plugin", name, at) != want {
				t.Errorf("%s %s: secret %t, want %t", name, strings.Join(at, "."), !want, want)
			} else if want {
				encrypted++
				if below := append(at[:len(at):len(at)], "any"); !gateway.Secret("plugin", name, below) {
					t.Errorf("%s %s: what is below it is shown", name, strings.Join(at, "."))
				}
				continue
			}
			if shown++; x.Identifier {
				identifiers++
			}
			walk(name, at, x)
		}
	}
	for _, name := range plugin.Names() {
		walk(name, []string{"config"}, plugin.Lookup(name).Config)
	}
	if encrypted < 350 || encrypted+identifiers < 450 || shown < 2000 {
		t.Errorf("%d secret fields, %d identifiers, %d fields that are shown", encrypted, identifiers, shown)
	}
}

func TestSecretsOfPlugins(t *testing.T) {
	for _, row := range []struct {
		plugin, path string
		want         bool
	}{
		{"openid-connect", "config.cache_tokens_salt", true},
		{"openid-connect", "config.client_id", false}, // an identifier
		{"openid-connect", "config.client_secret", true},
		{"upstream-oauth", "config.oauth.client_id", false},
		{"azure-functions", "config.clientid", true}, // of a key
		{"openid-connect", "config.client_jwk.kid", false},
		{"openid-connect", "config.client_jwk.k", true},
		{"openid-connect", "config.new_secret", true}, // not in the table: by its name
		{"http-log", "config.headers.X-Any", true},
		{"request-callout", "config.callouts.request.headers.custom.Authorization", true},
		{"request-callout", "config.callouts.request.headers.custom.X-Mode", false},
		{"my-own", "config.upstream.password", true},
		{"my-own", "config.upstream.host", false},
		{"rate-limiting", "config.redis.password", true},
		{"rate-limiting", "tags", false},
	} {
		if got := gateway.Secret("plugin", row.plugin, strings.Split(row.path, ".")); got != row.want {
			t.Errorf("%s %s: secret %t, want %t", row.plugin, row.path, got, row.want)
		}
	}
}

// A header that a plugin adds is one text with its value.
func TestCredentialsInHeaders(t *testing.T) {
	config := func(token string) map[string]any {
		return map[string]any{"name": "request-transformer", "config": map[string]any{
			"add":    map[string]any{"headers": []any{"Authorization:Bearer " + token, "X-Mode:fast", "X-Api-Key: " + token}, "querystring": []any{"api_key:{vault://env/k}"}},
			"rename": map[string]any{"headers": []any{"Authorization:X-Old"}},
		}}
	}
	got := changed("plugin", map[string]any{"name": "request-transformer"}, config("t0p-secret"), nil)
	want := map[string]plan.OldNew{
		"config.add.headers":     {New: []any{"Authorization:" + plan.Hidden, "X-Mode:fast", "X-Api-Key: " + plan.Hidden}},
		"config.add.querystring": {New: []any{"api_key:{vault://env/k}"}},
		"config.rename.headers":  {New: []any{"Authorization:X-Old"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	texts := gateway.SecretTexts("plugin", config("t0p-secret"))
	slices.Sort(texts)
	if diff := cmp.Diff([]string{"Bearer t0p-secret", "t0p-secret"}, texts); diff != "" {
		t.Error(diff)
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
