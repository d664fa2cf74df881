package emulator_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// local asks what needs no token.
func (w *world) local(method, path string, header ...string) reply {
	w.t.Helper()
	h := map[string]string{}
	for i := 0; i+1 < len(header); i += 2 {
		h[header[i]] = header[i+1]
	}
	return w.sendWith(method, path, nil, h)
}

func TestRequestLog(t *testing.T) {
	w := newWorld(t)
	id := w.create("/v3/portals", object{"name": "secret-name"})
	w.must(http.StatusOK, http.MethodGet, "/v3/portals/"+id+"?", nil)
	w.must(http.StatusOK, http.MethodGet, "/v3/portals?filter[name]=hidden", nil)
	w.must(http.StatusOK, http.MethodGet, "/v3/portals", nil)
	w.must(http.StatusNotFound, http.MethodGet, "/v3/none", nil)
	w.must(http.StatusBadRequest, http.MethodPost, "/v3/portals", object{})

	r := w.local(http.MethodGet, "/__local/requests")
	want := object{"POST /v3/portals": 2.0, "GET /v3/portals/{portalId}": 1.0, "GET /v3/portals": 2.0, "unknown": 1.0}
	if diff := cmp.Diff(want, r.field("by_operation")); diff != "" {
		t.Errorf("by operation (-want +got):\n%s", diff)
	}
	if r.field("total") != 6.0 || r.field("writes") != 2.0 {
		t.Errorf("total %v, writes %v", r.field("total"), r.field("writes"))
	}
	recent := r.field("recent").([]any)
	last := recent[len(recent)-1].(object)
	if len(recent) != 6 || last["method"] != "POST" || last["path"] != "/v3/portals" || last["status"] != 400.0 || last["duration"] == "" {
		t.Errorf("recent: %s", show(recent))
	}
	for _, hidden := range []string{"secret-name", "hidden", "Bearer"} {
		if strings.Contains(show(r.body), hidden) {
			t.Errorf("the log holds %q", hidden)
		}
	}
	for range 250 {
		w.must(http.StatusOK, http.MethodGet, "/v3/teams", nil)
	}
	w.must(http.StatusOK, http.MethodGet, "/v3/apis", nil)
	r = w.local(http.MethodGet, "/__local/requests")
	recent = r.field("recent").([]any)
	if len(recent) != 200 || recent[0].(object)["path"] != "/v3/teams" || recent[199].(object)["path"] != "/v3/apis" || r.field("total") != 257.0 {
		t.Errorf("%d recent of %v, the last %s", len(recent), r.field("total"), show(recent[len(recent)-1]))
	}
	w.local(http.MethodDelete, "/__local/requests")
	r = w.local(http.MethodGet, "/__local/requests")
	if diff := cmp.Diff(object{"total": 0.0, "writes": 0.0, "by_operation": object{}, "recent": []any{}}, r.object()); diff != "" {
		t.Errorf("cleared (-want +got):\n%s", diff)
	}
}

// TestStateWithoutSeeds: what a new organization has can be left out of the state.
func TestStateWithoutSeeds(t *testing.T) {
	w := newWorld(t)
	held := func(path string) object {
		out := object{}
		for kind, list := range w.local(http.MethodGet, path).object() {
			if n := len(list.([]any)); n > 0 {
				out[kind] = n
			}
		}
		return out
	}
	if all := held("/__local/state"); all["notification_configuration"] == nil {
		t.Errorf("the state lacks what a new organization has: %s", show(all))
	}
	if diff := cmp.Diff(object{}, held("/__local/state?seeds=no")); diff != "" {
		t.Errorf("a new organization (-want +got):\n%s", diff)
	}
	w.create("/v3/teams", object{"name": "ops"})
	if diff := cmp.Diff(object{"organization_team": 1}, held("/__local/state?seeds=no")); diff != "" {
		t.Errorf("with a team (-want +got):\n%s", diff)
	}
}

func TestStateHasNoSecrets(t *testing.T) {
	w := newWorld(t)
	portal := w.create("/v3/portals", object{"name": "p"})
	w.must(http.StatusOK, http.MethodPatch, "/v3/portals/"+portal+"/authentication-settings", object{"oidc_client_id": "me", "oidc_issuer": "i", "oidc_client_secret": "hush-hush"})
	state := w.local(http.MethodGet, "/__local/state")
	settings := state.field("portal_auth_settings").([]any)[0].(object)
	if settings["oidc_client_id"] != "me" || settings["parent"] != portal {
		t.Errorf("settings: %s", show(settings))
	}
	if strings.Contains(show(state.body), "hush-hush") {
		t.Error("the state shows a secret")
	}
}

func TestSecretsDoNotReachTheFile(t *testing.T) {
	dir := t.TempDir()
	w := newWorldOn(t, openBolt(t, dir))
	portal := w.create("/v3/portals", object{"name": "visible-name"})
	w.must(http.StatusOK, http.MethodPatch, "/v3/portals/"+portal+"/authentication-settings", object{"oidc_client_secret": "hush-hush"})
	raw, err := os.ReadFile(dir + "/konnect.db")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(raw), "visible-name") || strings.Contains(string(raw), "hush-hush") {
		t.Error("the file lacks the name or holds the secret")
	}
}

func TestHealth(t *testing.T) {
	w := newWorld(t)
	r := w.local(http.MethodGet, "/__local/health")
	if diff := cmp.Diff(object{"status": "ok", "version": "test", "pid": float64(os.Getpid())}, r.object()); diff != "" {
		t.Errorf("health (-want +got):\n%s", diff)
	}
	if r := w.local(http.MethodGet, "/__local/none"); r.status != http.StatusNotFound {
		t.Errorf("an unknown page: %d", r.status)
	}
}

func TestReset(t *testing.T) {
	w := newWorld(t)
	w.create("/v3/portals", object{"name": "p"})
	if r := w.local(http.MethodPost, "/__local/reset"); r.status != http.StatusForbidden {
		t.Errorf("without the header: %d", r.status)
	}
	far := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/__local/reset", nil)
	far.RemoteAddr = "192.0.2.1:1234"
	far.Header.Set("X-Kongctl-Local", "1")
	answer := httptest.NewRecorder()
	w.srv.ServeHTTP(answer, far)
	if answer.Code != http.StatusForbidden {
		t.Errorf("from another machine: %d", answer.Code)
	}
	if n := len(w.must(http.StatusOK, http.MethodGet, "/v3/portals", nil).data()); n != 1 {
		t.Errorf("%d portals before the reset", n)
	}
	if r := w.local(http.MethodPost, "/__local/reset", "X-Kongctl-Local", "1"); r.status != http.StatusNoContent {
		t.Fatalf("reset: %d", r.status)
	}
	if n := len(w.must(http.StatusOK, http.MethodGet, "/v3/portals", nil).data()); n != 0 {
		t.Errorf("%d portals after the reset", n)
	}
	if n := len(w.must(http.StatusOK, http.MethodGet, "/v3/teams?filter[name]=organization-admin", nil).data()); n != 1 {
		t.Errorf("%d system teams after the reset", n)
	}
	w.create("/v3/portals", object{"name": "p"})
}
