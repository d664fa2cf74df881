package live_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/testkit"
)

const others = `
control_planes: [{name: edge, labels: {env: prod}}, {name: inner, labels: {env: stage}}]
portals: [{name: shop}]
`

// What externals ask: one object for an id that a field is about to get, a filtered list for one selector, one
// list for several.
func TestReadsOfExternals(t *testing.T) {
	cp := func(ref, selector string) string {
		return "{ref: " + ref + ", resource_type: control_plane, selector: " + selector + "}"
	}
	const id = "550e8400-e29b-41d4-a716-446655440000"
	for _, row := range []struct {
		name  string
		query live.Query
		text  string
		want  []string
	}{
		{"an id that a field is about to get is asked for once", live.Query{}, "portals: [{ref: p, _external: {id: " + id + "}}]\napis: [{name: a, publications: [{portal: p}]}, {name: b, publications: [{portal: " + id + "}]}]", []string{"GET /v3/apis", "GET /v3/portals/" + id}},
		{"unless nobody wants to know", live.Query{CheckIDs: resource.CheckNoIDs}, "portals: [{ref: p, _external: {id: " + id + "}}]\napis: [{name: a, publications: [{portal: p}]}]", []string{"GET /v3/apis"}},
		{"or a list was read", live.Query{}, "portals: [{ref: p, _external: {id: 00000000-0000-4000-8000-000000000003}}, {name: new}]\napis: [{name: a, publications: [{portal: p}]}]", []string{"GET /v3/apis", "GET /v3/portals"}},
		{"one that the list does not have is asked for", live.Query{}, "portals: [{ref: p, _external: {id: " + id + "}}, {name: new}]\napis: [{name: a, publications: [{portal: p}]}]", []string{"GET /v3/apis", "GET /v3/portals", "GET /v3/portals/" + id}},
		{"one that nothing gets is taken as it is", live.Query{}, "portals: [{ref: p, _external: {id: " + id + "}}]\napis: [{name: a}]", []string{"GET /v3/apis"}},
		{"an id whose name is wanted is asked for once", live.Query{}, "portals: [{ref: p, _external: {id: " + id + "}}]\napis: [{name: a, description: !ref p#name}, {name: b, description: !ref p#display_name}]", []string{"GET /v3/apis", "GET /v3/portals/" + id}},
		{"an id that is to be checked", live.Query{CheckIDs: resource.CheckAllIDs}, "portals: [{ref: p, _external: {id: " + id + "}}]", []string{"GET /v3/portals/" + id}},
		{"one selector is filtered by the server", live.Query{}, "external_resources: [" + cp("a", "{matchFields: {name: edge}}") + "]", []string{"GET /v2/control-planes by name"}},
		{"what no filter can say is sought in the list", live.Query{}, "external_resources: [" + cp("a", "{matchExpressions: [{key: name, operator: Prefix, values: [ed]}]}") + "]", []string{"GET /v2/control-planes"}},
		{"several share one list", live.Query{}, "external_resources: [" + cp("a", "{matchFields: {name: edge}}") + ", " + cp("b", "{matchFields: {name: inner}}") + "]", []string{"GET /v2/control-planes"}},
		{"what is declared of the type shares it, too", live.Query{}, "external_resources: [" + cp("a", "{matchFields: {name: edge}}") + "]\ncontrol_planes: [{name: inner}]", []string{"GET /v2/control-planes"}},
		{
			"core entities: parents first, each list once",
			live.Query{},
			"external_resources: [" + cp("a", "{matchFields: {name: edge}}") + ", {ref: s, resource_type: ce_service, control_plane: a, selector: {matchFields: {name: users}}}, {ref: t, resource_type: ce_service, control_plane: a, selector: {matchFields: {name: flights}}}]",
			[]string{"GET /v2/control-planes by name", "GET /v2/control-planes/01/core-entities/services"},
		},
		{
			"a route by the name of its service: services are read once",
			live.Query{},
			"external_resources: [" + cp("a", "{matchFields: {name: edge}}") + ", {ref: r, resource_type: ce_route, control_plane: a, selector: {matchFields: {service.name: users}}}, {ref: q, resource_type: ce_route, control_plane: a, selector: {matchFields: {service.name: flights}}}]",
			[]string{"GET /v2/control-planes by name", "GET /v2/control-planes/01/core-entities/routes", "GET /v2/control-planes/01/core-entities/services"},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := testkit.New(t)
			w.Concurrency = 1
			w.Sync(others)
			l := w.Load(row.text)
			w.Recorder.Reset()
			q := row.query
			q.Catalog, q.Set, q.Links, q.AllowPending = w.Catalog, l.Set, l.Links, true
			if _, _, err := live.Read(t.Context(), w.Target, q); err != nil {
				t.Fatal(err)
			}
			slices.Sort(row.want)
			equal(t, "requests", requests(w), row.want)
		})
	}
}

// An external that matches what sync would delete keeps it.
func TestExternalsAreNotUndeclared(t *testing.T) {
	for name, external := range map[string]string{
		"by selector": "{selector: {matchFields: {name: edge}}}",
		"by id":       "{id: 00000000-0000-4000-8000-000000000001}",
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Concurrency = 1
			w.Sync(others)
			_, snap, diags := look(t, w, true, resource.PruneFull, "control_planes: [{ref: cp, _external: "+external+"}]\nportals: [{name: shop}]")
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			left, _ := snap.Undeclared(w.Catalog.Kind("control_plane").Neutral(), nil)
			var names []any
			for _, o := range left {
				names = append(names, o.Fields["name"])
			}
			equal(t, "what nothing declares", names, []any{"inner"})
		})
	}
}

// Core entities that a Konnect does not have, or not for everyone, keep nobody
// from deleting their control plane; where somebody looks for one, they count.
func TestUnavailableEntities(t *testing.T) {
	for name, row := range map[string]struct {
		text   string
		failed int
	}{
		"only going along": {"portals: [{name: shop}]", 0},
		"sought": {
			"control_planes: [{ref: cp, name: edge}, {name: inner}]\nportals: [{name: shop}]\nexternal_resources: [{ref: v, resource_type: ce_vault, control_plane: cp, selector: {matchFields: {prefix: env}}}]", 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(others)
			w.Recorder.Intercept = func(r *http.Request, _ string) (*http.Response, error) {
				if strings.HasSuffix(r.URL.Path, "/vaults") {
					return testkit.Refuse(r, http.StatusForbidden, "not for you"), nil
				}
				return nil, nil
			}
			_, snap, _ := look(t, w, true, resource.PruneFull, row.text)
			if got := len(snap.Failures()); got != row.failed {
				t.Errorf("failed: %v", snap.Failures())
			}
		})
	}
}
