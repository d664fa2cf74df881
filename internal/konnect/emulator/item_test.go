package emulator_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// asItem is what a change of one resource is sent as: an item of a JSON Patch of its
// collection, where that takes one.
func (w *world) asItem(path string, fields object) (string, any) {
	segs := strings.Split(path, "/")
	above := strings.Join(segs[:len(segs)-1], "/")
	op, _, _ := w.cat.Contract.Match(http.MethodPatch, above)
	if op == nil || op.Carried() == nil {
		return path, fields
	}
	item := object{"op": "add", "path": strings.Join(segs[len(segs)-2:], "/")}
	if len(fields) > 0 {
		item["value"] = fields
	}
	return above, []any{item}
}

// writes is the status of a write that is no create.
func writes(op *contract.Operation) int {
	if op.Item {
		return succeeds(op)
	}
	return http.StatusOK
}

// brings reports whether resources of a type come into being with others.
func brings(b *catalog.Bound) bool {
	return b.ReadOnly && b.Parent != nil && b.Create == nil && b.Writer == "" && len(b.References) == 0
}

// brought makes what comes into being with something else below the same parent.
func (m *maker) brought(b *catalog.Bound, ids []string) []string {
	m.w.t.Helper()
	switch b.Kind {
	case "api_operation":
		m.w.create("/v3/apis/"+ids[0]+"/versions", withOperations("1.0.0", "/orders"))
	case "control_plane_mcp_server":
		m.w.create("/v2/control-planes/"+ids[0]+"/core-entities/plugins", mcpServer("weather"))
	default:
		m.w.t.Fatalf("%s cannot be created", b.Kind)
	}
	path, err := b.List.Expand(b.PathParams(b.List, ids, ""))
	if err != nil {
		m.w.t.Fatal(err)
	}
	return append(ids, m.w.must(http.StatusOK, http.MethodGet, path, nil).data()[0]["id"].(string))
}

func mcpServer(name string) object {
	return object{"name": "ai-mcp-proxy", "instance_name": name, "config": object{"mode": "listener"}}
}

// A control plane has the MCP servers of its plugins.
func TestMCPServersOfPlugins(t *testing.T) {
	w := newWorld(t)
	id := w.create("/v2/control-planes", object{"name": "edge"})
	plugins, servers := "/v2/control-planes/"+id+"/core-entities/plugins", "/v1/mcp-cp/"+id+"/mcp-servers"
	names := func(query string) (out []string) {
		t.Helper()
		for _, s := range w.must(http.StatusOK, http.MethodGet, servers+query, nil).data() {
			if s["control_plane_id"] != id {
				t.Errorf("reads %s", show(s))
			}
			out = append(out, s["name"].(string))
		}
		return out
	}
	service := func(name string) object {
		return object{"id": w.create("/v2/control-planes/"+id+"/core-entities/services", object{"name": name, "host": name + ".example.com"})}
	}
	weather, tides, tools := mcpServer("weather"), mcpServer("tides"), mcpServer("tools")
	weather["service"], tides["service"], tools["service"] = service("weather"), service("tides"), service("tools")
	tools["config"] = object{"mode": "conversion-only"}
	first := w.create(plugins, weather)
	w.create(plugins, tides)
	w.create(plugins, tools)
	if d := cmp.Diff([]string{"weather", "tides"}, names("")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"tides"}, names("?filter[name][contains]=ide")); d != "" {
		t.Error(d)
	}
	weather["instance_name"] = "climate"
	w.must(http.StatusOK, http.MethodPut, plugins+"/"+first, weather)
	if d := cmp.Diff([]string{"tides", "climate"}, names("")); d != "" {
		t.Error(d)
	}
	weather["config"] = object{"mode": "conversion-only"}
	w.must(http.StatusOK, http.MethodPut, plugins+"/"+first, weather)
	if d := cmp.Diff([]string{"tides"}, names("")); d != "" {
		t.Error(d)
	}
	weather["config"] = object{"mode": "listener"}
	w.must(http.StatusOK, http.MethodPut, plugins+"/"+first, weather)
	w.must(http.StatusNoContent, http.MethodDelete, plugins+"/"+first, nil)
	if d := cmp.Diff([]string{"tides"}, names("")); d != "" {
		t.Error(d)
	}
	w.must(http.StatusNoContent, http.MethodDelete, "/v2/control-planes/"+id, nil)
	if list, _ := w.local(http.MethodGet, "/__local/state").field("control_plane_mcp_server").([]any); len(list) > 0 {
		t.Errorf("%v are left", list)
	}
}

func withOperations(version string, paths ...string) object {
	var items []string
	for _, p := range paths {
		items = append(items, `"`+p+`": {"get": {}}`)
	}
	return object{"version": version, "spec": object{"content": `{"openapi": "3.0.3", "info": {"title": "x", "version": "1"}, "paths": {` + strings.Join(items, ", ") + `}}`}}
}

// An API has the operations of all of its specifications; a package offers some of
// them, and all changes of a request are made, or none.
func TestOperationsOfPackages(t *testing.T) {
	w := newWorld(t)
	api := "/v3/apis/" + w.create("/v3/apis", object{"name": "a"})
	first := w.create(api+"/versions", withOperations("1", "/orders", "/old"))
	w.create(api+"/versions", withOperations("2", "/orders", "/new"))
	ids := map[string]string{}
	for _, o := range w.must(http.StatusOK, http.MethodGet, api+"/operations", nil).data() {
		ids[o["path"].(string)] = o["id"].(string)
	}
	if len(ids) != 3 {
		t.Fatalf("operations: %v", ids)
	}
	offered := "/v3/api-packages/" + w.create("/v3/api-packages", object{"name": "p"}) + "/operations"
	item := func(does, id string, limit any) object {
		out := object{"op": does, "path": "operations/" + id}
		if does != "remove" {
			out["value"] = object{"rate_limiting_config": limit}
		}
		return out
	}
	count := func(want int) {
		t.Helper()
		if n := len(w.must(http.StatusOK, http.MethodGet, offered, nil).data()); n != want {
			t.Errorf("%d operations, want %d", n, want)
		}
	}
	limit := object{"limit": 5, "duration": "minutes"}
	w.must(http.StatusNotFound, http.MethodPatch, offered, []any{item("add", ids["/orders"], limit), item("add", "7f9fd312-a987-4628-b4c5-bb4f4fddd5f7", nil)})
	count(0)
	w.must(http.StatusNotFound, http.MethodPatch, offered, []any{item("replace", ids["/orders"], limit)})
	w.must(http.StatusBadRequest, http.MethodPatch, offered, []any{item("move", ids["/orders"], limit)})
	w.must(http.StatusBadRequest, http.MethodPatch, offered, `{}`)
	w.must(http.StatusNoContent, http.MethodPatch, offered, []any{item("add", ids["/orders"], limit), item("add", ids["/old"], nil), item("add", ids["/new"], nil)})
	count(3)
	w.must(http.StatusNoContent, http.MethodPatch, offered, []any{item("remove", ids["/new"], nil), item("replace", ids["/orders"], nil)})
	count(2)
	one := w.must(http.StatusOK, http.MethodGet, offered+"/"+ids["/orders"], nil)
	if one.text("path") != "/orders" || one.text("api", "name") != "a" || one.field("rate_limiting_config") != nil {
		t.Errorf("reads %s", show(one.body))
	}
	w.must(http.StatusNoContent, http.MethodDelete, api+"/versions/"+first, nil)
	count(1)
	w.must(http.StatusNoContent, http.MethodDelete, api, nil)
	count(0)
}
