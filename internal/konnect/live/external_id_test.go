package live_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/testkit"
)

const gateways = `
event_gateways:
  - ref: one
    name: one
    backend_clusters: [{ref: b1, name: b1, authentication: {type: anonymous}, bootstrap_servers: ["a:9092"], tls: {enabled: false}}]
  - ref: two
    name: two
    backend_clusters: [{ref: b2, name: b2, authentication: {type: anonymous}, bootstrap_servers: ["a:9092"], tls: {enabled: false}}]
    schema_registries: [{ref: sr, name: sr, type: confluent, config: {schema_type: avro, endpoint: "https://x", timeout_seconds: 5}}]
`

// cluster is a virtual cluster of a gateway, with a destination.
func cluster(name, destination string) string {
	return "{ref: " + name + ", name: " + name + ", dns_label: " + name + ", authentication: [{type: anonymous}], acl_mode: passthrough, destination: " + destination + "}"
}

// ids finds the ids of what a world has, by the refs of a configuration.
func ids(t *testing.T, w *testkit.World, text string, refs ...string) []string {
	t.Helper()
	l, snap, _ := look(t, w, false, "", text)
	var out []string
	for _, ref := range refs {
		out = append(out, snap.Object(byRef(t, l, ref)).ID)
	}
	return out
}

// An id that a field is about to get, and that nothing below the own parent has, is
// reported in every place; where another declared parent has it, that one is named.
func TestNewIDs(t *testing.T) {
	const none = "550e8400-e29b-41d4-a716-446655440000"
	w := testkit.New(t)
	w.Sync(gateways)
	known := ids(t, w, gateways, "b1", "b2", "sr")
	b1, b2, sr := known[0], known[1], known[2]
	own := "event_gateways:\n  - ref: one\n    name: one\n    virtual_clusters:\n"
	clusters := func(destinations ...string) string {
		text := own
		for i, d := range destinations {
			text += "      - " + cluster(string(rune('v'+i)), d) + "\n"
		}
		return text
	}
	registry := strings.TrimSuffix(cluster("v", "{id: "+b1+"}"), "}") + ", consume_policies: [{ref: p, name: p, type: schema_validation, config: {type: confluent_schema_registry, schema_registry: {id: " + sr + "}}}]}\n"
	for _, row := range []struct {
		name, text string
		want       []string
	}{
		{"one of the own gateway", clusters("{id: " + b1 + "}"), nil},
		{"none, twice", clusters("{id: "+none+"}", "{id: "+none+"}"), []string{"EXT008 5", "EXT008 6"}},
		{"one of a gateway that is not declared", clusters("{id: " + b2 + "}"), []string{"EXT008 5"}},
		{"one of a gateway that is declared", clusters("{id: "+b2+"}", "{id: "+b2+"}") + "  - {ref: two, name: two, backend_clusters: [{name: new, authentication: {type: anonymous}, bootstrap_servers: [\"a:9092\"], tls: {enabled: false}}]}\n", []string{"REF006 5", "REF006 6"}},
		{"one of the gateway above the own parent", own + "      - " + registry, []string{"EXT008 5"}},
		{"one id below two gateways", clusters("{id: "+b1+"}") + "  - ref: two\n    name: two\n    virtual_clusters: [" + cluster("z", "{id: "+b1+"}") + "]\n", []string{"EXT008 8"}},
		{"one id below two gateways, the wrong one first", clusters("{id: "+b2+"}") + "  - ref: two\n    name: two\n    virtual_clusters: [" + cluster("z", "{id: "+b2+"}") + "]\n", []string{"EXT008 5"}},
		{"a name that nothing has, twice", clusters("{name: nope}", "{name: nope}"), []string{"REF002 5", "REF002 6"}},
		{"a lookup that finds nothing, twice", clusters("{id: !lookup {name: nope}}", "{id: !lookup {name: nope}}"), []string{"EXT005 5", "EXT005 6"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, _, diags := look(t, w, false, "", row.text)
			equal(t, "problems", places(diags), row.want)
		})
	}
}

func places(diags diag.List) []string {
	var out []string
	for _, d := range diags {
		out = append(out, string(d.Code)+" "+strings.Split(d.Pos.String(), ":")[1])
	}
	slices.Sort(out)
	return out
}

// Whether an id exists is asked as a courtesy: who may not ask, or gets no answer, can
// plan all the same.
func TestNewIDsThatNobodyCanRead(t *testing.T) {
	const id = "550e8400-e29b-41d4-a716-446655440000"
	const text = "apis: [{name: a, publications: [{portal: " + id + "}]}]"
	for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusInternalServerError} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			w := testkit.New(t)
			asked := 0
			w.Recorder.Intercept = func(r *http.Request, _ string) (*http.Response, error) {
				if strings.HasSuffix(r.URL.Path, id) {
					asked++
					return testkit.Refuse(r, status, "no"), nil
				}
				return nil, nil
			}
			if _, _, diags := look(t, w, false, "", text); len(diags) > 0 || asked == 0 {
				t.Errorf("asked %d times: %v", asked, diags)
			}
		})
	}
	t.Run("somebody gives up", func(t *testing.T) {
		w := testkit.New(t)
		ctx, cancel := context.WithCancel(t.Context())
		w.Recorder.Intercept = func(r *http.Request, _ string) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, id) {
				cancel()
			}
			return nil, nil
		}
		l := w.Load(text)
		if _, _, err := live.Read(ctx, w.Target, live.Query{Catalog: w.Catalog, Set: l.Set, Links: l.Links}); err == nil {
			t.Error("the plan goes on")
		}
	})
}

// An id that waits, or is of a resource that is left out, is no problem.
func TestNewIDsThatNobodyMisses(t *testing.T) {
	const id = "550e8400-e29b-41d4-a716-446655440000"
	for name, q := range map[string]live.Query{
		"pending":  {AllowPending: true},
		"left out": {LeftOut: func(r *resource.Resource) bool { return r.Type.Kind == "api_publication" }},
		"deleted":  {Lenient: true, Brief: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			l := w.Load("apis: [{name: a, publications: [{portal: " + id + "}]}]")
			q.Catalog, q.Set, q.Links = w.Catalog, l.Set, l.Links
			snap, diags, err := live.Read(t.Context(), w.Target, q)
			if err != nil || len(diags) > 0 {
				t.Error(diags, err)
			}
			if x := byRef(t, l, id); snap.Missing(x) != q.AllowPending {
				t.Errorf("missing: %v", snap.Missing(x))
			}
		})
	}
}
