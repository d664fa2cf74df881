package emulator_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestAccessTokens(t *testing.T) {
	for _, x := range []struct {
		name, field, prefix string
		body                object
		owner               func(*world) string
	}{
		{
			"of people", "konnect_token", "kpat_",
			object{"name": "ci", "ttl_seconds": 86400},
			func(w *world) string {
				return "/v3/users/" + w.must(http.StatusOK, http.MethodGet, "/v3/users/me", nil).text("id")
			},
		},
		{
			"of system accounts", "token", "spat_",
			object{"name": "ci", "expires_at": "2030-01-02T03:04:05Z"},
			func(w *world) string {
				return "/v3/system-accounts/" + w.create("/v3/system-accounts", object{"name": "bot", "description": "builds"})
			},
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			w := newWorld(t)
			base := x.owner(w) + "/access-tokens"
			made := w.must(http.StatusCreated, http.MethodPost, base, x.body)
			secret := made.text(x.field)
			if !strings.HasPrefix(secret, x.prefix) || made.text("expires_at") == "" {
				t.Fatalf("created: %s", show(made.body))
			}
			w.must(http.StatusConflict, http.MethodPost, base, x.body)
			one := base + "/" + made.text("id")
			list := w.must(http.StatusOK, http.MethodGet, base, nil)
			read := w.must(http.StatusOK, http.MethodGet, one, nil)
			renamed := w.must(http.StatusOK, http.MethodPatch, one, object{"name": "other"})
			if renamed.text("name") != "other" || renamed.text("expires_at") != made.text("expires_at") {
				t.Errorf("renamed: %s", show(renamed.body))
			}
			if n := len(list.field("data").([]any)); n != 1 {
				t.Errorf("%d tokens are listed", n)
			}
			for _, r := range []string{show(list.body), show(read.body), show(renamed.body)} {
				if strings.Contains(r, secret) || strings.Contains(r, x.field+`"`) {
					t.Errorf("the token is shown again: %s", r)
				}
			}
			w.must(http.StatusCreated, http.MethodPost, base, x.body)
			w.must(http.StatusNoContent, http.MethodDelete, one, nil)
			w.must(http.StatusNotFound, http.MethodGet, one, nil)
			w.must(http.StatusNotFound, http.MethodDelete, one, nil)
		})
	}
}

func TestRevokedAccessToken(t *testing.T) {
	w := newWorld(t)
	base := "/v3/users/" + w.must(http.StatusOK, http.MethodGet, "/v3/users/me", nil).text("id") + "/access-tokens"
	id := w.must(http.StatusCreated, http.MethodPost, base, object{"name": "ci", "ttl_seconds": 86400}).text("id")
	if r := w.must(http.StatusOK, http.MethodPatch, base+"/"+id+"/revoke", nil); r.text("state") != "REVOKED" {
		t.Errorf("revoked: %s", show(r.body))
	}
	old := w.must(http.StatusCreated, http.MethodPost, base, object{"name": "old", "expires_at": "2020-01-02T03:04:05Z"})
	if r := w.must(http.StatusOK, http.MethodGet, base+"/"+old.text("id"), nil); r.text("state") != "EXPIRED" {
		t.Errorf("expired: %s", show(r.body))
	}
}

func TestAccessTokensGoWithTheirAccount(t *testing.T) {
	w := newWorld(t)
	account := "/v3/system-accounts/" + w.create("/v3/system-accounts", object{"name": "bot", "description": "builds"})
	w.must(http.StatusCreated, http.MethodPost, account+"/access-tokens", object{"name": "ci", "expires_at": "2030-01-02T03:04:05Z"})
	w.must(http.StatusNoContent, http.MethodDelete, account, nil)
	w.must(http.StatusNotFound, http.MethodGet, account+"/access-tokens", nil)
}

func TestNoPageShowsAnAccessToken(t *testing.T) {
	w := newWorld(t)
	person := "/v3/users/" + w.must(http.StatusOK, http.MethodGet, "/v3/users/me", nil).text("id") + "/access-tokens"
	account := "/v3/system-accounts/" + w.create("/v3/system-accounts", object{"name": "bot", "description": "builds"}) + "/access-tokens"
	secrets := map[string]string{
		person:  w.must(http.StatusCreated, http.MethodPost, person, object{"name": "ci", "ttl_seconds": 86400}).text("konnect_token"),
		account: w.must(http.StatusCreated, http.MethodPost, account, object{"name": "ci", "expires_at": "2030-01-02T03:04:05Z"}).text("token"),
	}
	for path, secret := range secrets {
		page := w.requestPage(path)
		if !strings.Contains(page.text, `"name": "ci"`) || !strings.Contains(page.text, "[hidden]") || strings.Contains(page.text, secret) {
			t.Errorf("%s is shown as %s", path, page.text)
		}
		for _, about := range []string{"/__local/state", "/__local/requests"} {
			if r := w.local(http.MethodGet, about); strings.Contains(show(r.body), secret) {
				t.Errorf("%s shows the token of %s", about, path)
			}
		}
	}
}
