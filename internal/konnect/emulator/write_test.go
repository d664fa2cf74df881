package emulator_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
	"github.com/kongctl/kongctl/internal/testkit"

	"github.com/google/go-cmp/cmp"
)

func TestCreateFillsInDefaults(t *testing.T) {
	w := newWorld(t)
	r := w.must(http.StatusCreated, http.MethodPost, "/v3/portals", object{"name": "dev", "rbac_enabled": true})
	id := r.text("id")
	want := object{
		"id": id, "name": "dev", "display_name": "dev", "description": nil, "labels": object{},
		"authentication_enabled": true, "rbac_enabled": true, "sipr_enabled": false,
		"auto_approve_applications": false, "auto_approve_developers": false,
		"notifications_developer_pii_visibility_enabled": false,
		"default_api_visibility":                         "private", "default_page_visibility": "private",
		"default_application_auth_strategy_id": nil,
		"default_domain":                       r.text("default_domain"), "canonical_domain": r.text("default_domain"),
		"created_at": r.text("created_at"), "updated_at": r.text("created_at"),
	}
	got := r.object()
	if _, err := time.Parse("2006-01-02T15:04:05.000Z", r.text("created_at")); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("created (-want +got):\n%s", diff)
	}
	read := w.must(http.StatusOK, http.MethodGet, "/v3/portals/"+id, nil)
	if diff := cmp.Diff(got, read.object()); diff != "" {
		t.Errorf("read differs from created:\n%s", diff)
	}
	list := w.must(http.StatusOK, http.MethodGet, "/v3/portals", nil)
	if diff := cmp.Diff(got, list.data()[0]); diff != "" {
		t.Errorf("listed differs from created:\n%s", diff)
	}
}

func TestPatch(t *testing.T) {
	portal := "/v3/portals"
	plane := "/v2/control-planes"
	strategy := "/v2/application-auth-strategies"
	oidc := object{"openid-connect": object{"issuer": "https://a.example", "auth_methods": []any{"bearer"}, "credential_claim": []any{"sub"}, "scopes": []any{"a", "b"}, "extra": object{"x": 1.0, "y": 2.0}}}
	with := func(base object, more object) object {
		out := object{}
		for k, v := range base {
			out[k] = v
		}
		for k, v := range more {
			out[k] = v
		}
		return out
	}
	for _, row := range []struct {
		name          string
		path          string
		create, patch object
		field         string
		want          any
	}{
		{"a field is changed", portal, object{"name": "p"}, object{"description": "new"}, "description", "new"},
		{"the others stay", portal, object{"name": "p", "description": "old"}, object{"name": "q"}, "description", "old"},
		{"null removes", portal, object{"name": "p", "description": "old"}, object{"description": nil}, "description", nil},
		{"labels are merged where they may be null", portal, object{"name": "p", "labels": object{"a": "1", "b": "2"}}, object{"labels": object{"b": "3", "c": "4"}}, "labels", object{"a": "1", "b": "3", "c": "4"}},
		{"null removes a label", portal, object{"name": "p", "labels": object{"a": "1", "b": "2"}}, object{"labels": object{"a": nil}}, "labels", object{"b": "2"}},
		{"null removes all labels", portal, object{"name": "p", "labels": object{"a": "1"}}, object{"labels": nil}, "labels", object{}},
		{"null for the labels of a create is none", portal, object{"name": "p", "labels": nil}, object{"name": "q"}, "labels", object{}},
		{"null in the labels of a create is not there", portal, object{"name": "p", "labels": object{"a": nil, "b": "2"}}, object{"name": "q"}, "labels", object{"b": "2"}},
		{"null removes a label that may not be null", plane, object{"name": "cp", "labels": object{"a": "1", "b": "2"}}, object{"labels": object{"a": nil, "c": "3"}}, "labels", object{"b": "2", "c": "3"}},
		{"null removes a label of an event gateway", "/v1/event-gateways", object{"name": "eg", "labels": object{"a": "1", "b": "2"}}, object{"labels": object{"a": nil}}, "labels", object{"b": "2"}},
		{"labels are replaced where they may not be null", plane, object{"name": "cp", "labels": object{"a": "1", "b": "2"}}, object{"labels": object{"c": "4"}}, "labels", object{"c": "4"}},
		{
			"lists are replaced", strategy, with(object{"name": "s", "display_name": "s", "strategy_type": "openid_connect"}, object{"configs": oidc}),
			object{"configs": object{"openid-connect": object{"scopes": []any{"c"}, "extra": object{"x": nil, "z": 3.0}}}},
			"configs",
			object{"openid-connect": object{"issuer": "https://a.example", "auth_methods": []any{"bearer"}, "credential_claim": []any{"sub"}, "scopes": []any{"c"}, "extra": object{"y": 2.0, "z": 3.0}}},
		},
		{"a mapping of free keys is merged", "/v3/apis", object{"name": "a", "attributes": object{"x": []any{"1"}, "y": []any{"2"}}}, object{"attributes": object{"x": nil, "z": []any{"3"}}}, "attributes", object{"y": []any{"2"}, "z": []any{"3"}}},
		{"what is computed comes back when it is removed", "/v3/apis", object{"name": "My API", "slug": "own"}, object{"slug": nil}, "slug", "my-api"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t)
			id := w.create(row.path, row.create)
			before := w.must(http.StatusOK, http.MethodGet, row.path+"/"+id, nil)
			r := w.must(http.StatusOK, http.MethodPatch, row.path+"/"+id, row.patch)
			if diff := cmp.Diff(row.want, r.field(row.field)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", row.field, diff)
			}
			if r.text("created_at") != before.text("created_at") || r.text("updated_at") <= before.text("updated_at") {
				t.Errorf("created %s then %s, updated %s then %s", before.text("created_at"), r.text("created_at"), before.text("updated_at"), r.text("updated_at"))
			}
			if diff := cmp.Diff(r.object(), w.must(http.StatusOK, http.MethodGet, row.path+"/"+id, nil).object()); diff != "" {
				t.Errorf("read differs from patched:\n%s", diff)
			}
		})
	}
}

