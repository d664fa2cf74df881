package explain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/explain"
	"github.com/kongctl/kongctl/internal/source"
)

// mutated are values that stand in the place of others, and what they are.
var mutated = map[string]string{"null": "null", "an empty list": "[]", "an empty mapping": "{}", "a number": "12345", "a boolean": "true", "a list of null": "[null]", "an unknown key": "{zzz_unknown: 1}"}

// TestSchemaAgreesOnMutations: with another value in the place of each field of an
// example, the loader and the schema agree whether it is right.
func TestSchemaAgreesOnMutations(t *testing.T) {
	x, cat := explainer(t)
	s := schemaOf(t, x)
	tried := 0
	for _, b := range cat.All() {
		if b.ReadOnly {
			continue // the schema says little of what others own
		}
		typ := x.Type(b)
		text := x.Example(typ)
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		item := exampleItem(&doc, b)
		if item == nil {
			continue
		}
		mutate(typ, item, func(path, what string) {
			f := typ.Object.Field(path)
			if _, refers := b.Reference([]string{path}); what == "an unknown key" && (refers || b.Set != "" || f != nil && (f.Refers != "" || f.Free || f.Document)) {
				return // a !lookup is a mapping, as an editor sees it, and a specification may be one
			}
			if what == "null" && f != nil && len(f.From) > 0 {
				return // it may be in a file or a heading
			}
			if what == "an empty list" && slices.ContainsFunc(cat.Sides(b), func(side catalog.Side) bool { return side.Key == path }) {
				return // that needs what another resource has
			}
			raw, err := yaml.Marshal(&doc)
			if err != nil {
				t.Fatal(err)
			}
			tried++
			diags := loads(cat, source.Options{Files: []string{"-"}, Stdin: strings.NewReader(string(raw)), WorkDir: t.TempDir()})
			diags = slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.RefUnknown })
			err = s.Validate(seen(t, string(raw))[0])
			if (err == nil) != !diags.HasErrors() {
				t.Errorf("%s.%s: %s: the schema says %v, the loader %v", b.Kind, path, what, err != nil, diags.Err())
			}
		})
	}
	t.Logf("%d mutations", tried)
	if tried < 2000 {
		t.Errorf("only %d mutations were tried", tried)
	}
}

// mutate puts each of the other values into each field that an item has or may have.
func mutate(typ *explain.Type, item *yaml.Node, try func(path, what string)) {
	names := map[string]bool{}
	for _, c := range typ.Children {
		names[c.Key] = true
	}
	for _, f := range typ.Object.Fields {
		names[f.Name] = true
	}
	for i := 0; i < len(item.Content); i += 2 {
		names[item.Content[i].Value] = true
	}
	for _, f := range typ.Object.Fields {
		if f.Short != "" && names[f.Short] {
			delete(names, f.Name) // both are the same
		}
	}
	for name := range names {
		at := slices.IndexFunc(item.Content, func(n *yaml.Node) bool { return n.Value == name })
		for what, text := range mutated {
			var v yaml.Node
			if err := yaml.Unmarshal([]byte(text), &v); err != nil {
				panic(fmt.Sprint(text, err))
			}
			was := slices.Clone(item.Content)
			if at >= 0 && at%2 == 0 {
				item.Content[at+1] = v.Content[0]
			} else {
				item.Content = append(item.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, v.Content[0])
			}
			try(name, what)
			item.Content = was
		}
	}
}
