package emulator_test

import (
	"maps"
	"net/http"
	"testing"
)

// A network may be sent with the state that it starts in, as clients do that
// always send one; a state that it only comes to is refused.
func TestNetworkStartsInAState(t *testing.T) {
	w := newWorld(t)
	body := func(name, state string) object {
		b := maps.Clone(w.cat.Kind("cloud_gateway_network").Example)
		b["name"], b["state"] = name, state
		b["cloud_gateway_provider_account_id"] = "a1f5ce1c-0000-4000-8000-000000000101"
		return b
	}
	const path = "/v2/cloud-gateways/networks"
	for _, state := range []string{"initializing", "offline"} {
		if got := w.must(http.StatusCreated, http.MethodPost, path, body(state, state)).field("state"); got != "ready" {
			t.Errorf("a network that starts as %s is %v, want ready", state, got)
		}
	}
	first := w.must(http.StatusBadRequest, http.MethodPost, path, body("other", "ready")).field("invalid_parameters").([]any)[0].(object)
	if first["field"] != "state" {
		t.Errorf("the refused field is %v, want state", first["field"])
	}
}