func TestPatchThatLeavesNonsenseIsRefused(t *testing.T) {
	w := newWorld(t)
	strategy := w.create("/v2/application-auth-strategies", object{"name": "s", "display_name": "s", "strategy_type": "key_auth", "configs": object{"key-auth": object{"key_names": []any{"k"}}}})
	portal := w.create("/v3/portals", object{"name": "p"})
	w.must(http.StatusCreated, http.MethodPost, "/v3/portals/"+portal+"/custom-domain", object{"hostname": "a.example.com", "enabled": true, "ssl": object{"domain_verification_method": "http"}})
	for _, row := range []struct {
		name, path string
		body       object
	}{
		{"a strategy gets the configuration of another type", "/v2/application-auth-strategies/" + strategy, object{"configs": object{"openid-connect": object{"issuer": "https://a.example"}}}},
		{"a strategy's type is changed", "/v2/application-auth-strategies/" + strategy, object{"strategy_type": "openid_connect"}},
		{"a domain that is verified by HTTP skips the CA check", "/v3/portals/" + portal + "/custom-domain", object{"ssl": object{"skip_ca_check": true}}},
		{"a domain gets another host name", "/v3/portals/" + portal + "/custom-domain", object{"hostname": "b.example.com"}},
		{"a required field becomes null", "/v3/portals/" + portal, object{"name": nil}},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := w.in(t)
			before := w.must(http.StatusOK, http.MethodGet, row.path, nil)
			w.problem(w.must(http.StatusBadRequest, http.MethodPatch, row.path, row.body), "BadRequestError")
			if diff := cmp.Diff(before.object(), w.must(http.StatusOK, http.MethodGet, row.path, nil).object()); diff != "" {
				t.Errorf("it changed all the same:\n%s", diff)
			}
		})
	}
}

