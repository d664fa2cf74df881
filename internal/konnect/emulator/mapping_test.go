package emulator_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Groups lead to teams of a portal while one of its providers is enabled.
func TestGroupMappingsNeedAProvider(t *testing.T) {
	w := newWorld(t)
	portal := "/v3/portals/" + w.create("/v3/portals", object{"name": "p"})
	team := w.create(portal+"/teams", object{"name": "t"})
	config := object{"issuer_url": "https://id.example.com", "client_id": "p"}
	provider := portal + "/identity-providers/" + w.create(portal+"/identity-providers", object{"type": "oidc", "enabled": false, "config": config})
	body := object{"group": "crew", "team_id": team}
	w.must(http.StatusBadRequest, http.MethodPost, provider+"/team-group-mappings", body)
	if list := w.must(http.StatusOK, http.MethodGet, provider+"/team-group-mappings", nil).data(); len(list) != 0 {
		t.Errorf("mappings: %s", show(list))
	}
	w.must(http.StatusOK, http.MethodPatch, provider, object{"enabled": true})
	w.must(http.StatusCreated, http.MethodPost, provider+"/team-group-mappings", body)
}

// The address of the time when a portal had one provider leads to the same mappings.
func TestOldGroupMappings(t *testing.T) {
	w := newWorld(t)
	portal := "/v3/portals/" + w.create("/v3/portals", object{"name": "p"})
	team, other := w.create(portal+"/teams", object{"name": "t"}), w.create(portal+"/teams", object{"name": "u"})
	old := portal + "/identity-provider/team-group-mappings"
	groups := func(team string, groups ...any) object {
		return object{"data": []any{object{"team_id": team, "groups": append([]any{}, groups...)}}}
	}
	w.must(http.StatusBadRequest, http.MethodGet, old, nil)
	w.must(http.StatusBadRequest, http.MethodPatch, old, groups(team, "a"))
	provider := portal + "/identity-providers/" + w.create(portal+"/identity-providers", object{
		"type": "oidc", "enabled": true, "config": object{"issuer_url": "https://id.example.com", "client_id": "p"},
	})
	w.must(http.StatusBadRequest, http.MethodPatch, old, groups("7f9fd312-a987-4628-b4c5-bb4f4fddd5f7", "a"))
	w.must(http.StatusCreated, http.MethodPost, provider+"/team-group-mappings", object{"group": "z", "team_id": other})
	w.must(http.StatusOK, http.MethodPatch, old, groups(team, "a", "b"))
	r := w.must(http.StatusOK, http.MethodPatch, old, groups(team, "b", "c"))
	want := []any{object{"team_id": other, "groups": []any{"z"}}, object{"team_id": team, "groups": []any{"b", "c"}}}
	if diff := cmp.Diff(want, r.field("data")); diff != "" {
		t.Errorf("answered (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, w.must(http.StatusOK, http.MethodGet, old, nil).field("data")); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	if list := w.must(http.StatusOK, http.MethodGet, provider+"/team-group-mappings", nil).data(); len(list) != 3 {
		t.Errorf("mappings: %s", show(list))
	}
	w.must(http.StatusOK, http.MethodPatch, old, groups(team))
	if list := w.must(http.StatusOK, http.MethodGet, old, nil).data(); len(list) != 1 {
		t.Errorf("without groups: %s", show(list))
	}
}

// Other settings can be changed after the provider that a setting needs is gone.
func TestSettingsWithoutTheirProvider(t *testing.T) {
	w := newWorld(t)
	portal := "/v3/portals/" + w.create("/v3/portals", object{"name": "p"})
	settings := portal + "/authentication-settings"
	w.must(http.StatusBadRequest, http.MethodPatch, settings, object{"idp_mapping_enabled": true})
	provider := portal + "/identity-providers/" + w.create(portal+"/identity-providers", object{
		"type": "oidc", "enabled": true, "config": object{"issuer_url": "https://id.example.com", "client_id": "p"},
	})
	w.must(http.StatusOK, http.MethodPatch, settings, object{"idp_mapping_enabled": true})
	w.must(http.StatusNoContent, http.MethodDelete, provider, nil)
	w.must(http.StatusOK, http.MethodPatch, settings, object{"basic_auth_enabled": false})
	w.must(http.StatusOK, http.MethodPatch, settings, object{"idp_mapping_enabled": false})
	w.must(http.StatusBadRequest, http.MethodPatch, settings, object{"idp_mapping_enabled": true})
}
