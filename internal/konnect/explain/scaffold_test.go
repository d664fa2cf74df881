package explain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/explain"
	"github.com/kongctl/kongctl/internal/source"
)

// Over all types: what explain describes and people write, scaffold prints in its
// resource, and that loads.
func TestScaffoldOfEveryKey(t *testing.T) {
	x, cat := explainer(t)
	tried := 0
	for _, b := range cat.All() {
		typ := x.Type(b)
		if typ.Class == explain.External {
			continue
		}
		var names []string
		plain := map[string]bool{} // one field of a kind does for others like it
		all := slices.Clone(typ.Object.Fields)
		for _, v := range typ.Object.Variants {
			all = append(all, v.Fields...)
		}
		for _, f := range all {
			if f.Object == nil && f.Items == nil && f.Refers == "" && f.Names == "" {
				kind := fmt.Sprint(f.Type, f.Format, f.Secret)
				if plain[kind] {
					continue
				}
				plain[kind] = true
			}
			names = append(names, f.Name)
		}
		for name := range catalog.Groups(b) {
			names = append(names, name)
		}
		if b.Parent == nil && b.HasLabels() {
			names = append(names, "kongctl")
		}
		for _, name := range names {
			found, err := x.Find(b.Kind + "." + name)
			if err != nil {
				t.Errorf("%s.%s: %v", b.Kind, name, err)
				continue
			}
			tried++
			text, ok := x.ScaffoldAt(found)
			if !ok {
				t.Errorf("%s.%s cannot be scaffolded", b.Kind, name)
				continue
			}
			mustLoad(t, cat, b.Kind+"."+name, text)
		}
	}
	if tried < 200 {
		t.Errorf("%d keys were tried", tried)
	}
}

func mustLoad(t *testing.T, cat *catalog.Catalog, path, text string) {
	t.Helper()
	if err := loads(cat, source.Options{Files: []string{"-"}, Stdin: strings.NewReader(text), WorkDir: t.TempDir()}).Err(); err != nil {
		t.Errorf("%s: %v\n%s", path, err, text)
	}
}

// What people ask for is in the document, below its parents and beside what it needs.
func TestScaffoldAt(t *testing.T) {
	x, cat := explainer(t)
	for path, want := range map[string]string{
		"portal.assets":                               "    assets:\n      logo: \"data:image",
		"portal.teams.group_mappings":                 "        group_mappings: [my-group]\n",
		"api.attributes":                              "    attributes:  # default {}\n      my-key: [my-value]\n",
		"dashboard.definition.preset_filters":         "      preset_filters:  # list of mappings\n",
		"portal.customization.theme.colors":           "        colors:  # default",
		"portal.kongctl.namespace":                    "    kongctl:\n      namespace: my-namespace\n",
		"portal.default_application_auth_strategy_id": "    default_application_auth_strategy: my-",
	} {
		found, err := x.Find(path)
		if err != nil {
			t.Fatal(err)
		}
		text, ok := x.ScaffoldAt(found)
		if !ok || !strings.Contains(text, want) {
			t.Errorf("%s: %v, want %q in\n%s", path, ok, want, text)
		}
		mustLoad(t, cat, path, text)
	}
	for _, path := range []string{"portal.id", "portal.canonical_domain"} {
		found, err := x.Find(path)
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := x.ScaffoldAt(found); ok {
			t.Errorf("%s: nobody writes it:\n%s", path, text)
		}
	}
}
