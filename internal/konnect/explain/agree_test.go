package explain_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/explain"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
)

// loads reads a file the way that validate does and returns what is wrong with it.
func loads(cat *catalog.Catalog, o source.Options) diag.List {
	ext := gateway.Extension()
	files, diags := source.Load(context.Background(), o)
	set, more := language.Build(cat, files.Documents, language.Options{
		Env: func(string) (string, bool) { return "value", true }, Extensions: []resource.Extension{ext},
	})
	_, linked := resource.Link(set)
	return slices.Concat(diags, more, linked)
}

// TestSchemaTakesScripts: what loads of all that the scripts hold is what the schema
// takes.
func TestSchemaTakesScripts(t *testing.T) {
	x, cat := explainer(t)
	s := schemaOf(t, x)
	scripts, err := filepath.Glob("../../../test/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts", err)
	}
	checked := 0
	for _, script := range scripts {
		archive, err := txtar.ParseFile(script)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := txtar.Write(archive, dir); err != nil {
			continue
		}
		for _, f := range archive.Files {
			if ext := filepath.Ext(f.Name); ext != ".yaml" && ext != ".yml" {
				continue
			}
			if loads(cat, source.Options{Files: []string{filepath.Join(dir, f.Name)}, WorkDir: dir, BaseDir: dir}).HasErrors() {
				continue
			}
			for _, doc := range seen(t, directive.ReplaceAllString(string(f.Data), "")) {
				m, ok := doc.(map[string]any)
				if !ok || !ours(cat, m) {
					continue
				}
				checked++
				if err := s.Validate(doc); err != nil {
					t.Errorf("%s of %s: %v", f.Name, filepath.Base(script), err)
				}
			}
		}
	}
	t.Logf("%d documents", checked)
	if checked < 300 {
		t.Errorf("only %d documents were checked", checked)
	}
}

// TestSchemaTakesNull: null for an optional field is what the schema takes where the
// loader does, for every field that a type's example could have beside its own.
func TestSchemaTakesNull(t *testing.T) {
	x, cat := explainer(t)
	s := schemaOf(t, x)
	taken := 0
	for _, b := range cat.All() {
		if b.ReadOnly {
			continue
		}
		typ := x.Type(b)
		text := x.Example(typ)
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
			t.Fatal(err)
		}
		item := exampleItem(&doc, b)
		if item == nil {
			t.Errorf("%s: no item in\n%s", b.Kind, text)
			continue
		}
		nulls(typ.Object, item, nil, func(path string) {
			raw, err := yaml.Marshal(&doc)
			if err != nil {
				t.Fatal(err)
			}
			if loads(cat, source.Options{Files: []string{"-"}, Stdin: strings.NewReader(string(raw)), WorkDir: t.TempDir()}).HasErrors() {
				return
			}
			taken++
			if err := s.Validate(seen(t, string(raw))[0]); err != nil {
				t.Errorf("%s.%s: %v\n%s", b.Kind, path, err, raw)
			}
		})
	}
	t.Logf("%d nulls", taken)
	if taken < 300 {
		t.Errorf("only %d nulls were tried", taken)
	}
}

// directive is what the decoder here does not read.
var directive = regexp.MustCompile(`(?m)^%YAML .*\n`)