func TestPutReplacesWhole(t *testing.T) {
	w := newWorld(t)
	cp := w.create("/v2/control-planes", object{"name": "cp"})
	base := "/v2/control-planes/" + cp + "/core-entities/services"
	id := w.create(base, object{"name": "s", "host": "a.example", "path": "/x", "retries": 7})
	r := w.must(http.StatusOK, http.MethodPut, base+"/"+id, object{"name": "s", "host": "b.example"})
	if r.field("path") != nil || r.field("retries") != 5.0 || r.text("host") != "b.example" || r.text("id") != id {
		t.Errorf("replaced: %s", show(r.body))
	}
	portal := w.create("/v3/portals", object{"name": "p"})
	look := "/v3/portals/" + portal + "/customization"
	w.must(http.StatusOK, http.MethodPatch, look, object{"css": "a{}", "theme": object{"mode": "dark"}})
	r = w.must(http.StatusOK, http.MethodPut, look, object{"theme": object{"mode": "light"}})
	if _, shown := r.object()["css"]; shown || r.text("theme", "mode") != "light" {
		t.Errorf("replaced: %s", show(r.body))
	}
}

func TestNamesThatAreTaken(t *testing.T) {
	cert, _ := testkit.Certificate(t, "one", testkit.Epoch())
	strategy := func(name string) object {
		return object{"name": name, "display_name": "s", "strategy_type": "key_auth", "configs": object{"key-auth": object{}}}
	}
	for _, row := range []struct {
		name          string
		path          func(w *world) string
		first, second object
		want          int
	}{
		{"portal", root("/v3/portals"), object{"name": "a"}, object{"name": "a"}, http.StatusConflict},
		{"portal in another case", root("/v3/portals"), object{"name": "a"}, object{"name": "A"}, http.StatusCreated},
		{"control plane", root("/v2/control-planes"), object{"name": "aa"}, object{"name": "aa"}, http.StatusConflict},
		{"auth strategy", root("/v2/application-auth-strategies"), strategy("a"), strategy("a"), http.StatusConflict},
		{"team", root("/v3/teams"), object{"name": "a"}, object{"name": "a"}, http.StatusConflict},
		{"system team", root("/v3/teams"), object{"name": "a"}, object{"name": "organization-admin"}, http.StatusConflict},
		{"catalog service", root("/v1/catalog-services"), object{"name": "a", "display_name": "x"}, object{"name": "a", "display_name": "y"}, http.StatusConflict},
		{"API", root("/v3/apis"), object{"name": "a"}, object{"name": "a"}, http.StatusConflict},
		{"API of the same version", root("/v3/apis"), object{"name": "a", "version": "1"}, object{"name": "a", "version": "1"}, http.StatusConflict},
		{"API of another version", root("/v3/apis"), object{"name": "a", "version": "1"}, object{"name": "a", "version": "2"}, http.StatusCreated},
		{"portal team", below("/v3/portals", object{"name": "p"}, "/teams"), object{"name": "a"}, object{"name": "a"}, http.StatusConflict},
		{"snippet", below("/v3/portals", object{"name": "p"}, "/snippets"), object{"name": "a", "content": ""}, object{"name": "a", "content": ""}, http.StatusConflict},
		{"API version", below("/v3/apis", object{"name": "p"}, "/versions"), object{"version": "1", "spec": object{}}, object{"version": "1", "spec": object{}}, http.StatusConflict},
		{"role", below("/v3/teams", object{"name": "p"}, "/assigned-roles"), role("Admin"), role("Admin"), http.StatusConflict},
		{"another role", below("/v3/teams", object{"name": "p"}, "/assigned-roles"), role("Admin"), role("Viewer"), http.StatusCreated},
		{"data plane certificate", below("/v2/control-planes", object{"name": "cp"}, "/dp-client-certificates"), object{"cert": cert}, object{"cert": strings.ReplaceAll(cert, "\n", "\r\n")}, http.StatusConflict},
		{"gateway service", below("/v2/control-planes", object{"name": "cp"}, "/core-entities/services"), object{"name": "a", "host": "h"}, object{"name": "a", "host": "h"}, http.StatusConflict},
		{"gateway services without a name", below("/v2/control-planes", object{"name": "cp"}, "/core-entities/services"), object{"host": "h"}, object{"host": "h"}, http.StatusCreated},
		{"page", below("/v3/portals", object{"name": "p"}, "/pages"), object{"slug": "a", "content": ""}, object{"slug": "a", "content": ""}, http.StatusConflict},
		{"a singleton that is there", below("/v3/portals", object{"name": "p"}, "/custom-domain"), domain("a.example.com"), domain("b.example.com"), http.StatusConflict},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t)
			path := row.path(w)
			w.must(http.StatusCreated, http.MethodPost, path, row.first)
			r := w.must(row.want, http.MethodPost, path, row.second)
			if row.want == http.StatusConflict && !legacyPath(path) {
				w.problem(r, "ConflictError")
			}
		})
	}
}

