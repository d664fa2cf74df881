package laws

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
	"github.com/kongctl/kongctl/internal/view"
)

const planted = "c4n4ry-in-the-plan"

// at is a value below a path of fields, in lists where items are.
func (f feature) at(v any) any {
	for i := len(f) - 1; i >= 0; i-- {
		switch {
		case f[i].field != "":
			v = map[string]any{f[i].field: v}
		case f[i].item:
			v = []any{v}
		}
	}
	return v
}

// A plan of another program may hold secrets, and so may one that somebody forged: no
// view shows them.
func TestSecretsOfPlansAreNeverShown(t *testing.T) {
	cat := testkit.Catalog(t)
	type place struct {
		kind string
		body map[string]any
		path value.Path
	}
	var places []place
	for _, typ := range cat.All() {
		for _, f := range allSecretFeatures(typ) {
			body, _ := f.at(planted).(map[string]any)
			places = append(places, place{typ.Kind, body, f.path()})
			full, _ := value.Clone(typ.Example).(map[string]any)
			if full == nil {
				continue
			}
			for k, v := range body {
				if m, isMap := full[k].(map[string]any); isMap {
					for name, x := range v.(map[string]any) {
						m[name] = x
					}
				} else {
					full[k] = v
				}
			}
			places = append(places, place{typ.Kind, full, f.path()})
		}
	}
	if len(places) < 50 {
		t.Fatalf("%d secrets", len(places))
	}
	known := len(places)
	for _, name := range []string{"api_key", "client_secret", "password", "token"} {
		places = append(places, place{"widget", map[string]any{"config": map[string]any{name: planted}}, value.Path{"config", name}})
	}
	for i, p := range places {
		var changes []map[string]any
		add := func(action string, keys map[string]any) {
			keys["id"], keys["resource_type"], keys["resource_ref"] = "c"+string(rune('a'+len(changes))), p.kind, "r"+string(rune('a'+len(changes)))
			keys["action"], keys["resource_id"] = action, "1"
			changes = append(changes, keys)
		}
		pair := func(v any) map[string]any { return map[string]any{"old": v, "new": v} }
		top := p.path[0]
		add("CREATE", map[string]any{"fields": p.body})
		add("UPDATE", map[string]any{"fields": p.body, "changed_fields": map[string]any{top: pair(p.body[top])}})
		add("UPDATE", map[string]any{"fields": p.body, "changed_fields": map[string]any{p.path.String(): pair(planted)}})
		add("UPDATE", map[string]any{"fields": map[string]any{top: pair(p.body[top])}})
		add("DELETE", map[string]any{"current_state": p.body, "desired_state": p.body})
		add("UPDATE", map[string]any{"field_changes": []any{map[string]any{"field": p.path.String(), "current_value": planted, "desired_value": planted}}})
		add("CREATE", map[string]any{"secret_writes": []any{map[string]any{"field": "/" + strings.Join(p.path, "/"), "expression": map[string]any{"parts": []any{map[string]any{"literal": planted}}}}}})
		raw, err := json.Marshal(map[string]any{
			"metadata": map[string]any{"version": "1.0", "generator": "another", "mode": "sync"}, "changes": changes,
		})
		if err != nil {
			t.Fatal(err)
		}
		neverShown(t, cat, p.kind+" "+p.path.String()+" of another program", raw)
		if i >= known {
			continue
		}
		ours := &plan.Plan{Metadata: plan.Metadata{PlanVersion: plan.Version, Mode: plan.ModeSync}, Changes: []*plan.Change{
			{ID: "a", ResourceType: p.kind, ResourceRef: "a", Action: plan.Create, Fields: p.body},
			{
				ID: "b", ResourceType: p.kind, ResourceRef: "b", ResourceID: "1", Action: plan.Update, Fields: p.body, CurrentState: p.body,
				ChangedFields: map[string]plan.OldNew{p.path.String(): {Old: planted, New: planted}}, FieldChanges: []plan.FieldChange{{Field: p.path.String(), CurrentValue: planted, DesiredValue: planted}},
			},
		}}
		if raw, err = ours.Write(); err != nil {
			t.Fatal(err)
		}
		neverShown(t, cat, p.kind+" "+p.path.String()+" of a forged plan", raw)
	}
}

