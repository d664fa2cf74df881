package emulator_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// Roles in the examples of types, of the documentation and of the witness are those
// that Konnect has for the type of entity.
func TestRolesOfExamplesExist(t *testing.T) {
	w := newWorld(t)
	roles := map[string]map[string]bool{} // by the name of the type of entity
	for _, path := range []string{"/v3/roles", "/v3/portal-roles"} {
		for _, group := range w.must(http.StatusOK, http.MethodGet, path, nil).object() {
			g, _ := group.(map[string]any)
			list, _ := g["roles"].(map[string]any)
			name, _ := g["name"].(string)
			roles[name] = map[string]bool{}
			for _, role := range list {
				r, _ := role.(map[string]any)
				text, _ := r["name"].(string)
				roles[name][text] = true
			}
		}
	}
	seen := 0
	check := func(where, role, entity string) {
		if entity == "" || role == "" || roles[entity] == nil {
			return // of some types of entities the contract lists no roles
		}
		if seen++; !roles[entity][role] {
			t.Errorf("%s: %s have no role %q", where, entity, role)
		}
	}
	for _, b := range w.cat.All() {
		role, _ := b.Example["role_name"].(string)
		entity, _ := b.Example["entity_type_name"].(string)
		check(b.Kind, role, entity)
	}
	files, err := filepath.Glob("../../../examples/*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, file := range append(files, "../../../test/sdk/samples.yaml") {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for dec := yaml.NewDecoder(strings.NewReader(string(raw))); ; {
			var doc yaml.Node
			if dec.Decode(&doc) != nil {
				break
			}
			mappings(&doc, func(m map[string]string) { check(file, m["role_name"], m["entity_type_name"]) })
		}
	}
	if seen < 6 {
		t.Errorf("only %d roles were judged", seen)
	}
}

// mappings visits the texts of all mappings.
func mappings(n *yaml.Node, visit func(map[string]string)) {
	if n.Kind == yaml.MappingNode {
		texts := map[string]string{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			texts[n.Content[i].Value] = n.Content[i+1].Value
		}
		visit(texts)
	}
	for _, x := range n.Content {
		mappings(x, visit)
	}
}

// A team of a portal gets no role that portals do not have.
func TestRolesOfPortals(t *testing.T) {
	w := newWorld(t)
	portal := "/v3/portals/" + w.create("/v3/portals", object{"name": "p"})
	api := w.create("/v3/apis", object{"name": "a"})
	roles := portal + "/teams/" + w.create(portal+"/teams", object{"name": "t"}) + "/assigned-roles"
	body := func(role string) object {
		return object{"role_name": role, "entity_id": api, "entity_type_name": "Services", "entity_region": "eu"}
	}
	for role, want := range map[string]int{"API Viewer": http.StatusCreated, "API Consumer": http.StatusCreated, "Boss": http.StatusBadRequest, "Viewer": http.StatusBadRequest} {
		w.must(want, http.MethodPost, roles, body(role))
	}
}

// A role is about one entity, by its id, or about all.
func TestRolesAreAboutAnIDOrAll(t *testing.T) {
	w := newWorld(t)
	user := w.must(http.StatusOK, http.MethodGet, "/v3/users/me", nil).text("id")
	portal := "/v3/portals/" + w.create("/v3/portals", object{"name": "p"})
	for name, row := range map[string]struct{ path, role, kind string }{
		"team":           {"/v3/teams/" + w.create("/v3/teams", object{"name": "t"}), "Viewer", "APIs"},
		"user":           {"/v3/users/" + user, "Viewer", "APIs"},
		"system account": {"/v3/system-accounts/" + w.create("/v3/system-accounts", object{"name": "s", "description": "s"}), "Viewer", "APIs"},
		"portal team":    {portal + "/teams/" + w.create(portal+"/teams", object{"name": "t"}), "API Viewer", "Services"},
	} {
		t.Run(name, func(t *testing.T) {
			w := w.in(t)
			for id, want := range map[string]int{"nope": http.StatusBadRequest, "**": http.StatusBadRequest, "*": http.StatusCreated, "7f9fd312-a987-4628-b4c5-bb4f4fddd5f7": http.StatusCreated} {
				w.must(want, http.MethodPost, row.path+"/assigned-roles", object{"role_name": row.role, "entity_id": id, "entity_type_name": row.kind, "entity_region": "eu"})
			}
		})
	}
}
