package explain_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/explain"
)

// eachField calls with every field of every type, down to the last.
func eachField(t *testing.T, visit func(kind string, f *explain.Field)) {
	t.Helper()
	x, cat := explainer(t)
	for _, b := range cat.All() {
		var in func(f *explain.Field)
		object := func(o *explain.Object) {
			if o == nil {
				return
			}
			for _, f := range o.Fields {
				in(f)
			}
			for _, v := range o.Variants {
				for _, f := range v.Fields {
					in(f)
				}
			}
		}
		in = func(f *explain.Field) {
			visit(b.Kind, f)
			object(f.Object)
			if f.Items != nil {
				in(f.Items)
			}
			for _, e := range f.Either {
				in(e)
			}
		}
		object(x.Type(b).Object)
	}
}

// A field with a choice of texts is a text, whether the contract says so or not: its
// schema and its description have the choice.
func TestChoicesHaveAType(t *testing.T) {
	checked := 0
	eachField(t, func(kind string, f *explain.Field) {
		texts := len(f.Enum) > 0 && !slices.ContainsFunc(f.Enum, func(v any) bool { _, ok := v.(string); return !ok })
		if !texts {
			return
		}
		checked++
		if f.Type == "" {
			t.Errorf("%s: %s is any value, and is one of %v", kind, f.Name, f.Enum)
		}
	})
	if checked == 0 {
		t.Error("no field has a choice")
	}
}

// The schema refuses what is not one of the kinds of a union, also of one whose forms
// a field further down tells apart.
func TestSchemaKnowsKinds(t *testing.T) {
	x, _ := explainer(t)
	s := schemaOf(t, x)
	document := func(kind string) string {
		return `cloud_gateway_networks:
- ref: n
  name: n
  region: r
  availability_zones: [a]
  cidr_block: 10.0.0.0/8
  cloud_gateway_provider_account_id: "7f0aa1a4-3b5c-4d5e-8f00-000000000001"
  transit_gateways:
  - {ref: g, name: g, cidr_blocks: [10.1.0.0/16], transit_gateway_attachment_config: {kind: ` + kind + `, transit_gateway_id: tgw-1, ram_share_arn: arn}}
`
	}
	for kind, right := range map[string]bool{"aws-transit-gateway-attachment": true, "aws-transit-TYPO": false, "42": false} {
		if err := s.Validate(seen(t, document(kind))[0]); (err == nil) != right {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// No schema asks for a field by one of its two names alone, in a variant neither.
func TestEitherNameWillDo(t *testing.T) {
	x, cat := explainer(t)
	tried := 0
	for _, b := range cat.All() {
		if b.ReadOnly {
			continue
		}
		typ := x.Type(b)
		fields := slices.Clone(typ.Object.Fields)
		for _, v := range typ.Object.Variants {
			fields = append(fields, v.Fields...)
		}
		schema := x.Schema(&explain.Found{Type: typ})
		for _, f := range fields {
			if f.Short == "" {
				continue
			}
			tried++
			if asksFor(schema, f.Name) {
				t.Errorf("%s needs %s, and %s will not do", b.Kind, f.Name, f.Short)
			}
		}
	}
	if tried == 0 {
		t.Error("no field has two names")
	}
}

// asksFor reports whether a schema needs a property, alone or in one of its variants,
// where not each of several ways names another one.
func asksFor(schema map[string]any, name string) bool {
	if required, _ := schema["required"].([]any); slices.Contains(required, any(name)) {
		return true
	}
	for _, key := range []string{"allOf", "oneOf"} {
		all, _ := schema[key].([]any)
		for _, s := range all {
			if s, ok := s.(map[string]any); ok && asksFor(s, name) {
				return true
			}
		}
	}
	some, _ := schema["anyOf"].([]any)
	return len(some) > 0 && !slices.ContainsFunc(some, func(s any) bool {
		m, ok := s.(map[string]any)
		return !ok || !asksFor(m, name)
	})
}

// What is said of values in several forms, of what stands in lists, and of identities.
func TestExplainWords(t *testing.T) {
	x, _ := explainer(t)
	for _, row := range []struct {
		what      string
		has, lack []string
	}{
		{"event_gateway_listener.ports", []string{"ports: list of ", "integers", "strings", "integer: 1 to 65535"}, nil},
		{"event_gateway_virtual_cluster_cluster_policy.config.rules", []string{"match *"}, nil},
		{"event_gateway_virtual_cluster_cluster_policy", []string{"match *"}, nil},
		{"ai_gateway_model.config.balancer.vectordb", []string{"type *", "only with type: pgvector"}, []string{"only with type: api"}},
		{"metering_plan.phases.rate_cards.price", []string{"metering_plans[].phases[].rate_cards[].price"}, nil},
		{"event_gateway_listener.ports", []string{"event_gateways[].listeners[].ports\n"}, nil},
		{"organization_identity_provider.login_path", []string{"identity"}, []string{"another value is another resource"}}, // a move can change it
		{"organization_identity_provider.type", []string{"another value is another resource"}, nil},
		{"organization_team_role.role_name", []string{"another value is another resource"}, nil},
		{"cloud_gateway_transit_gateway.transit_gateway_attachment_config.kind", []string{"kind: string"}, []string{"any value"}},
		{"organization_user", []string{"email: my-organization-user@example.com"}, nil},
	} {
		found, err := x.Find(row.what)
		if err != nil {
			t.Fatal(err)
		}
		text := x.Text(found, explain.TextOptions{})
		for _, want := range row.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", row.what, want, text)
			}
		}
		for _, no := range row.lack {
			if strings.Contains(text, no) {
				t.Errorf("%s says %q:\n%s", row.what, no, text)
			}
		}
		if _, err := json.Marshal(x.Schema(found)); err != nil {
			t.Error(err)
		}
	}
}