func TestNamesAreTakenWithinTheirParentOnly(t *testing.T) {
	w := newWorld(t)
	for _, name := range []string{"one", "two"} {
		w.create("/v3/portals/"+w.create("/v3/portals", object{"name": name})+"/teams", object{"name": "crew"})
	}
}

func TestRenamingToATakenNameIsRefused(t *testing.T) {
	w := newWorld(t)
	w.create("/v3/portals", object{"name": "one"})
	two := w.create("/v3/portals", object{"name": "two"})
	w.must(http.StatusConflict, http.MethodPatch, "/v3/portals/"+two, object{"name": "one"})
	w.must(http.StatusOK, http.MethodPatch, "/v3/portals/"+two, object{"name": "two"})
	w.must(http.StatusOK, http.MethodPatch, "/v3/portals/"+two, object{"name": "three"})
	w.create("/v3/portals", object{"name": "two"})
}

func TestChildrenGoWithTheirParent(t *testing.T) {
	w := newWorld(t)
	portal := w.create("/v3/portals", object{"name": "p"})
	other := w.create("/v3/portals", object{"name": "q"})
	team := w.create("/v3/portals/"+portal+"/teams", object{"name": "crew"})
	w.create("/v3/portals/"+portal+"/teams/"+team+"/assigned-roles", object{
		"role_name": "API Viewer", "entity_type_name": "Services", "entity_region": "eu", "entity_id": portal,
	})
	w.create("/v3/portals/"+portal+"/pages", object{"slug": "a", "content": "x"})
	w.must(http.StatusOK, http.MethodPatch, "/v3/portals/"+portal+"/customization", object{"css": "x"})
	w.must(http.StatusCreated, http.MethodPost, "/v3/portals/"+portal+"/custom-domain", domain("a.example.com"))
	api := w.create("/v3/apis", object{"name": "a"})
	w.must(http.StatusOK, http.MethodPut, "/v3/apis/"+api+"/publications/"+portal, object{})
	w.must(http.StatusOK, http.MethodPut, "/v3/apis/"+api+"/publications/"+other, object{})

	w.must(http.StatusConflict, http.MethodDelete, "/v3/portals/"+portal, nil)
	w.must(http.StatusNoContent, http.MethodDelete, "/v3/portals/"+portal+"?force=true", nil)

	state := w.must(http.StatusOK, http.MethodGet, "/__local/state", nil)
	left := map[string]int{}
	for kind, list := range state.object() {
		if n := len(list.([]any)); kind != "organization_team" && kind != "organization_user" && !strings.HasPrefix(kind, "notification_") {
			left[kind] = n
		}
	}
	if diff := cmp.Diff(map[string]int{"portal": 1, "api": 1, "api_publication": 1}, left); diff != "" {
		t.Errorf("what is left (-want +got):\n%s", diff)
	}
	if list := w.must(http.StatusOK, http.MethodGet, "/v3/api-publications", nil).data(); len(list) != 1 || list[0]["portal_id"] != other {
		t.Errorf("publications: %s", show(list))
	}
}