// TestSchemaRefusesWhatDoesNotLoad: each of these is refused by the loader and by the
// schema; and what differs from it in the point that matters is taken by both. References need not lead anywhere.
func TestSchemaRefusesWhatDoesNotLoad(t *testing.T) {
	x, cat := explainer(t)
	s := schemaOf(t, x)
	const key = `application_auth_strategies: [{name: k, display_name: K, strategy_type: key_auth, configs: {key-auth: {key_names: [k]}}%s}]`
	for text, fine := range map[string]bool{
		`portals: [{name: p, pages: [{slug: a}]}]`:                                                    false,
		`portals: [{name: p, pages: [{slug: a, content: x}]}]`:                                        true,
		`apis: [{name: a, documents: [{slug: a}]}]`:                                                   false,
		`apis: [{name: a, documents: [{title: A, content: x}]}]`:                                      true,
		`api_packages: [{name: a, documents: [{slug: a}]}]`:                                           false,
		`api_packages: [{name: a, operations: [{ref: o}]}]`:                                           false,
		"apis: [{name: b}]\napi_packages: [{name: a, operations: [{method: GET, path: /a, api: b}]}]": true,
		`apis: [{name: a, versions: [{ref: v}]}]`:                                                     false,
		`apis: [{name: a, versions: [{version: v}]}]`:                                                 true,
		`apis: [{name: a, versions: [{spec: {openapi: 3.0.3, info: {version: "1"}, paths: {}}}]}]`:    true,
		`apis: [{name: a, implementations: [{ref: i}]}]`:                                              false,
		`apis: [{name: a, implementations: [{control_plane: {control_plane_id: 5f9fd312-a987-4628-b4c5-bb4f4fddd5f7}, implementation_url: "https://a.example.com"}]}]`: true,
		`apis: [{name: a, implementations: [{control_plane: {control_plane_id: cp}, service: {id: s, control_plane_id: cp}}]}]`:                                        false,
		fmt.Sprintf(key, ""):                        true,
		fmt.Sprintf(key, ", dcr_provider: d"):       false,
		fmt.Sprintf(key, ", dcr_provider_id: d"):    false,
		fmt.Sprintf(key, ", dcr_provider: null"):    true,
		fmt.Sprintf(key, ", dcr_provider_id: null"): true,
		fmt.Sprintf(key, ", no_such_field: null"):   false,
		`application_auth_strategies: [{name: k, display_name: K, strategy_type: key_auth, configs: {key_auth: {key_names: [k]}, openid_connect: null}}]`:                            true,
		`application_auth_strategies: [{name: k, display_name: K, strategy_type: key_auth, configs: {key-auth: {key_names: [k]}, openid-connect: {}}}]`:                              false,
		`application_auth_strategies: [{name: k, display_name: K, strategy_type: key_auth, configs: {key-auth: {key_names: [k], issuer: null}}}]`:                                    false,
		`portals: [{name: p, custom_domain: {hostname: x.example.com, enabled: true, ssl: {domain_verification_method: http, custom_certificate: null, custom_private_key: null}}}]`: true,
		`portals: [{name: p, custom_domain: {hostname: x.example.com, enabled: true, ssl: {domain_verification_method: http, skip_ca_check: true}}}]`:                                false,
		`portals: [{name: p, identity_providers: [{type: oidc, config: {issuer_url: "https://a.example.com", client_id: c, idp_metadata_url: null}}]}]`:                              true,
		`event_gateways: [{name: e, backend_clusters: [{name: b, authentication: {type: anonymous, username: null}, bootstrap_servers: ["a:1"], tls: {enabled: false}}]}]`:           true,
		`portals: [{name: p, labels: {"a b": c}}]`:                                                                               false,
		`portals: [{name: p, labels: {konnect-a: c}}]`:                                                                           false,
		`portals: [{name: p, labels: {a.b: c}}]`:                                                                                 true,
		`dcr_providers: [{name: d, provider_type: kongIdentity, issuer: "https://a.example.com", dcr_config: {}}]`:               true,
		`dcr_providers: [{name: d, provider_type: kongIdentity, issuer: "https://a.example.com", dcr_config: {zzz_unknown: 1}}]`: false,
		`organization: {users: [{email: a@example.com}]}`:                                                                        true,
		`organization: {users: [{email: 12345}]}`:                                                                                false,
		`notification_configurations: [{event_id: a}]`:                                                                           true,
		`notification_configurations: [{event_id: true}]`:                                                                        false,
		`portals: [{ref: p, _external: {id: nope}}]`:                                                                             false,
		`portals: [{ref: p, _external: {id: 5f9fd312-a987-4628-b4c5-bb4f4fddd5f7}}]`:                                             true,
		`portals: [{ref: p, _external: {id: 5f9fd312-a987-4628-b4c5-bb4f4fddd5f7}, description: mine}]`:                          false,
		`portals: [{ref: p, _external: {id: 5f9fd312-a987-4628-b4c5-bb4f4fddd5f7}, name: p, pages: [{slug: a, content: x}]}]`:    true,
		`control_planes: [{name: main, _deck: {state: {}}, auth_type: null}]`:                                                    true,
		`teams: [{name: t, roles: [{role_name: Viewer}]}]`:                                                                       false,
		"portals: [{name: p, teams: [{ref: t, name: t}]}]\nportal_team_roles: [{portal: p, team: t, role_name: API Viewer, entity_type_name: Services, entity_id: \"*\", entity_region: us}]": true,
	} {
		diags := loads(cat, source.Options{Files: []string{"-"}, Stdin: strings.NewReader(text), WorkDir: t.TempDir()})
		diags = slices.DeleteFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.RefUnknown })
		if diags.HasErrors() == fine {
			t.Errorf("the loader takes it: %v, want %v\n%s\n%v", !fine, fine, text, diags.Err())
		}
		if err := s.Validate(seen(t, text)[0]); (err == nil) != fine {
			t.Errorf("the schema takes it: %v, want %v\n%s\n%v", err == nil, fine, text, err)
		}
	}
}

// exampleItem finds the mapping of the resource of a type in an example: the first
// under the type's key.
func exampleItem(n *yaml.Node, b *catalog.Bound) *yaml.Node {
	keys := append([]string{b.Key, b.Root()}, b.Aliases...)
	for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		if slices.Contains(keys, n.Content[i].Value) {
			in := n.Content[i+1]
			if in.Kind == yaml.SequenceNode && len(in.Content) > 0 {
				in = in.Content[0]
			}
			if in.Kind == yaml.MappingNode {
				return in
			}
		}
	}
	for _, c := range n.Content {
		if found := exampleItem(c, b); found != nil {
			return found
		}
	}
	return nil
}

// nulls puts null into each field that a mapping lacks, one after the other, and into
// those of the mappings inside it.
func nulls(o *explain.Object, in *yaml.Node, path []string, try func(path string)) {
	has := map[string]*yaml.Node{}
	for i := 0; i < len(in.Content); i += 2 {
		has[in.Content[i].Value] = in.Content[i+1]
	}
	fields := map[string]*explain.Field{}
	for _, f := range o.Fields {
		fields[f.Name] = f
	}
	for _, v := range o.Variants {
		for _, f := range v.Fields {
			fields[f.Name] = f
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		f, at := fields[name], append(slices.Clone(path), name)
		inner := has[name]
		for inner != nil && f.Items != nil && inner.Kind == yaml.SequenceNode && len(inner.Content) > 0 {
			f, inner = f.Items, inner.Content[0]
		}
		switch {
		case has[name] == nil:
			in.Content = append(in.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"})
			try(strings.Join(at, "."))
			in.Content = in.Content[:len(in.Content)-2]
		case inner.Kind == yaml.MappingNode && f.Object != nil:
			nulls(f.Object, inner, at, try)
		}
	}
}
