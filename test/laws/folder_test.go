package laws

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
	"github.com/kongctl/kongctl/internal/view"
)

// A folder never loses a declaration without a word: whatever key declares something at
// the root of a document, in whatever form of YAML or JSON, and whatever else the document
// looks like, it is a resource, an error, or a warning with a file that counts as skipped,
// so that no sync deletes what it declares.
func TestFoldersLoseNoDeclaration(t *testing.T) {
	cat := testkit.Catalog(t)
	keys := slices.Concat(cat.RootKeys(), slices.Sorted(maps.Keys(cat.FlatSides())), []string{"moved", "external_resources"})
	like := lookalikes(t)
	names := slices.Sorted(maps.Keys(like))
	files := 0
	for i, key := range keys { // some with everything
		forms, alike := i%8 == 0 || strings.Contains(key, "."), like
		if !forms {
			a, b := names[i%len(names)], names[(i+i/8)%len(names)]
			alike = map[string]map[string]any{a: like[a], b: like[b]}
		}
		files += inFolder(t, cat, alike, key, forms, func(name string) map[string]any {
			item := map[string]any{"name": name, "description": "a/b \U0001F600 \u007f"}
			if group, inner, nested := strings.Cut(key, "."); nested {
				return map[string]any{group: map[string]any{inner: []any{item}}}
			}
			return map[string]any{key: []any{item}}
		})
	}
	files += inFolder(t, cat, like, "an object of Kubernetes", true, func(name string) map[string]any {
		return map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": name}, "data": map[string]any{"a": "a/b \U0001F600 \u007f"}}
	})
	if files < 2000 {
		t.Errorf("only %d files were tried", files)
	}
}

