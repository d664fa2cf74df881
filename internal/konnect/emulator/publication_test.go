package emulator_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A portal lists what is published in it, of APIs and of API packages.
func TestPublicationsOfAPortal(t *testing.T) {
	w := newWorld(t)
	portal, other := w.create("/v3/portals", object{"name": "p"}), w.create("/v3/portals", object{"name": "o"})
	api, pack := w.create("/v3/apis", object{"name": "a"}), w.create("/v3/api-packages", object{"name": "b"})
	w.must(http.StatusOK, http.MethodPut, "/v3/apis/"+api+"/publications/"+portal, object{})
	w.must(http.StatusOK, http.MethodPut, "/v3/apis/"+api+"/publications/"+other, object{})
	w.must(http.StatusOK, http.MethodPut, "/v3/api-packages/"+pack+"/publications/"+portal, object{})
	list := w.must(http.StatusOK, http.MethodGet, "/v3/portals/"+portal+"/api-publications", nil).data()
	if len(list) != 2 || list[0]["api_id"] != api || !cmp.Equal(list[0]["portal_ids"], []any{portal}) || list[1]["api_id"] != pack {
		t.Errorf("listed: %s", show(list))
	}
	if page := w.must(http.StatusOK, http.MethodGet, "/v3/portals/"+portal+"/api-publications?page[size]=1&page[number]=2", nil).data(); len(page) != 1 || page[0]["api_id"] != pack {
		t.Errorf("second page: %s", show(page))
	}
	w.must(http.StatusNotFound, http.MethodGet, "/v3/portals/"+api+"/api-publications", nil)
}

// An API names its specifications, however they came to it.
func TestSpecificationsOfAnAPI(t *testing.T) {
	w := newWorld(t)
	api := "/v3/apis/" + w.create("/v3/apis", object{"name": "a"})
	content := `{"openapi": "3.0.0", "info": {"title": "a", "version": "1.0.0"}, "paths": {}}`
	spec := w.create(api+"/specifications", object{"content": content, "type": "oas3"})
	ids, _ := w.must(http.StatusOK, http.MethodGet, api, nil).field("api_spec_ids").([]any)
	if len(ids) != 1 || ids[0] != spec {
		t.Errorf("api_spec_ids %v, want %s", ids, spec)
	}
}
