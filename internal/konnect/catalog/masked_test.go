package catalog_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/testkit"
)

// Fingerprints of what others write tell every field apart that people can change.
// Only these are left out: secrets, times, and what Konnect works out.
func TestFingerprintsOfWhatOthersWrite(t *testing.T) {
	want := map[string]string{
		"gateway_basic_auth":        "password",
		"gateway_certificate":       "key key_alt",
		"gateway_hmac_auth":         "secret",
		"gateway_jwt":               "secret",
		"gateway_key":               "jwk pem",
		"gateway_key_auth":          "key ttl",
		"gateway_oauth2_credential": "client_secret",
		"portal_application":        "client_id registration_count",
		"api_operation":             "method",
	}
	got, tried := map[string]string{}, 0
	for _, b := range testkit.Catalog(t).All() {
		if !b.ReadOnly || b.Parent == nil {
			continue
		}
		fields := b.Returned().Object(nil)
		base := map[string]any{}
		for _, name := range fields.Names() {
			base[name] = anyValue(fields.Field(name).Schema, "one")
		}
		digest := func(field, text string) string {
			with := map[string]any{}
			for name, v := range base {
				with[name] = v
			}
			with[field] = anyValue(fields.Field(field).Schema, text)
			return b.Neutral().Fingerprint(&resource.Object{ID: "id", Fields: with})
		}
		var same []string
		for _, name := range fields.Names() {
			tried++
			if digest(name, "one") == digest(name, "two") && !slices.Contains([]string{"id", "created_at", "updated_at"}, name) {
				same = append(same, name)
			}
		}
		if slices.Sort(same); len(same) > 0 {
			got[b.Kind] = strings.Join(same, " ")
		}
	}
	if d := cmp.Diff(want, got); d != "" || tried < 200 {
		t.Errorf("%d fields, not compared (-want +got):\n%s", tried, d)
	}
}

// anyValue is a value of a field's type that differs with the text.
func anyValue(s *contract.Schema, text string) any {
	switch s.Deref().Type {
	case "boolean":
		return text == "one"
	case "integer", "number":
		return json.Number(map[string]string{"one": "1", "two": "2"}[text])
	case "array":
		return []any{text}
	case "object":
		return map[string]any{"id": text}
	default:
		return text
	}
}

// Secrets in configurations of plugins, vaults and partials are not part of a
// fingerprint; all else is.
func TestFingerprintsLeaveSecretsOut(t *testing.T) {
	cat := testkit.Catalog(t)
	for name, row := range map[string]struct {
		kind, plugin string
		config       func(text string) map[string]any
		same         bool
	}{
		"a known plugin's secret": {"gateway_plugin", "openid-connect", func(s string) map[string]any { return map[string]any{"client_secret": []any{s}} }, true},
		"another field of it":     {"gateway_plugin", "openid-connect", func(s string) map[string]any { return map[string]any{"issuer": s} }, false},
		"an unknown plugin's":     {"gateway_plugin", "own", func(s string) map[string]any { return map[string]any{"redis_password": s} }, true},
		"a header with its secret": {"gateway_plugin", "request-transformer", func(s string) map[string]any {
			return map[string]any{"add": map[string]any{"headers": []any{"authorization:" + s}}}
		}, true},
		"a header": {"gateway_plugin", "request-transformer", func(s string) map[string]any {
			return map[string]any{"add": map[string]any{"headers": []any{"x-from:" + s}}}
		}, false},
		"a password in a URL": {"gateway_plugin", "own", func(s string) map[string]any { return map[string]any{"url": "https://me:" + s + "@example.com"} }, true},
		"a vault's secret":    {"gateway_vault", "hcv", func(s string) map[string]any { return map[string]any{"token": s} }, true},
		"a vault's host":      {"gateway_vault", "hcv", func(s string) map[string]any { return map[string]any{"host": s} }, false},
		"a partial's secret":  {"gateway_partial", "p", func(s string) map[string]any { return map[string]any{"password": s} }, true},
	} {
		of := func(text string) string {
			return cat.Kind(row.kind).Neutral().Fingerprint(&resource.Object{ID: "id", Fields: map[string]any{"name": row.plugin, "config": row.config(text)}})
		}
		if (of("one-value") == of("two-value")) != row.same {
			t.Errorf("%s: same fingerprint: %t, want %t", name, !row.same, row.same)
		}
	}
}
