package emulator_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A mapping of a service to an API says the same below the service and below the API.
func TestServicesOfAnAPI(t *testing.T) {
	w := newWorld(t)
	api, other := w.create("/v3/apis", object{"name": "a"}), w.create("/v3/apis", object{"name": "b"})
	service := w.create("/v1/catalog-services", object{"name": "s", "display_name": "S"})
	mapping := w.must(http.StatusCreated, http.MethodPost, "/v1/catalog-services/"+service+"/api-mappings", object{"api_id": api})
	if got := mapping.text("service_id"); got != service {
		t.Errorf("service_id %s, want %s", got, service)
	}
	list := w.must(http.StatusOK, http.MethodGet, "/v1/apis/"+api+"/service-mappings", nil).data()
	if diff := cmp.Diff([]object{mapping.object()}, list); diff != "" {
		t.Errorf("mappings of the API (-want +got):\n%s", diff)
	}
	for path, want := range map[string]int{
		"/v1/apis/" + api + "/service-mappings?filter[service_id][eq]=" + service:  1,
		"/v1/apis/" + api + "/service-mappings?filter[service_id][neq]=" + service: 0,
		"/v1/apis/" + other + "/service-mappings":                                  0,
	} {
		if list := w.must(http.StatusOK, http.MethodGet, path, nil).data(); len(list) != want {
			t.Errorf("%s: %s", path, show(list))
		}
	}
	w.must(http.StatusNotFound, http.MethodGet, "/v1/apis/"+service+"/service-mappings", nil)
}

// The criteria of a scorecard are listed as the scorecard shows them.
func TestCriteriaOfAScorecard(t *testing.T) {
	w := newWorld(t)
	m := &maker{w: w, made: map[string][]string{}}
	path := "/v1/scorecards/" + m.make(w.cat.Kind("scorecard"))[0]
	card := w.must(http.StatusOK, http.MethodGet, path, nil)
	list := w.must(http.StatusOK, http.MethodGet, path+"/criteria", nil)
	if shown, _ := card.field("criteria").([]any); len(shown) != 1 || len(list.data()) != 1 || shown[0].(object)["id"] != list.data()[0]["id"] {
		t.Errorf("criteria %s, listed %s", show(card.field("criteria")), show(list.body))
	}
	w.must(http.StatusNotFound, http.MethodGet, "/v1/scorecards/"+missingID+"/criteria", nil)
}

const missingID = "7f9fd312-a987-4628-b4c5-bb4f4fddd5f7"

// A resource is named by its id, or by where it was found.
func TestResourceByItsID(t *testing.T) {
	w := newWorld(t)
	m := &maker{w: w, made: map[string][]string{}}
	first := m.make(w.cat.Kind("resource_mapping"))[0]
	resource := w.must(http.StatusOK, http.MethodGet, "/v1/resource-mappings/"+first, nil).field("resource")
	id, _ := resource.(object)["id"].(string)
	service := w.create("/v1/catalog-services", object{"name": "another", "display_name": "S"})
	second := w.must(http.StatusCreated, http.MethodPost, "/v1/resource-mappings", object{"service": service, "resource": id})
	if diff := cmp.Diff(resource, second.field("resource")); diff != "" {
		t.Errorf("resource (-want +got):\n%s", diff)
	}
	w.must(http.StatusBadRequest, http.MethodPost, "/v1/resource-mappings", object{"service": service, "resource": "b25lIG90aGVy"})
}
