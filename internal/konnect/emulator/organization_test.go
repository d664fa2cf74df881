package emulator_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// organizationOf returns the id that a server answers with.
func organizationOf(t *testing.T, srv *emulator.Server) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/v3/organizations/me", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer x")
	res, err := (&http.Client{Transport: emulator.Transport(srv)}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var body struct{ ID string }
	if err := json.NewDecoder(res.Body).Decode(&body); err != nil {
		t.Fatal(err)
	}
	return body.ID
}

// Every store is an organization of its own for as long as it is not reset.
func TestStoresAreOrganizations(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	open := func(o emulator.Options) *emulator.Server {
		srv, err := emulator.New(cat, o)
		if err != nil {
			t.Fatal(err)
		}
		return srv
	}
	kept := store.NewMemory()
	first := open(emulator.Options{Store: kept})
	id := organizationOf(t, first)
	if again := organizationOf(t, open(emulator.Options{Store: kept})); id == "" || again != id {
		t.Errorf("the organization of one store is %q, then %q", id, again)
	}
	if other := organizationOf(t, open(emulator.Options{})); other == id {
		t.Errorf("two stores are the organization %s", id)
	}
	if err := first.Reset(); err != nil {
		t.Fatal(err)
	}
	if after := organizationOf(t, first); after == "" || after == id {
		t.Errorf("after a reset the organization is %q, and was %q", after, id)
	}
	fixed := open(emulator.Options{NewOrganization: func() string { return "00000000-0000-4000-8000-00000000000a" }})
	if got := organizationOf(t, fixed); got != "00000000-0000-4000-8000-00000000000a" {
		t.Errorf("the organization is %q, not the one that was given", got)
	}
}

// Destinations of audit logs are made at one address, listed, and deleted at another.
func TestAuditLogDestinations(t *testing.T) {
	w := newWorld(t)
	body := object{"name": "siem", "endpoint": "https://siem.example.com", "log_format": "cef", "skip_ssl_verification": false, "authorization": "Bearer s3cret"}
	r := w.must(http.StatusCreated, http.MethodPost, "/v3/audit-log-destinations", body)
	id := r.text("id")
	list := w.must(http.StatusOK, http.MethodGet, "/v3/audit-log-destinations", nil).data()
	if len(list) != 1 || !cmp.Equal(list[0], r.object()) || list[0]["endpoint"] != "https://siem.example.com" || list[0]["created_at"] == nil || list[0]["authorization"] != nil {
		t.Errorf("listed %s, created %s", show(list), show(r.body))
	}
	w.must(http.StatusConflict, http.MethodPost, "/v3/audit-log-destinations", body)
	w.must(http.StatusBadRequest, http.MethodPost, "/v3/audit-log-destinations", object{"endpoint": "https://siem.example.com"})
	w.must(http.StatusBadRequest, http.MethodPost, "/v3/audit-log-destinations", object{"name": 1})
	w.must(http.StatusNoContent, http.MethodDelete, "/v2/audit-log-destinations/"+id, nil)
	w.must(http.StatusNotFound, http.MethodDelete, "/v2/audit-log-destinations/"+id, nil)
	if list := w.must(http.StatusOK, http.MethodGet, "/v3/audit-log-destinations", nil).data(); len(list) != 0 {
		t.Errorf("left: %s", show(list))
	}
}

// The user of the token shows what was changed of the user.
func TestUsersMeFollowsTheUser(t *testing.T) {
	w := newWorld(t)
	before := w.must(http.StatusOK, http.MethodGet, "/v3/users/me", nil)
	w.must(http.StatusOK, http.MethodPatch, "/v3/users/"+before.text("id"), object{"full_name": "Someone Else"})
	after := w.must(http.StatusOK, http.MethodGet, "/v3/users/me", nil)
	if after.text("full_name") != "Someone Else" || after.text("email") != before.text("email") || after.text("id") != before.text("id") {
		t.Errorf("after a change: %s", show(after.body))
	}
}

// A webhook sends to a destination that exists, once the organization has one.
func TestDestinationOfAWebhook(t *testing.T) {
	w := newWorld(t)
	webhook := "/v3/portals/" + w.create("/v3/portals", object{"name": "p"}) + "/audit-log-webhook"
	unknown := object{"enabled": true, "audit_log_destination_id": "7f9fd312-a987-4628-b4c5-bb4f4fddd5f7"}
	w.must(http.StatusOK, http.MethodPatch, webhook, unknown)
	id := w.must(http.StatusCreated, http.MethodPost, "/v3/audit-log-destinations", object{
		"name": "siem", "endpoint": "https://siem.example.com", "log_format": "cef", "skip_ssl_verification": false,
	}).text("id")
	second := "/v3/portals/" + w.create("/v3/portals", object{"name": "q"}) + "/audit-log-webhook"
	w.must(http.StatusBadRequest, http.MethodPatch, second, unknown)
	w.must(http.StatusOK, http.MethodPatch, webhook, object{"enabled": true, "audit_log_destination_id": id})

	// It can be deleted while it is in use, as in Konnect. What leaves the reference alone
	// passes then, and a new one to it does not.
	w.must(http.StatusCreated, http.MethodPost, "/v3/audit-log-destinations", object{"name": "other", "endpoint": "https://siem.example.com", "log_format": "cef"})
	w.must(http.StatusNoContent, http.MethodDelete, "/v2/audit-log-destinations/"+id, nil)
	w.must(http.StatusOK, http.MethodPatch, webhook, object{"enabled": false})
	w.must(http.StatusOK, http.MethodPatch, webhook, object{"enabled": true, "audit_log_destination_id": id})
	w.must(http.StatusBadRequest, http.MethodPatch, webhook, unknown)
	w.must(http.StatusBadRequest, http.MethodPatch, second, object{"enabled": true, "audit_log_destination_id": id})
}

// A token of a system account belongs to no user.
func TestTokensOfSystemAccounts(t *testing.T) {
	w := newWorld(t)
	account := w.create("/v3/system-accounts", object{"name": "bot", "description": "builds"})
	made := w.must(http.StatusCreated, http.MethodPost, "/v3/system-accounts/"+account+"/access-tokens", object{"name": "ci", "expires_at": "2030-01-02T03:04:05Z"})
	me := func(token string) reply {
		t.Helper()
		r := w.sendWith(http.MethodGet, "/v3/users/me", nil, map[string]string{"Authorization": "Bearer " + token})
		if r.status != http.StatusOK {
			t.Fatalf("%d %s", r.status, show(r.body))
		}
		return r
	}
	user := me("kpat_any")
	if got := me(made.text("token")); got.text("id") != account || got.text("full_name") != "bot" || got.text("email") != "" {
		t.Errorf("a token of an account: %s", show(got.body))
	}
	if got := me("spat_other"); got.text("id") == user.text("id") || got.text("id") == account || got.text("email") != "" || got.text("full_name") == "" {
		t.Errorf("a token of an account that is not here: %s", show(got.body))
	}
	w.must(http.StatusNoContent, http.MethodDelete, "/v3/system-accounts/"+account, nil)
	if got := me(made.text("token")); got.text("id") == account {
		t.Errorf("a token of an account that is gone: %s", show(got.body))
	}
}
