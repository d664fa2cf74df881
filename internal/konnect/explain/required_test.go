package explain_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/explain"
	"github.com/kongctl/kongctl/internal/source"
)

var saysRequired = regexp.MustCompile(`(?m)^  required +yes$`)

// TestRequiredCannotBeLeftOut: what explain calls required without a condition is in
// the example of the type, and the example does not load without it.
func TestRequiredCannotBeLeftOut(t *testing.T) {
	x, cat := explainer(t)
	tried := 0
	for _, b := range cat.All() {
		if b.ReadOnly || b.Set != "" || b.Link != "" { // a list, or names, may stand for the whole
			continue
		}
		typ := x.Type(b)
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(x.Example(typ)), &doc); err != nil {
			t.Fatal(err)
		}
		item := exampleItem(&doc, b)
		required(x, b.Kind, typ.Object, item, func(path string, left func()) {
			if b.NameField() == "name" && path == "name" {
				return // the ref stands for it
			}
			tried++
			was := slices.Clone(item.Content)
			left()
			if names(b, item) {
				item.Content = was
				return
			}
			raw, err := yaml.Marshal(&doc)
			if err != nil {
				t.Fatal(err)
			}
			if !loads(cat, source.Options{Files: []string{"-"}, Stdin: strings.NewReader(string(raw)), WorkDir: t.TempDir()}).HasErrors() {
				t.Errorf("%s loads without %s, which is required\n%s", b.Kind, path, raw)
			}
			item.Content = was
		}, func(path string) { t.Errorf("the example of %s has no %s, which is required", b.Kind, path) })
	}
	if tried < 100 {
		t.Errorf("only %d fields were tried", tried)
	}
}

// names reports whether an item says no more than which resource it means, or that
// none exists.
func names(b *catalog.Bound, item *yaml.Node) bool {
	if b.Shape == catalog.Singleton {
		return len(item.Content) == 0
	}
	for i := 0; i < len(item.Content); i += 2 {
		if key := item.Content[i].Value; key != "ref" && !slices.Contains(b.Identity, key) {
			return false
		}
	}
	return catalog.Nameable(b)
}

// required finds the fields of a mapping and of what is inside it that explain calls
// required: those that are there, and those that are not.
func required(x *explain.Explainer, path string, o *explain.Object, in *yaml.Node, there func(path string, leave func()), missing func(path string)) {
	fields := slices.Clone(o.Fields)
	for _, v := range o.Variants {
		fields = append(fields, v.Fields...)
	}
	seen := map[string]bool{}
	for _, f := range fields {
		at := path + "." + f.Name
		found, err := x.Find(at)
		if seen[f.Name] || err != nil {
			continue
		}
		seen[f.Name] = true
		own := strings.Join(found.Path, ".")
		is := saysRequired.MatchString(x.Text(found, explain.TextOptions{}))
		i := 0
		for i < len(in.Content) && in.Content[i].Value != f.Name && (f.Short == "" || in.Content[i].Value != f.Short) {
			i += 2
		}
		switch {
		case i >= len(in.Content) && is:
			missing(own)
		case i >= len(in.Content):
		case is:
			there(own, func() { in.Content = slices.Delete(slices.Clone(in.Content), i, i+2) })
		}
		if i < len(in.Content) && f.Object != nil && in.Content[i+1].Kind == yaml.MappingNode {
			inner, was := in.Content[i+1], slices.Clone(in.Content[i+1].Content)
			required(x, at, f.Object, inner, func(path string, leave func()) {
				there(path, leave)
				inner.Content = was
			}, missing)
		}
	}
}

// TestExplainSaysWith: a field that only some variants have says with which, also where
// one variant alone has it, and where the variants stand further up.
func TestExplainSaysWith(t *testing.T) {
	x, _ := explainer(t)
	for path, want := range map[string]string{
		"dcr_provider.dcr_config.api_key":                          "required    with provider_type: http\n",
		"ai_gateway_model.targets.config.version":                  "only with targets.config.type: anthropic",
		"cloud_gateway_transit_gateway.cidr_blocks":                "required    with transit_gateway_attachment_config.kind: aws-transit-gateway-attachment, or with",
		"event_gateway_virtual_cluster_produce_policy.config":      "one of confluent_schema_registry, json; only with type: schema_validation\n",
		"event_gateway_virtual_cluster_produce_policy.config.type": "only with type: schema_validation and config.type: json",
		"portal_page.id":              "read-only  Konnect sets it",
		"api.current_version_summary": "read-only  Konnect sets it",
		"api_version.spec":            "may be left out where version is written",
	} {
		found, err := x.Find(path)
		if err != nil {
			t.Error(err)
			continue
		}
		got := x.Text(found, explain.TextOptions{})
		if !strings.Contains(got, want) {
			t.Errorf("%s does not say %q:\n%s", path, want, got)
		}
		if strings.HasPrefix(want, "read-only") && strings.Contains(got, "written at") {
			t.Errorf("%s says where it is written:\n%s", path, got)
		}
	}
}

// TestKeysAreExplained: what the page of a type lists as a key can be asked for, and
// the short words of types and families lead to them.
func TestKeysAreExplained(t *testing.T) {
	x, cat := explainer(t)
	for _, b := range cat.All() {
		for _, k := range x.Type(b).Keys {
			found, err := x.Find(b.Kind + "." + k.Name)
			if err != nil {
				t.Error(err)
				continue
			}
			if found.Field == nil {
				continue // a type of its own
			}
			if text := x.Text(found, explain.TextOptions{}); !strings.Contains(text, k.Says) && x.Type(b).Object.Field(k.Name) == nil {
				t.Errorf("%s.%s does not say %q:\n%s", b.Kind, k.Name, k.Says, text)
			}
		}
	}
	for path, kind := range map[string]string{"aigw": "ai_gateway", "aigw.policies": "ai_gateway_policy", "org.teams": "organization_team", "organization.users.roles": "organization_user_role", "cp": "control_plane"} {
		if found, err := x.Find(path); err != nil || found.Type.Kind != kind {
			t.Errorf("%s leads to %v, want %s: %v", path, found, kind, err)
		}
	}
}

// A field that is required in some variants says so, and in which.
func TestRequiredInSomeVariants(t *testing.T) {
	x, cat := explainer(t)
	tried := 0
	for _, b := range cat.All() {
		if b.ReadOnly {
			continue
		}
		eachRequired(x.Type(b).Object, nil, 0, func(path []string) {
			name := b.Kind + "." + strings.Join(path, ".")
			found, err := x.Find(name)
			if err != nil || found.Field == nil {
				return // said elsewhere
			}
			tried++
			if text := x.Text(found, explain.TextOptions{}); !strings.Contains(text, "\n  required ") {
				t.Errorf("%s is required in a variant, and nothing says so:\n%s", name, text)
			}
		})
	}
	if tried < 300 {
		t.Errorf("only %d fields were tried", tried)
	}
}

// eachRequired gives the path of each field that is required in any variant of a mapping.
func eachRequired(o *explain.Object, at []string, depth int, do func(path []string)) {
	if o == nil || depth > 6 {
		return
	}
	fields := slices.Clone(o.Fields)
	for _, v := range o.Variants {
		fields = append(fields, v.Fields...)
	}
	for _, f := range fields {
		path := append(slices.Clone(at), f.Name)
		if f.Required {
			do(path)
		}
		for f.Items != nil {
			f = f.Items
		}
		eachRequired(f.Object, path, depth+1, do)
		for _, e := range f.Either {
			eachRequired(e.Object, path, depth+1, do)
		}
	}
}
