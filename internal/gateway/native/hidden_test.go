//go:build !nonative

package native

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Whichever way something is written, the answer may quote its secrets.
func TestSecretsOfARequest(t *testing.T) {
	rows := []struct{ method, path, body, want string }{
		{http.MethodPut, "/plugins/1", `{"name":"loggly","config":{"key":"canary"}}`, "canary"},
		{http.MethodPost, "/plugins", `{"name":"loggly","config":{"key":"canary"}}`, "canary"},
		{http.MethodPost, "/consumers/1/key-auth", `{"key":"canary"}`, "canary"},
		{http.MethodPut, "/consumers/1/oauth2/1", `{"client_secret":"canary"}`, "canary"},
		{http.MethodPost, "/vaults", `{"config":{"approle_secret_id":"canary"}}`, "canary"},
		{http.MethodPut, "/services/plugins", `{"config":{"password":"canary"}}`, "canary"},
		{http.MethodPost, "/services", `{"name":"canary"}`, ""},
	}
	for _, r := range rows {
		req, err := http.NewRequestWithContext(t.Context(), r.method, "http://127.0.0.1:1/v2/core-entities"+r.path, strings.NewReader(r.body))
		if err != nil {
			t.Fatal(err)
		}
		g := &gate{secrets: []string{"named"}}
		got, err := g.hidden(req)
		if err != nil || slices.Contains(got, "canary") != (r.want != "") || !slices.Contains(got, "named") {
			t.Errorf("%s %s: %q, %v", r.method, r.path, got, err)
		}
	}
}
