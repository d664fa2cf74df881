package emulator_test

import (
	"net/http"
	"strings"
	"testing"
)

// A key of a consumer is made up where it is left out, and shown once.
func TestKeysOfConsumersAreIssued(t *testing.T) {
	w := newWorld(t)
	gateway := "/v1/ai-gateways/" + w.create("/v1/ai-gateways", object{"name": "a", "display_name": "a"})
	consumer := w.create(gateway+"/consumers", object{"name": "alice", "display_name": "Alice", "type": "api-key"})
	keys := gateway + "/consumers/" + consumer + "/credentials"
	made := map[string]bool{}
	for _, body := range []object{
		{"name": "one", "display_name": "One", "type": "api-key"},
		{"name": "two", "display_name": "Two", "type": "api-key", "api_key": nil},
	} {
		r := w.must(http.StatusCreated, http.MethodPost, keys, body)
		key := r.text("api_key")
		if made[key] = true; len(key) < 32 {
			t.Errorf("key %q", key)
		}
		if read := show(w.must(http.StatusOK, http.MethodGet, keys+"/"+r.text("id"), nil).body); strings.Contains(read, "api_key") {
			t.Errorf("read: %s", read)
		}
	}
	if len(made) != 2 {
		t.Error("the keys are the same")
	}
	given := w.must(http.StatusCreated, http.MethodPost, keys, object{"name": "three", "display_name": "Three", "type": "api-key", "api_key": "canary"})
	if list := show(w.must(http.StatusOK, http.MethodGet, keys, nil).body); strings.Contains(list+show(given.body), "canary") || strings.Contains(list, "api_key") {
		t.Errorf("listed: %s", list)
	}
}
