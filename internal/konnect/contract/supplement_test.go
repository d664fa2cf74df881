package contract_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Every fact is about a field that exists and may have the value, and says
// where it is known from.
func TestSupplementFitsTheContract(t *testing.T) {
	c, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, f := range contract.Supplement() {
		method, path, _ := strings.Cut(f.Operation, " ")
		op := c.Operation(method, path)
		if op == nil {
			t.Errorf("%s: no such operation", f.Operation)
			continue
		}
		at := strings.Split(f.Field, ".")
		s := op.Body().At(at, nil)
		if s == nil || !s.HasDefault() || !value.Equal(s.Default, f.Default) {
			t.Errorf("%s: %s has not the default %v", f.Operation, f.Field, f.Default)
		}
		body := map[string]any{}
		value.Set(body, at, f.Default)
		for _, v := range op.ValidateBody(body, nil) {
			if strings.HasPrefix(strings.Join(v.Path, "."), f.Field) {
				t.Errorf("%s: %s", f.Operation, v.Error())
			}
		}
		if f.Source == "" || seen[f.Operation+" "+f.Field] {
			t.Errorf("%s: %s has no source, or stands twice", f.Operation, f.Field)
		}
		seen[f.Operation+" "+f.Field] = true
	}
}

// The supplement changes the body of its operation and no other: schemas are
// shared, and a default of a mapping reaches the fields inside it.
func TestSupplementReachesOneBody(t *testing.T) {
	c, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	look := c.Operation("PATCH", "/v3/portals/{portalId}/customization").Body()
	if s := look.At([]string{"theme", "colors", "primary"}, nil); !s.HasDefault() || s.Default != "#8250FF" {
		t.Errorf("theme.colors.primary has the default %v", s.Default)
	}
	whole := c.Operation("PUT", "/v3/portals/{portalId}/customization").Body()
	if s := whole.At([]string{"theme"}, nil); s.HasDefault() {
		t.Errorf("another operation has the default %v", s.Default)
	}
}

// What Konnect moves on from by itself is a field that the document lets people
// write, and responses have with values that nobody can write.
func TestDrivenFieldsAreReadOnly(t *testing.T) {
	c, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	for key, fields := range contract.Driven() {
		method, path, _ := strings.Cut(key, " ")
		op := c.Operation(method, path)
		for _, name := range fields {
			f := op.Body().At([]string{name}, nil)
			_, answer := op.Success()
			seen := answer.At([]string{name}, nil)
			if f == nil || !f.ReadOnly || seen == nil || len(seen.Enum) <= len(f.Enum) {
				t.Errorf("%s: %s is not a state that Konnect moves on from", key, name)
			}
		}
	}
}

// What requests must have is in every form of the answer; variants that are closed
// refuse fields of the others.
func TestRequestsThatTheDocumentLetsPass(t *testing.T) {
	c, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	for key, fields := range contract.Needed() {
		method, path, _ := strings.Cut(key, " ")
		op := c.Operation(method, path)
		_, answer := op.Success()
		for _, name := range fields {
			for _, b := range answer.Branches() {
				if f := b.Object(nil).Field(name); f == nil || !f.Required {
					t.Errorf("%s: an answer need not have %s", key, name)
				}
			}
		}
		if len(op.ValidateBody(map[string]any{"name": "a"}, nil)) == 0 {
			t.Errorf("%s: a body without %v is valid", key, fields)
		}
	}
	peering := map[string]any{
		"name": "a", "cidr_blocks": []any{"10.0.0.0/8"},
		"transit_gateway_attachment_config": map[string]any{"kind": "azure-vnet-peering-attachment", "tenant_id": "t", "subscription_id": "s", "resource_group_name": "g", "vnet_name": "v"},
	}
	for _, key := range contract.Closed() {
		method, path, _ := strings.Cut(key, " ")
		op := c.Operation(method, path)
		if len(op.ValidateBody(peering, nil)) == 0 {
			t.Errorf("%s: a field of another variant is valid", key)
		}
		delete(peering, "cidr_blocks")
		for _, v := range op.ValidateBody(peering, nil) {
			t.Errorf("%s: %s", key, v.Error())
		}
	}
}

// What a PATCH replaces whole is a mapping of its body, with fields that it cannot unset
// by themselves.
func TestWholeMappings(t *testing.T) {
	c, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	for key, fields := range contract.Whole() {
		method, path, _ := strings.Cut(key, " ")
		op := c.Operation(method, path)
		for _, name := range fields {
			f := op.Body().At([]string{name}, nil)
			if method != "PATCH" || f == nil || !f.Whole || len(f.Object(nil).Names()) == 0 {
				t.Errorf("%s: %s is no mapping that could be merged", key, name)
			}
		}
	}
	if f := c.Operation("POST", "/v3/openmeter/features").Body().At([]string{"unit_cost"}, nil); f.Whole {
		t.Error("a create replaces nothing")
	}
}

// What is cleared by null is an optional field of a PATCH, which validates so, in every
// form that has it.
func TestClearedFieldsTakeNull(t *testing.T) {
	c := load(t)
	for key, fields := range contract.Cleared() {
		method, path, _ := strings.Cut(key, " ")
		op := c.Operation(method, path)
		if method != "PATCH" || op == nil {
			t.Fatalf("%s does not merge", key)
		}
		for _, field := range fields {
			body := map[string]any{}
			value.Set(body, value.ParsePath(field), nil)
			if s := op.Body().At(strings.Split(field, "."), nil); s == nil || !s.Nullable || s.ReadOnly || s.Secret {
				t.Errorf("%s: %s cannot be null", key, field)
			}
			for _, v := range op.ValidateBody(body, nil) {
				t.Errorf("%s: %s", key, v.Error())
			}
		}
	}
}

// Values that another operation lists are those that its answer has.
func TestListedValuesAreThoseOfTheContract(t *testing.T) {
	c, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	body := c.Operation("POST", "/v3/portals/{portalId}/teams/{teamId}/assigned-roles").Body()
	_, roles := c.Operation("GET", "/v3/portal-roles").Success()
	list := roles.At([]string{"services", "roles"}, nil).Object(nil)
	var want []any
	for _, name := range list.Names() {
		want = append(want, list.Field(name).Schema.At([]string{"name"}, nil).Enum...)
	}
	if diff := cmp.Diff(want, body.At([]string{"role_name"}, nil).Enum); diff != "" || len(want) == 0 {
		t.Errorf("roles (-want +got):\n%s", diff)
	}
}

// No request takes a longer text than the answer to it can have.
func TestRequestsHaveTheLimitsOfAnswers(t *testing.T) {
	c := load(t)
	for _, op := range c.Operations() {
		_, answer := op.Success()
		if op.Body() == nil || answer == nil {
			continue
		}
		if w := op.Wrapper(); w != "" {
			answer = answer.At([]string{w}, nil)
		}
		sent := op.Body().Object(nil)
		for _, name := range sent.Names() {
			text, shown := sent.Field(name).Schema.Deref(), answer.At([]string{name}, nil)
			if shown == nil || text.Type != "string" || text.ReadOnly {
				continue
			}
			if most := shown.Deref().MaxLength; most != nil && (text.MaxLength == nil || *text.MaxLength > *most) {
				t.Errorf("%s: %s has up to %d characters in answers", op.Key(), name, *most)
			}
		}
	}
}
