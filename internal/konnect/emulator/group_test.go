package emulator_test

import (
	"net/http"
	"testing"
)

func TestOnlyGroupsHaveMembers(t *testing.T) {
	w := newWorld(t)
	plain := w.create("/v2/control-planes", object{"name": "plain"})
	other := w.create("/v2/control-planes", object{"name": "other"})
	group := w.create("/v2/control-planes", object{"name": "group", "cluster_type": "CLUSTER_TYPE_CONTROL_PLANE_GROUP"})
	put := func(status int, of string, ids ...string) {
		t.Helper()
		members := []any{}
		for _, id := range ids {
			members = append(members, object{"id": id})
		}
		w.must(status, http.MethodPut, "/v2/control-planes/"+of+"/group-memberships", object{"members": members})
	}
	put(http.StatusNoContent, plain)
	put(http.StatusBadRequest, plain, other)
	put(http.StatusBadRequest, group, group)
	put(http.StatusBadRequest, group, other, other)
	put(http.StatusNoContent, group, other, plain)
	w.must(http.StatusConflict, http.MethodDelete, "/v2/control-planes/"+plain, nil)
	put(http.StatusNoContent, group, other)
	w.must(http.StatusNoContent, http.MethodDelete, "/v2/control-planes/"+plain, nil)
}