// Flags of decK may hold credentials, however they are written.
func TestFlagsOfPlansNeverShowCredentials(t *testing.T) {
	cat := testkit.Catalog(t)
	for name, flags := range map[string]any{
		"a flag and its value":         []any{"--konnect-token=" + planted},
		"separated by a space":         []any{"--konnect-token " + planted},
		"a value by itself":            []any{"--headers", planted},
		"one dash":                     []any{"-s" + planted},
		"behind a flag that is shown":  []any{"--skip-consumers", planted},
		"in a flag that is shown":      []any{"--select-tag a --konnect-token=" + planted},
		"behind a value that is shown": []any{"--select-tag", "a", planted},
		"one line":                     "--select-tag a --konnect-token " + planted,
		"an unknown flag":              []any{"--select-tag=a", "--unknown=" + planted},
		"a switch with a value":        []any{"--analytics=" + planted},
		"a list with a number":         []any{1, "--konnect-token=" + planted},
	} {
		pair := map[string]any{"old": flags, "new": flags}
		change := func(id string, keys map[string]any) map[string]any {
			keys["id"], keys["resource_type"], keys["resource_ref"], keys["action"] = id, plan.DeckType, id, "EXTERNAL_TOOL"
			return keys
		}
		raw, err := json.Marshal(map[string]any{
			"metadata": map[string]any{"version": "1.0", "generator": "another", "mode": "apply"},
			"changes": []any{
				change("a", map[string]any{"fields": map[string]any{"files": []any{"x.yaml"}, "flags": flags}}),
				change("b", map[string]any{"fields": map[string]any{"flags": pair}, "changed_fields": map[string]any{"flags": pair}}),
				change("c", map[string]any{"current_state": map[string]any{"flags": flags}, "field_changes": []any{map[string]any{"field": "flags", "current_value": flags}}}),
				change("d", map[string]any{"fields": map[string]any{"_deck": map[string]any{"flags": flags}}}),
			},
			"summary": map[string]any{"by_external_tools": map[string]any{plan.DeckType: []any{map[string]any{"flags": flags}}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		neverShown(t, cat, name+" of another program", raw)
		ours := &plan.Plan{Metadata: plan.Metadata{PlanVersion: plan.Version, Mode: plan.ModeSync}, Changes: []*plan.Change{{
			ID: "a", ResourceType: plan.DeckType, ResourceRef: "a", Action: plan.ExternalTool, Fields: map[string]any{"flags": flags}, CurrentState: map[string]any{"flags": flags},
			ChangedFields: map[string]plan.OldNew{"flags": {Old: flags, New: flags}}, FieldChanges: []plan.FieldChange{{Field: "flags", CurrentValue: flags}},
		}}}
		list, _ := flags.([]any)
		run := plan.ToolRun{Ref: "a"}
		for _, x := range list {
			if text, isText := x.(string); isText {
				run.Flags = append(run.Flags, text)
			}
		}
		ours.Summary.ByExternalTools = map[string][]plan.ToolRun{plan.DeckType: {run}}
		if raw, err = ours.Write(); err != nil {
			t.Fatal(err)
		}
		neverShown(t, cat, name+" of a forged plan", raw)
	}
}

func neverShown(t *testing.T, cat *catalog.Catalog, what string, raw []byte) {
	t.Helper()
	if !bytes.Contains(raw, []byte(planted)) {
		t.Fatalf("%s: the plan has no secret", what)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "plan.json")
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	h := engine.Host{
		Now: time.Now, WorkDir: func() (string, error) { return dir, nil }, Env: func(string) (string, bool) { return "", false },
		Catalog: func() (*catalog.Catalog, error) { return cat, nil },
	}
	p, err := h.LoadAny(file, func() (ed25519.PublicKey, error) { return nil, nil })
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	document := func(w io.Writer) error {
		raw, err := p.Document()
		if err == nil {
			_, err = w.Write(raw)
		}
		return err
	}
	options := view.PlanOptions{Saved: true}
	for name, show := range map[string]func(io.Writer) error{
		"text":     func(w io.Writer) error { return view.WritePlan(w, p.Plan, options) },
		"markdown": func(w io.Writer) error { return view.WritePlanMarkdown(w, p.Plan, options) },
		"html":     func(w io.Writer) error { return view.WritePlanHTML(w, p.Plan, options) },
		"json":     document,
		"yaml": func(w io.Writer) error {
			raw, err := p.Document()
			if err != nil {
				return err
			}
			return view.WriteDocumentYAML(w, raw)
		},
		"dot":     func(w io.Writer) error { return view.PlanGraph(p.Plan).WriteDOT(w) },
		"mermaid": func(w io.Writer) error { return view.PlanGraph(p.Plan).WriteMermaid(w) },
		"svg":     func(w io.Writer) error { return view.PlanGraph(p.Plan).WriteSVG(w) },
	} {
		var b bytes.Buffer
		if err := show(&b); err != nil {
			t.Fatalf("%s, %s: %v", what, name, err)
		}
		if at := strings.Index(b.String(), planted); at >= 0 {
			t.Errorf("%s, %s shows the secret: …%s", what, name, b.String()[max(0, at-120):at+len(planted)])
		}
	}
	if err := h.Validate(p.Plan); err != nil && strings.Contains(err.Error(), planted) {
		t.Errorf("%s: the error shows the secret: %v", what, err)
	}
}
