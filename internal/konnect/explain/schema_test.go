package explain_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/explain"
	"github.com/kongctl/kongctl/internal/testkit"
)

func explainer(t *testing.T) (*explain.Explainer, *catalog.Catalog) {
	t.Helper()
	cat := testkit.Catalog(t)
	described.Do(func() { described.x = engine.Explainer(cat) })
	return described.x, cat
}

// described is the explainer of all tests: they have one catalog.
var described struct {
	sync.Once
	x *explain.Explainer
}

// schemaOf compiles the schema of the language as its JSON is read by others.
func schemaOf(t *testing.T, x *explain.Explainer) *jsonschema.Schema {
	t.Helper()
	compiled.Do(func() { compiled.schema = compile(t, x) })
	if compiled.schema == nil {
		t.Fatal("the schema could not be compiled")
	}
	return compiled.schema
}

var compiled struct {
	sync.Once
	schema *jsonschema.Schema
}

func compile(t *testing.T, x *explain.Explainer) *jsonschema.Schema {
	t.Helper()
	raw, err := json.Marshal(x.Language())
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("kongctl.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("kongctl.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// seen are the documents of a text as an editor sees them: a tag is its argument.
func seen(t *testing.T, text string) []any {
	t.Helper()
	var out []any
	dec := yaml.NewDecoder(strings.NewReader(text))
	for {
		var n yaml.Node
		err := dec.Decode(&n)
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		untag(&n)
		var v any
		if err := n.Decode(&v); err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, plain)
	}
}

func untag(n *yaml.Node) {
	if strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!") {
		n.Tag, n.Style = "", n.Style&^yaml.TaggedStyle
		if n.Kind == yaml.ScalarNode {
			n.Tag = "!!str"
		}
	}
	if n.ShortTag() == "!!timestamp" { // a text, as in JSON
		n.Tag = "!!str"
	}
	for _, c := range n.Content {
		untag(c)
	}
}

var (
	// optional is a line of a scaffold that is not in use.
	optional = regexp.MustCompile(`(?m)^( *)# ( *(?:[\w-]+:|- ))`)
	// plainSecret is a secret whose short form is a variable alone.
	plainSecret = regexp.MustCompile(`!secret \{source: (!env \w+)\}`)
)

// TestSchemaTakesExamples: the schema takes what explain and scaffold print, also with
// every optional line in use, and with secrets in their short form.
func TestSchemaTakesExamples(t *testing.T) {
	x, cat := explainer(t)
	s := schemaOf(t, x)
	for _, b := range cat.All() {
		found, err := x.Find(b.Kind)
		if err != nil {
			t.Fatal(err)
		}
		scaffold := x.Scaffold(found.Type)
		used := optional.ReplaceAllString(scaffold, "$1$2")
		for _, text := range []string{x.Example(found.Type), scaffold, used, plainSecret.ReplaceAllString(used, "$1")} {
			for _, doc := range seen(t, text) {
				if err := s.Validate(doc); err != nil {
					t.Errorf("%s: %v\n%s", b.Kind, err, text)
				}
			}
		}
	}
}

