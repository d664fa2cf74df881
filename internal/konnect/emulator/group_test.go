package emulator_test

import (
	"net/http"
	"slices"
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
	nested := w.create("/v2/control-planes", object{"name": "nested", "cluster_type": "CLUSTER_TYPE_CONTROL_PLANE_GROUP"})
	put(http.StatusBadRequest, group, nested)
	put(http.StatusNoContent, group, other, plain)
	w.must(http.StatusConflict, http.MethodDelete, "/v2/control-planes/"+plain, nil)
	put(http.StatusNoContent, group, other)
	w.must(http.StatusNoContent, http.MethodDelete, "/v2/control-planes/"+plain, nil)
	w.must(http.StatusConflict, http.MethodDelete, "/v2/control-planes/"+group, nil)
	put(http.StatusNoContent, group)
	w.must(http.StatusNoContent, http.MethodDelete, "/v2/control-planes/"+group, nil)
}

func TestMembersJoinAndLeave(t *testing.T) {
	w := newWorld(t)
	first := w.create("/v2/control-planes", object{"name": "first"})
	second := w.create("/v2/control-planes", object{"name": "second"})
	group := w.create("/v2/control-planes", object{"name": "group", "cluster_type": "CLUSTER_TYPE_CONTROL_PLANE_GROUP"})
	of := func(id string) string { return "/v2/control-planes/" + id + "/group-memberships" }
	change := func(status int, of, how string, ids ...string) {
		t.Helper()
		members := []any{}
		for _, id := range ids {
			members = append(members, object{"id": id})
		}
		w.must(status, http.MethodPost, of+how, object{"members": members})
	}
	names := func(want ...string) {
		t.Helper()
		var got []string
		for _, x := range w.must(http.StatusOK, http.MethodGet, of(group), nil).data() {
			got = append(got, x["name"].(string))
		}
		if !slices.Equal(got, want) {
			t.Errorf("members: %v, not %v", got, want)
		}
	}
	change(http.StatusNoContent, of(group), "/add", first)
	change(http.StatusNoContent, of(group), "/add", second, first) // once more
	names("second", "first")
	change(http.StatusBadRequest, of(group), "/add", group)
	change(http.StatusBadRequest, of(first), "/add", second)
	change(http.StatusNotFound, of("6f3c1a2b-0000-4000-8000-000000000000"), "/remove", first)
	change(http.StatusNoContent, of(group), "/remove", second)
	change(http.StatusNoContent, of(group), "/remove", second)
	names("first")
	w.must(http.StatusConflict, http.MethodDelete, "/v2/control-planes/"+first, nil)
	change(http.StatusNoContent, of(group), "/remove", first)
	names()
	w.must(http.StatusNoContent, http.MethodDelete, "/v2/control-planes/"+first, nil)
}
