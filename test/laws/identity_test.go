package laws

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sort"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// giver is a resource whose text field can hold any identity, and how it is
// found: declared, or as an external, or as an entity of a gateway.
type giver struct {
	name string
	// text is the part of the configuration that holds it; ref names its field.
	text func(w *world, content string) string
	ref  string
}

const giverName = "giver"

func givers() []giver {
	return []giver{
		{
			name: "declared", ref: giverName + "#description",
			text: func(_ *world, content string) string {
				return fmt.Sprintf("apis: [{ref: giver, name: giver, description: %q}]\n", content)
			},
		},
		{
			name: "external", ref: giverName + "#description",
			text: func(w *world, content string) string {
				w.post("/v3/apis", map[string]any{"name": "giver", "description": content})
				return "external_resources: [{ref: giver, resource_type: api, selector: {matchFields: {name: giver}}}]\n"
			},
		},
		{
			name: "gateway entity", ref: giverName + "#name",
			text: func(w *world, content string) string {
				cp := w.post("/v2/control-planes", map[string]any{"name": "giver-cp"})
				w.post("/v2/control-planes/"+cp+"/core-entities/services", map[string]any{"name": content, "host": "giver.internal"})
				return "external_resources: [{ref: giver-cp, resource_type: control_plane, id: " + cp + "}, {ref: giver, resource_type: ce_service, control_plane: giver-cp, selector: {matchFields: {host: giver.internal}}}]\n"
			},
		},
	}
}

// identityTexts lists the fields of a type's identity that may hold any text.
func identityTexts(t *catalog.Bound) []value.Path {
	var out []value.Path
	for _, f := range t.Identity {
		p := value.ParsePath(f)
		s := t.Write().At(p.Generic(), nil)
		if _, isRef := t.Reference(p.Generic()); s != nil && s.Type == "string" && len(s.Enum) == 0 && s.Format == "" && !isRef {
			out = append(out, p)
		}
	}
	return out
}

// A resource whose identity comes from another one is found again: the second
// plan is empty, and the ids stay.
func TestIdentityFromAReference(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		t.Logf("%d identities from references", tried.Load())
		if tried.Load() < 20 {
			t.Error("too few identities were tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		for _, p := range identityTexts(s.t) {
			for _, g := range givers() {
				w := newWorld(t)
				trial := newScene(w, w.cat.Kind(s.t.Kind))
				fields := sampler{t: trial.t, n: 1, refs: trial.reference}.sample(nil)
				content, ok := value.Get(fields, p)
				text, isText := content.(string)
				if !ok || !isText || strings.ContainsAny(text, "\n ") && g.name == "gateway entity" {
					continue
				}
				other := g.text(w, text)
				value.Set(fields, p, refTo{ref: g.ref})
				trial.add(trial.t, fields, trial.parent(trial.t))
				all := merged(trial.text(), other)
				if diags := w.try(all); diags.HasErrors() {
					t.Logf("%s of %s: %v", p, g.name, diags.Err())
					continue
				}
				tried.Add(1)
				w.run(w.plan(all, plan.ModeSync))
				before := w.ids(all)
				w.settled(all, plan.ModeSync)
				w.settled(all, plan.ModeApply)
				if after := w.ids(all); before != after {
					t.Errorf("%s from a %s: ids were %s and are %s", p, g.name, before, after)
				}
			}
		}
	})
}

// merged joins two configurations that may have a root key in common.
func merged(a, b string) string { return a + "---\n_defaults: {kongctl: {namespace: laws}}\n" + b }

// ids says which object each declared resource is.
func (w *world) ids(text string) string {
	w.t.Helper()
	w.plan(text, plan.ModeSync)
	var lines []string
	for _, r := range w.set.Resources {
		id := "none"
		if o := w.snap.Object(r); o != nil {
			id = o.ID
		}
		lines = append(lines, r.Address()+"="+id)
	}
	sort.Strings(lines)
	return strings.Join(lines, " ")
}

// post makes something in the embedded Konnect by hand and returns its id.
func (w *world) post(path string, body map[string]any) string {
	w.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		w.t.Fatal(err)
	}
	req := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(raw))
	req.Header.Set("Authorization", "Bearer local")
	req.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	w.server.ServeHTTP(rec, req)
	var made struct{ ID string }
	if err := json.Unmarshal(rec.Body.Bytes(), &made); err != nil || made.ID == "" {
		w.t.Fatalf("%s: %d %s", path, rec.Code, rec.Body)
	}
	return made.ID
}