// Data of an earlier version may hold such references.
func TestAReferenceThatWentAwayDoesNotBlockOtherChanges(t *testing.T) {
	kept := store.NewMemory()
	w := newWorldOn(t, kept)
	strategy := w.create("/v2/application-auth-strategies", object{"name": "s", "display_name": "s", "strategy_type": "key_auth", "configs": object{"key-auth": object{}}})
	portal := w.create("/v3/portals", object{"name": "p", "default_application_auth_strategy_id": strategy})
	if err := kept.Update(func(tx store.Tx) error { tx.Delete("application_auth_strategy@eu", strategy); return nil }); err != nil {
		t.Fatal(err)
	}
	w.must(http.StatusOK, http.MethodPatch, "/v3/portals/"+portal, object{"description": "x"})
	w.must(http.StatusNotFound, http.MethodGet, "/v2/application-auth-strategies/"+strategy, nil)
}

func root(path string) func(*world) string { return func(*world) string { return path } }

func below(parents string, parent object, path string) func(*world) string {
	return func(w *world) string { return parents + "/" + w.create(parents, parent) + path }
}

func role(name string) object {
	return object{"role_name": name, "entity_type_name": "Control Planes", "entity_region": "eu", "entity_id": "7f9fd312-a987-4628-b4c5-bb4f4fddd5f7"}
}

func domain(host string) object {
	return object{"hostname": host, "enabled": true, "ssl": object{"domain_verification_method": "http"}}
}

// A slug leads to one API, whether it was given or made.
func TestSlugsOfAPIsAreUnique(t *testing.T) {
	w := newWorld(t)
	w.create("/v3/apis", object{"name": "Flight Status", "version": "v1"})
	other := w.create("/v3/apis", object{"name": "other", "slug": "own"})
	for _, row := range []struct {
		what, method, path string
		body               object
	}{
		{"a slug that was given", http.MethodPost, "/v3/apis", object{"name": "third", "slug": "own"}},
		{"a slug that was made", http.MethodPost, "/v3/apis", object{"name": "third", "slug": "flight-status-v1"}},
		{"a slug that would be made", http.MethodPost, "/v3/apis", object{"name": "flight status v1"}},
		{"a change", http.MethodPatch, "/v3/apis/" + other, object{"slug": "flight-status-v1"}},
	} {
		t.Run(row.what, func(t *testing.T) {
			w := w.in(t)
			r := w.must(http.StatusConflict, row.method, row.path, row.body)
			w.problem(r, "ConflictError")
			if r.text("detail") != "API with this slug exists already" {
				t.Errorf("the refusal says %q", r.text("detail"))
			}
		})
	}
	w.must(http.StatusOK, http.MethodPatch, "/v3/apis/"+other, object{"slug": "own", "description": "d"})
	w.must(http.StatusOK, http.MethodPatch, "/v3/apis/"+other, object{"slug": "free"})
	w.create("/v3/apis", object{"name": "third", "slug": "own"})
}

// What a PATCH of a singleton leaves is held against the body of its PUT.
func TestPatchOfASingletonLeavesItWhole(t *testing.T) {
	w := newWorld(t)
	at := "/v3/portals/" + w.must(http.StatusCreated, http.MethodPost, "/v3/portals", object{"name": "dev"}).text("id") + "/integrations"
	for _, body := range []object{{"equal_web": object{}}, {"google_analytics_4": object{"enabled": true}}} {
		w.must(http.StatusBadRequest, http.MethodPatch, at, body)
	}
	whole := object{"enabled": true, "type": "accessibility", "config_data": object{"site_key": strings.Repeat("a", 32)}}
	w.must(http.StatusOK, http.MethodPatch, at, object{"equal_web": whole})
	w.must(http.StatusOK, http.MethodPatch, at, object{"equal_web": object{"enabled": false}})
	w.must(http.StatusOK, http.MethodPatch, at, object{"equal_web": nil})
}