// The examples of the repository are what the schema is for. Those that are
// Kubernetes objects or decK's state are not of this language.
func TestSchemaTakesExampleFolders(t *testing.T) {
	x, cat := explainer(t)
	s := schemaOf(t, x)
	checked := 0
	err := filepath.WalkDir("../../../examples", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".yaml" {
			return err
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, doc := range seen(t, string(raw)) {
			m, ok := doc.(map[string]any)
			if !ok || !ours(cat, m) {
				continue
			}
			checked++
			if err := s.Validate(doc); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked < 5 {
		t.Errorf("only %d documents were checked", checked)
	}
}

func ours(cat *catalog.Catalog, doc map[string]any) bool {
	if doc["_format_version"] != nil || doc["apiVersion"] != nil {
		return false
	}
	for k := range doc {
		if k == "_defaults" || cat.RootKey(k) != nil {
			return true
		}
	}
	return false
}

func TestSchemaTakesForms(t *testing.T) {
	x, _ := explainer(t)
	s := schemaOf(t, x)
	for name, text := range map[string]string{
		"defaults, anchors and an empty list":    "_defaults: {kongctl: {namespace: web, protected: true}}\nx-shared: {a: 1}\napis: []\nportals:\n",
		"a name that is the ref":                 "portals: [{ref: dev}]",
		"a single mapping for a list":            "apis: [{name: a, publications: {portal: dev}}]",
		"flat children":                          "portals: [{name: dev}]\nportal_pages: [{portal: dev, slug: a, content: !file a.md}]",
		"a tree":                                 "portals: [{name: dev, pages: [{slug: a, content: x, children: [{slug: b, content: x}]}]}]",
		"a tag in a number, a choice and a list": "portals: [{name: dev, rbac_enabled: !env RBAC, default_api_visibility: !env VISIBILITY, labels: !file labels.yaml}]",
		"a reference in three forms":             "portals: [{name: dev, default_application_auth_strategy_id: !ref key#id}, {name: b, default_application_auth_strategy: key}, {name: c, default_application_auth_strategy_id: !lookup {name: key}}]",
		"a secret":                               "portals: [{name: dev, auth_settings: {oidc_client_secret: !secret {source: !env S}}}]",
		"externals":                              "control_planes: [{ref: cp, _external: {selector: {matchFields: {name: cp}}}, gateway_services: [{ref: s, _external: {id: x}}]}]\nexternal_resources: [{ref: r, resource_type: ce_service, control_plane: cp, selector: {matchFields: {name: r}}}]",
		"decK":                                   "control_planes: [{name: cp, _deck: {files: [kong.yaml], flags: [--select-tag=a]}}]",
		"a rename":                               "moved: [{type: portal, from: a, to: b}]\nportals: [{name: b}]",
		"labels that are taken away":             "portals: [{name: dev, labels: {team: null}}, {name: old, labels: null}]",
		"underscores for dashes":                 "application_auth_strategies: [{name: k, display_name: K, strategy_type: key_auth, configs: {key_auth: {key_names: [k]}}}]",
		"null for what may be null":              "portals: [{name: dev, description: null}]",
		"null for what only a new resource has":  "control_planes: [{name: cp, cluster_type: null}]",
		"null for keys that are no fields":       "portals: [{name: dev, pages: null, assets: null, customization: null}, {name: b, assets: {logo: null}}]\ncontrol_planes: [{name: cp, _deck: null, members: null}]\napis: [{name: a, versions: [{version: '1', spec: null}]}]",
		"null in decK's block":                   "control_planes: [{name: cp, _deck: {files: null, flags: null, state: {}}}]",
		"a group":                                "organization: {teams: [{name: t}]}",
		"what exists, by name or id":             "organization: {system-accounts: [{ref: ci, name: ci, roles: []}, {ref: cd, id: x}]}",
	} {
		t.Run(name, func(t *testing.T) {
			for _, doc := range seen(t, text) {
				if err := s.Validate(doc); err != nil {
					t.Errorf("%v\n%s", err, text)
				}
			}
		})
	}
}

func TestSchemaFindsErrors(t *testing.T) {
	x, _ := explainer(t)
	s := schemaOf(t, x)
	for name, text := range map[string]string{
		"an unknown root key":              "potrals: [{name: dev}]",
		"an unknown field":                 "portals: [{name: dev, descriptionn: x}]",
		"an unknown nested field":          "portals: [{name: dev, pages: [{slug: a, content: x, tilte: x}]}]",
		"an unknown field of a mapping":    "portals: [{name: dev, customization: {theme: {colour: x}}}]",
		"a field of another variant":       "application_auth_strategies: [{name: k, display_name: K, strategy_type: key_auth, configs: {openid-connect: {}}}]",
		"a field of a new one is missing":  "organization: {system-accounts: [{name: ci, kongctl: {protected: true}}]}",
		"a wrong choice":                   "portals: [{name: dev, default_api_visibility: hidden}]",
		"a text for a boolean":             "portals: [{name: dev, rbac_enabled: 'yes please'}]",
		"a number for a text":              "portals: [{name: 12}]",
		"a mapping for a text":             "portals: [{name: dev, description: {a: b}}]",
		"a mapping for a list at the root": "portals: {name: dev}",
		"no name and no ref":               "portals: [{description: x}]",
		"a required field is missing":      "catalog_services: [{name: a}]",
		"a literal in a secret":            "portals: [{name: dev, auth_settings: {oidc_client_secret: hunter2}}]",
		"a flat child without its parent":  "portal_snippets: [{name: a, content: x}]",
		"a ref with a space":               "portals: [{ref: 'a b'}]",
		"a namespace in capitals":          "portals: [{name: a, kongctl: {namespace: Web}}]",
		"a namespace of a child":           "portals: [{name: a, snippets: [{name: b, content: x, kongctl: {namespace: web}}]}]",
		"a core entity that is declared":   "control_planes: [{name: a, gateway_services: [{name: s, host: h}]}]",
		"two ways to find an external":     "control_planes: [{ref: a, _external: {id: x, selector: {matchFields: {name: a}}}}]",
		"a selector with a typo":           "control_planes: [{ref: a, _external: {selector: {matchField: {name: a}}}}]",
		"an external of no type":           "external_resources: [{ref: r, resource_type: nope, id: x}]",
		"an external of the name of many":  "external_resources: [{ref: r, resource_type: portals, id: x}]",
		"a condition without a field":      "control_planes: [{ref: a, _external: {selector: {matchExpressions: [{operator: Exists}]}}}]",
		"decK on a portal":                 "portals: [{name: a, _deck: {files: [kong.yaml]}}]",
		"a rename without a target":        "moved: [{type: portal, from: a}]",
		"a field that Konnect sets":        "portals: [{name: a, created_at: '2026-01-01T00:00:00Z'}]",
		"too many list items":              "portals: [{name: a, customization: [{css: a}, {css: b}]}]",
	} {
		t.Run(name, func(t *testing.T) {
			for _, doc := range seen(t, text) {
				if s.Validate(doc) == nil {
					t.Errorf("no error in\n%s", text)
				}
			}
		})
	}
}

func TestSchemaOfUnion(t *testing.T) {
	x, cat := explainer(t)
	unions := 0
	for _, b := range cat.All() {
		found, err := x.Find(b.Kind)
		if err != nil || b.ReadOnly || len(b.Write().Branches()) < 2 {
			continue
		}
		unions++
		s := x.Schema(found)
		if list, _ := s["oneOf"].([]any); len(list) != len(b.Write().Branches()) {
			t.Errorf("%s: oneOf has %d variants, want %d", b.Kind, len(list), len(b.Write().Branches()))
		}
	}
	if unions == 0 {
		t.Error("no type is a union")
	}
}

// The schema of one type stands for itself, and names what JSON Schema has no
// words for.
func TestSchemaOfType(t *testing.T) {
	x, cat := explainer(t)
	for _, b := range cat.All() {
		found, err := x.Find(b.Kind)
		if err != nil {
			t.Fatal(err)
		}
		s := x.Schema(found)
		raw, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("type.json", doc); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Compile("type.json"); err != nil {
			t.Errorf("%s: %v", b.Kind, err)
		}
		if s["x-kongctl-resource"] != b.Kind || s["x-kongctl-root-key"] != b.Root() || s["title"] != b.Kind || s["properties"] == nil {
			t.Errorf("%s: the schema does not say what it is of", b.Kind)
		}
	}
}
