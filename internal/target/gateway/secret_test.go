package gateway_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kongctl/internal/target/gateway"
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
}

func TestHide(t *testing.T) {
	got := gateway.Hide("plugin", nil, map[string]any{
		"name": "openid-connect",
		"config": map[string]any{
			"client_secret": []any{"s3cret"}, "hide_credentials": true, "issuer": "https://me:pw@idp.example/x?a=b",
			"redis": map[string]any{"password": "{vault://env/pw}", "port": json.Number("6379")},
		},
	})
	want := map[string]any{
		"name": "openid-connect",
		"config": map[string]any{
			"client_secret": []any{gateway.Hidden}, "hide_credentials": true, "issuer": "https://me:[hidden]@idp.example/x?a=b",
			"redis": map[string]any{"password": "{vault://env/pw}", "port": json.Number("6379")},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestMask(t *testing.T) {
	key := "-----BEGIN KEY-----\nMIIEpAIBAAKCAQEA\n-----END KEY-----\n"
	rows := []struct {
		text, want string
		secrets    []string
	}{
		{"token abcd refused", "token [hidden] refused", []string{"abcd"}},
		{"abcdef and abcd", "[hidden] and [hidden]", []string{"abcd", "abcdef"}},
		{`{"a":"x\"yz1"}`, `{"a":"[hidden]"}`, []string{`x"yz1`}},
		{"?q=a%2Fb%3Fc", "?q=[hidden]", []string{"a/b?c"}},
		{"port 80 of 8080", "port [hidden] of 8080", []string{"80"}},
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

func TestChanged(t *testing.T) {
	old := map[string]any{
		"id": "1", "created_at": json.Number("1"), "name": "openid-connect", "enabled": true, "protocols": []any{"http"},
		"tags": []any{"b", "a"}, "service": map[string]any{"id": "1", "name": "users"}, "instance_name": nil,
		"config": map[string]any{"client_secret": []any{"old"}, "minute": json.Number("5"), "path": nil, "scopes": []any{}, "url": "http://a/pass"},
	}
	now := map[string]any{
		"id": "2", "created_at": json.Number("2"), "name": "openid-connect", "enabled": true, "protocols": []any{"http", "https"},
		"tags": []any{"a", "b"}, "service": map[string]any{"id": "2", "name": "orders"},
		"config": map[string]any{"client_secret": []any{"new"}, "minute": json.Number("5.0"), "hour": json.Number("7"), "day": json.Number("42"), "url": "http://b/pass"},
	}
	want := map[string]gateway.OldNew{
		"protocols":            {Old: []any{"http"}, New: []any{"http", "https"}},
		"service.name":         {Old: "users", New: "orders"},
		"config.client_secret": {Old: []any{gateway.Hidden}, New: []any{gateway.Hidden}},
		"config.hour":          {Old: nil, New: json.Number("7")},
		"config.day":           {Old: nil, New: gateway.Hidden},
		"config.url":           {Old: "http://a/[hidden]", New: "http://b/[hidden]"},
	}
	if diff := cmp.Diff(want, gateway.Changed("plugin", old, now, []string{"pass", "42"})); diff != "" {
		t.Error(diff)
	}
	if got := gateway.Changed("plugin", old, old, nil); got != nil {
		t.Errorf("the same entity differs: %v", got)
	}
}
