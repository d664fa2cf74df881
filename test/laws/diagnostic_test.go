package laws

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// pasted is a token that somebody pasted into a configuration.
const pasted = "kpat_hunter2222"

// elsewhere are names that some types have for fields that are no secret.
var elsewhere = []string{"title", "name", "url", "value", "host", "description", "id", "ref", "type", "file", "files", "labels", "content"}

// What stands in a place of which no schema says what it is may be a secret: no
// diagnostic shows it, neither in its words nor in the line that it quotes. Nor does
// one show what stands in the place of a secret, in whatever form.
func TestDiagnosticsHideWhatIsUnknown(t *testing.T) {
	var seen atomic.Int64
	afterAll(t, func() {
		t.Logf("%d diagnostics", seen.Load())
		if seen.Load() < 1000 {
			t.Error("too few")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		below := ""
		if s.t.Parent != nil {
			below = s.parent(s.t)
		}
		for form := range min(forms(s.t.Write(), 0), 2) {
			full := sampler{t: s.t, n: 100 * (form + 1), refs: s.reference}.everything(form)
			for name, wrong := range mistaken(s.t, full) {
				wrong["no_such_field"] = 1 // so that there is a diagnostic
				trial := &scene{w: s.w, t: s.t, lists: map[string][]string{}, made: s.made}
				for k, v := range s.lists {
					trial.lists[k] = append([]string(nil), v...)
				}
				trial.add(s.t, wrong, below)
				list := s.w.diagnostics(trial.text())
				if len(list) == 0 {
					t.Errorf("%s: no diagnostic", name)
				}
				seen.Add(int64(len(list)))
				hidden(t, name, list)
			}
		}
	})
}

// hidden fails where a diagnostic shows what was pasted.
func hidden(t *testing.T, name string, list diag.List) {
	t.Helper()
	for _, d := range list {
		for _, text := range []string{d.Excerpt.Line, d.Detail, d.Fix} {
			if i := strings.Index(text, pasted); i >= 0 {
				t.Errorf("%s: %s shows …%s", name, d.Code, text[max(i-80, 0):i+len(pasted)])
				return
			}
		}
	}
}

// diagnostics are what is wrong with a configuration, with the lines that they are
// about.
func (w *world) diagnostics(text string) diag.List {
	files, list := source.Load(context.Background(), source.Options{Files: []string{"-"}, Stdin: strings.NewReader(text), WorkDir: w.folder(), Claims: claims(w.cat)})
	more, err := w.walkOf(files).Link()
	if err != nil {
		w.t.Fatal(err)
	}
	return files.Quote(append(list, more...))
}

// said are what the targets say about documents. Konnect's lists the fields of all
// types, once.
var said struct {
	once sync.Once
	list []source.Claim
}

func claims(cat *catalog.Catalog) []source.Claim {
	said.once.Do(func() {
		for _, target := range engine.KonnectTargets(cat, nil, plan.Organization{}) {
			said.list = append(said.list, target.Claim())
		}
	})
	return said.list
}

// mistaken are declarations with the pasted token wherever no schema says what it is.
func mistaken(t *catalog.Bound, full map[string]any) map[string]map[string]any {
	out := map[string]map[string]any{}
	in := func(name string) map[string]any {
		if out[name] == nil {
			out[name], _ = value.Clone(full).(map[string]any)
		}
		return out[name]
	}
	all := append([]value.Path{nil}, places(full)...)
	for i := len(all) - 1; i >= 0; i-- { // what is below first
		at := all[i]
		v, _ := value.Get(full, at)
		schema := t.Write().At(at.Generic(), full)
		m, isMap := v.(map[string]any)
		_, isList := v.([]any)
		switch {
		case schema != nil && schema.Secret:
			for name, wrong := range map[string]any{
				"a secret in clear": pasted, "a list of secrets": []any{pasted}, "fields of a secret": map[string]any{"name": pasted, "x": []any{pasted}},
			} {
				value.Set(in(name), at, wrong)
			}
		case isMap && closed(schema, m):
			value.Set(in("an unknown field"), at.Child("probe"), pasted)
			value.Set(in("a list in an unknown field"), at.Child("probe"), []any{pasted, map[string]any{"name": pasted}})
			for _, name := range elsewhere {
				if inNoForm(t, full, at.Child(name)) && !isWord(t, at, name) {
					value.Set(in("a field of another type"), at.Child(name), pasted)
					value.Set(in("a mapping in a field of another type"), at.Child(name), map[string]any{"name": pasted, "title": pasted})
				}
			}
			if len(at) > 0 && onlyMappings(schema) && onlyMappings(t.Write().At(at.Generic(), nil)) && len(schema.Object(m).Names()) > 1 {
				value.Set(in(fmt.Sprintf("a text for a mapping, %d deep", len(at))), at, pasted)
			}
		case !isMap && !isList && inNoForm(t, full, at.Child("name")):
			value.Set(in("a mapping for a single value"), at, map[string]any{"name": pasted, "title": []any{pasted}})
		}
	}
	return out
}

// inNoForm reports whether a path leads to no field, in whatever form of the unions
// on its way.
func inNoForm(t *catalog.Bound, full map[string]any, at value.Path) bool {
	return t.Write().At(at.Generic(), full) == nil && t.Write().At(at.Generic(), nil) == nil
}

// isWord reports whether a key is a word of the language in a resource.
func isWord(t *catalog.Bound, at value.Path, name string) bool {
	if len(at) > 0 {
		return false
	}
	if name == "ref" || name == "id" || name == t.MapKey {
		return true
	}
	for _, r := range t.References {
		if t.ShortName(r.Field) == name {
			return true
		}
	}
	return false
}

// closed reports whether a mapping has fields alone, and no keys that people choose.
func closed(s *contract.Schema, v map[string]any) bool {
	if s == nil {
		return false
	}
	o := s.Object(v)
	return !o.Open && o.Values == nil && len(o.Names()) > 0
}

// onlyMappings reports whether no form of a schema is a single value.
func onlyMappings(s *contract.Schema) bool {
	if s = s.Deref(); s == nil {
		return false
	}
	if s.Type == "object" {
		return true
	}
	for _, b := range s.Branches() {
		if !onlyMappings(b) {
			return false
		}
	}
	return len(s.Branches()) > 0
}

// The same holds for the words of the language, wherever they stand.
func TestDiagnosticsHideWhatTheLanguageDoesNotKnow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := os.WriteFile(filepath.Join(w.folder(), "kong.yaml"), []byte("_format_version: \"3.0\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	// TOKEN stands for what was pasted.
	wrong := []string{"TOKEN", "[TOKEN]", "{probe: TOKEN}", "{name: {name: TOKEN}, title: [TOKEN], url: {id: TOKEN}}"}
	roots := []string{
		"x-any: %s", "x-any: {name: %s}", "probe: %s", "name: %s", "url: %s", "host: %s", "service: %s", "kongctl: %s", "_defaults: %s", "_defaults: {kongctl: %s}", "_deck: %s", "_deck: {flags: %s}",
		"moved: %s", "moved: [{type: portal, probe: %s}]", "external_resources: %s", "external_resources: [{ref: a, resource_type: portal, probe: %s}]",
		"external_resources: [{ref: a, resource_type: portal, selector: %s}]", "external_resources: [{ref: a, resource_type: portal, selector: {matchExpressions: [{key: x, operator: In, values: %s}]}}]",
		"_info: %s", "_konnect: %s", "_plugin_configs: %s", "services: %s", "plugins: [{name: a, config: %s}]", "portals: [{ref: a, labels: TOKEN}]",
		"portals: [{ref: a, _external: {selector: {matchFields: {probe: TOKEN, client_secret: TOKEN}}}}]",
	}
	items := []string{
		"kongctl: %s", "kongctl: {probe: %s}", "kongctl: {protected: %s}", "_external: %s", "_external: {probe: %s}", "_external: {selector: %s}",
		"_external: {selector: {matchExpressions: %s}}", "_external: {selector: {matchExpressions: [{key: probe, operator: In, values: %s}]}}", "_external: {selector: {matchExpressions: [{probe: %s}]}}",
		"_external: {deck: %s}", "_external: {deck: {probe: %s}}", "probe: %s",
		"_deck: %s", "_deck: {probe: %s}", "_deck: {file: a, flags: %s}", "_deck: {files: [kong.yaml], flags: %s}", "_deck: {state: %s}", "_deck: {state: {probe: %s}}",
		"_deck: {state: {services: %s}}", "_deck: {state: {services: [{name: one, probe: %s}]}}", "_deck: {state: {plugins: [{name: one, config: %s}]}}",
	}
	for _, flag := range []string{"--konnect-token", "--konnect-password", "--headers", "--header", "--token", "--skip-consumers", "--konnect-token:", "-w"} {
		for _, form := range []string{"%s=TOKEN", "%s TOKEN", "%s\", \"TOKEN", "%s=a\", \"TOKEN", "%s=Kong-Admin-Token:TOKEN", "%sTOKEN"} {
			items = append(items, "_deck: {files: [kong.yaml], flags: [\""+fmt.Sprintf(form, flag)+"\"]}")
		}
	}
	for _, root := range []string{"portals", "control_planes", "control_plane_data_plane_certificates"} {
		for _, item := range items {
			roots = append(roots, root+": [{ref: a, "+item+"}]")
		}
	}
	seen := 0
	for _, root := range roots {
		for i, form := range wrong {
			text := root
			switch {
			case strings.Contains(root, "%s"):
				text = fmt.Sprintf(root, form)
			case i > 0:
				continue
			}
			text = strings.ReplaceAll("{no_such_key: 1, "+text+"}\n", "TOKEN", pasted)
			list := w.diagnostics(text)
			seen += len(list)
			hidden(t, text, list)
		}
	}
	if seen < 500 {
		t.Errorf("only %d diagnostics", seen)
	}
}