// inFolder writes a declaration into a folder beside all that it could be taken for, and in
// all forms, and asks what became of each file.
func inFolder(t *testing.T, cat *catalog.Catalog, like map[string]map[string]any, what string, forms bool, declare func(name string) map[string]any) int {
	t.Helper()
	work := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(work, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a.yaml", "x-a: {}\nx-named: !file named.yaml\n")
	var names []string
	add := func(name, ext string, doc map[string]any, text func(map[string]any) string) {
		names = append(names, strings.ReplaceAll(name, " ", "-")+ext)
		write(names[len(names)-1], text(doc))
	}
	if forms {
		for name, more := range like {
			add("merged like "+name, ".yaml", both(declare("m-"+name), more), yamlForms["merged"])
			add("json like "+name, ".json", both(declare("j-"+name), more), jsonForms["plain"])
		}
		for form, text := range yamlForms {
			add("yaml "+form, ".yaml", declare("y-"+form), text)
		}
		for form, text := range jsonForms {
			add("json "+form, ".json", declare("j-"+form), text)
		}
	}
	for name, more := range like {
		add("like "+name, ".yaml", both(declare("l-"+name), more), yamlForms["block"])
	}
	add("values-x", ".yaml", declare("helm"), yamlForms["block"])
	if doc := declare("named"); doc["kind"] == nil { // an object is content like any other there
		add("values-merged", ".yaml", declare("helm-merged"), yamlForms["merged"])
		add("values-aliased", ".yaml", declare("helm-aliased"), yamlForms["alias as key"])
		add("named", ".yaml", doc, yamlForms["merged"])
	}
	add("target", ".txt", declare("linked"), jsonForms["plain"])
	names[len(names)-1] = "link.json"
	if err := os.Symlink("target.txt", filepath.Join(work, "link.json")); err != nil {
		t.Fatal(err)
	}
	kept := readFolder(cat, work)
	for _, name := range names {
		if !kept[name] {
			text, _ := os.ReadFile(filepath.Join(work, name))
			t.Errorf("%s: nothing was said of %s:\n%.600s", what, name, text)
		}
	}
	return len(names)
}

// readFolder returns the files of a folder that are read, refused, or skipped with a
// warning.
func readFolder(cat *catalog.Catalog, work string) map[string]bool {
	declaring := language.Declaring(cat)
	files, list := source.Load(context.Background(), source.Options{
		WorkDir: work, Claims: claims(cat), Printed: view.Printed(), Declares: func(key string) bool { return declaring[key] },
	})
	set, more := language.Build(cat, files.Of(""), language.Options{Skipped: files.Skipped})
	kept := map[string]bool{}
	for _, d := range files.Documents {
		if d.Claim != "" {
			kept[d.File] = true
		}
	}
	for _, r := range set.Resources {
		kept[r.Pos.File] = true
	}
	for _, d := range append(list, more...) {
		if d.Severity == diag.Error || slices.Contains(set.Skipped, d.Pos.File) {
			kept[d.Pos.File] = true
		}
	}
	return kept
}

var yamlForms = map[string]func(map[string]any) string{
	"flow":      func(doc map[string]any) string { return compact(doc) },
	"block":     func(doc map[string]any) string { return block(doc) },
	"marked":    func(doc map[string]any) string { return "\ufeff" + block(doc) },
	"second":    func(doc map[string]any) string { return "x-first: 1\n---\n" + block(doc) },
	"merged":    func(doc map[string]any) string { return "x-all: &all " + compact(doc) + "\n<<: *all\n" },
	"from list": func(doc map[string]any) string { return "x-all: &all " + compact(doc) + "\n<<: [*all]\n" },
	"alias as key": func(doc map[string]any) string {
		var b strings.Builder
		for i, key := range slices.Sorted(maps.Keys(doc)) {
			fmt.Fprintf(&b, "x-%d: &k%d %s\n*k%d : %s\n", i, i, key, i, compact(doc[key]))
		}
		return b.String()
	},
	"behind what was printed": func(doc map[string]any) string {
		return "error: {message: x, exit_code: 4}\ndiagnostics: []\n---\n" + block(doc)
	},
}

var jsonForms = map[string]func(map[string]any) string{
	"plain":   plainJSON,
	"slashes": func(doc map[string]any) string { return strings.ReplaceAll(plainJSON(doc), "/", `\/`) },
	"surrogates": func(doc map[string]any) string {
		return strings.ReplaceAll(plainJSON(doc), "\U0001F600", `\ud83d\ude00`)
	},
	"tabs":         func(doc map[string]any) string { return indented(doc, "\t") },
	"a byte order": func(doc map[string]any) string { return "\ufeff" + plainJSON(doc) },
	"escaped keys": func(doc map[string]any) string { return escapedKeys(plainJSON(doc)) },
	"key twice": func(doc map[string]any) string {
		return strings.TrimSuffix(plainJSON(doc), "}") + "," + plainJSON(doc)[1:]
	},
	"two values":      func(doc map[string]any) string { return `{"x": 1}` + "\n" + plainJSON(doc) },
	"wrong bytes":     func(doc map[string]any) string { return strings.ReplaceAll(plainJSON(doc), "\U0001F600", "\xe9") },
	"cut short":       func(doc map[string]any) string { return strings.TrimSuffix(plainJSON(doc), "}") },
	"a comma":         func(doc map[string]any) string { return strings.TrimSuffix(plainJSON(doc), "}") + ",}" },
	"comments":        func(doc map[string]any) string { return "// mine\n" + plainJSON(doc) },
	"broken, escaped": func(doc map[string]any) string { return escapedKeys(plainJSON(doc)) + "}" },
	"yaml":            func(doc map[string]any) string { return block(doc) },
	"utf-16":          func(doc map[string]any) string { return wide(plainJSON(doc), binary.LittleEndian) },
	"utf-16, big":     func(doc map[string]any) string { return wide(plainJSON(doc), binary.BigEndian) },
}

// lookalikes are what is no configuration: what kongctl prints, and files of other tools.
func lookalikes(t *testing.T) map[string]map[string]any {
	t.Helper()
	out := map[string]map[string]any{
		"a mark":          {"metadata": map[string]any{"plan_version": "1.0"}},
		"a place":         {"organization": map[string]any{"base_url": "https://x"}},
		"a decK file":     {"_format_version": "3.0"},
		"a Kustomization": {"kind": "Kustomization", "resources": []any{}},
	}
	for name, doc := range printedDocuments() {
		raw, err := json.Marshal(doc)
		var plain map[string]any
		if err == nil {
			err = json.Unmarshal(raw, &plain)
		}
		if err != nil {
			t.Fatal(err)
		}
		out[name] = plain
	}
	return out
}

// printedDocuments are documents that kongctl prints, with where they were made.
func printedDocuments() map[string]any {
	p := &plan.Plan{Metadata: plan.Metadata{Organization: plan.Organization{ID: "x", BaseURL: "https://x"}}}
	return map[string]any{
		"a plan": p, "a report": view.NewReport(p, &execute.Report{}), "drift": view.Drift{Place: view.PlaceOf(p.Metadata), Drift: &plan.Drift{}},
		"an error": view.Failure{Error: &view.Error{}}, "a valid one": view.Valid{}, "findings": view.Lint{},
		"a status": view.LocalStatus{}, "profiles": view.Profiles{}, "settings": view.ProfileSettings{},
	}
}

// both is a document with the keys of two, at all levels. What the first says stays.
func both(doc, more map[string]any) map[string]any {
	out := maps.Clone(doc)
	for key, v := range more {
		inner, isMap := out[key].(map[string]any)
		and, andMap := v.(map[string]any)
		switch _, given := out[key]; {
		case isMap && andMap:
			out[key] = both(inner, and)
		case !given:
			out[key] = value.Clone(v)
		}
	}
	return out
}

func block(doc any) string {
	out, err := yaml.Marshal(doc)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// compact is JSON that is YAML, too.
func compact(doc any) string {
	return strings.ReplaceAll(indented(doc, ""), "\u007f", `\u007f`)
}

// plainJSON is JSON with a control character that YAML does not allow.
func plainJSON(doc map[string]any) string { return strings.ReplaceAll(indented(doc, ""), "\n", "") }

func indented(doc any, by string) string {
	out, err := json.MarshalIndent(doc, "", by)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// escapedKeys writes the first letter of each key as an escape.
func escapedKeys(text string) string {
	var b strings.Builder
	for i, part := range strings.SplitAfter(text, `{"`) {
		if i > 0 && part != "" {
			part = fmt.Sprintf(`\u%04x`, part[0]) + part[1:]
		}
		b.WriteString(part)
	}
	return b.String()
}

// wide is a text in UTF-16, as some shells redirect it.
func wide(text string, order binary.AppendByteOrder) string {
	out := order.AppendUint16(nil, 0xfeff)
	for _, unit := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return string(out)
}
