package contract_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// eachUnion visits every union of mappings of the bodies that can be written, once.
func eachUnion(t *testing.T, visit func(at string, s *contract.Schema)) {
	t.Helper()
	seen := map[*contract.Schema]bool{}
	var walk func(at string, s *contract.Schema)
	walk = func(at string, s *contract.Schema) {
		if s = s.Deref(); s == nil || seen[s] {
			return
		}
		seen[s] = true
		if len(s.Branches()) > 1 && !slices.ContainsFunc(s.Branches(), func(b *contract.Schema) bool { return len(b.Object(nil).Names()) == 0 }) {
			visit(at, s)
		}
		for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
			walk(at+"."+name, s.Properties[name])
		}
		for i, b := range append(s.Branches(), s.AllOf...) {
			walk(fmt.Sprintf("%s|%d", at, i), b)
		}
		walk(at+"[]", s.Items)
		walk(at+"{}", s.Additional)
	}
	for _, op := range load(t).Operations() {
		walk(op.Key(), op.Body())
	}
}

// required is the least value of a schema: what is required, and what tells the
// variant.
func required(s *contract.Schema, depth int) map[string]any {
	out := map[string]any{}
	if len(s.Branches()) > 0 && depth < 6 {
		property, choices := s.Selector()
		out = required(s.Branches()[0], depth+1)
		for _, is := range contract.SelectorValues(choices) {
			if choices[is] == s.Branches()[0] {
				out[property] = is
			}
		}
	}
	o := s.Object(out)
	for _, name := range o.Names() {
		f := o.Field(name)
		if _, there := out[name]; there || !f.Required || f.Schema.ReadOnly {
			continue
		}
		out[name] = leaf(f.Schema, depth+1)
	}
	return out
}

func leaf(s *contract.Schema, depth int) any {
	switch {
	case s.Const != nil:
		return s.Const
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type == "array":
		return []any{}
	case s.Type == "object" || len(s.Object(nil).Names()) > 0:
		if depth > 6 {
			return map[string]any{}
		}
		return required(s, depth)
	case s.Type == "boolean":
		return true
	}
	return value.UnknownText
}

// The value picks the branch: a value made of a branch is of that branch, also with null
// for what others have, and each
// field of it is what the branch says, secrets and defaults included. What is asked
// without a value holds for all branches: a field that is secret in one is secret.
func TestValuePicksBranch(t *testing.T) {
	unions, branches, alike := 0, 0, []string{}
	eachUnion(t, func(at string, s *contract.Schema) {
		unions++
		property, choices := s.Selector()
		all := s.Object(nil)
		for i, b := range s.Branches() {
			v := required(b, 0)
			for _, is := range contract.SelectorValues(choices) {
				if choices[is] == b {
					v[property] = is
				}
			}
			if len(v) == 0 {
				for _, name := range b.Object(nil).Names() {
					if f := b.Object(nil).Field(name); !f.Schema.ReadOnly && len(v) == 0 {
						v[name] = leaf(f.Schema, 1)
					}
				}
			}
			own := b.Object(v)
			for _, name := range own.Names() {
				if f := own.Field(name); f.Schema.Secret && !all.Field(name).Schema.Secret {
					t.Errorf("%s: %s is a secret of variant %d, and open without a value", at, name, i)
				}
			}
			if s.Pick(v) == nil {
				alike = append(alike, fmt.Sprintf("%s|%d", at, i))
				continue
			}
			if s.Pick(v) != b {
				t.Errorf("%s: %v picks another variant than %d", at, v, i)
				continue
			}
			branches++
			for _, name := range all.Names() {
				if _, has := v[name]; has || own.Field(name) != nil || own.Values != nil || own.Open {
					continue
				}
				with := maps.Clone(v)
				if with[name] = nil; s.Pick(with) != b {
					t.Errorf("%s: with null for %s, %v picks another variant than %d", at, name, v, i)
				}
			}
			for _, name := range own.Names() {
				got, want := s.Object(v).Field(name), own.Field(name)
				if got == nil || got.Schema.Secret != want.Schema.Secret || got.Schema.HasDefault() != want.Schema.HasDefault() {
					t.Errorf("%s|%d: the field %s is not that of the variant", at, i, name)
				}
			}
		}
	})
	t.Logf("%d unions, %d variants", unions, branches)
	// Nothing tells these apart by what they require: the values of a field of any
	// name, the address of a resolver, a route's matching, and the parts of an update.
	want := []string{
		"PATCH /v2/cloud-gateways/networks/{networkId}/private-dns/{privateDnsId}|0",
		"PATCH /v2/cloud-gateways/networks/{networkId}/private-dns/{privateDnsId}|1",
		"PATCH /v2/dcr-providers/{dcrProviderId}.dcr_config|1",
		"PATCH /v2/dcr-providers/{dcrProviderId}.dcr_config|2",
		"POST /v1/scorecards.entity_selector|0|4.selector_parameters|0",
		"POST /v1/scorecards.entity_selector|0|4.selector_parameters|1",
		"POST /v1/scorecards.entity_selector|0|4.selector_parameters|2",
		"POST /v2/control-planes/{controlPlaneId}/core-entities/routes|0",
		"POST /v2/control-planes/{controlPlaneId}/core-entities/routes|1",
		"POST /v2/control-planes/{controlPlaneId}/core-entities/services/{ServiceId}/routes|0",
		"POST /v2/control-planes/{controlPlaneId}/core-entities/services/{ServiceId}/routes|1",
	}
	slices.Sort(alike)
	if diff := cmp.Diff(want, alike); diff != "" {
		t.Errorf("variants that nothing tells apart (-want +got):\n%s", diff)
	}
	if unions < 60 || branches < 250 {
		t.Error("too few were tried")
	}
}

// Where a field of a PATCH fits several variants, what else is stored says which one is
// meant.
func TestTheWholeTellsTheVariantOfAPart(t *testing.T) {
	tried := 0
	for _, op := range load(t).Operations() {
		body := op.Body()
		if op.Method != http.MethodPatch || body == nil || len(body.Branches()) == 0 {
			continue
		}
		for i, b := range body.Branches() {
			whole := map[string]any{"beside": "stored"}
			for _, name := range b.Object(nil).Names() {
				f := b.Object(nil).Field(name)
				if whole[name] = leaf(f.Schema, 1); len(f.Schema.Object(nil).Names()) > 0 {
					whole[name] = required(f.Schema, 0)
				}
			}
			for name := range whole {
				part := map[string]any{name: whole[name]}
				with := contract.WithVariant(body, part, whole)
				if body.Pick(with) != b || with["beside"] != part["beside"] || len(part) != 1 {
					t.Errorf("%s|%d: %v becomes %v", op.Key(), i, part, with)
				}
				tried++
			}
		}
	}
	if tried < 6 {
		t.Errorf("%d were tried", tried)
	}
}

// Every secret that stands below a union is found by its path alone.
func TestSecretsBelowUnions(t *testing.T) {
	c := load(t)
	found := 0
	for _, op := range c.Operations() {
		body := op.Body()
		var walk func(path []string, s *contract.Schema, depth int)
		walk = func(path []string, s *contract.Schema, depth int) {
			if s = s.Deref(); s == nil || depth > 12 {
				return
			}
			if s.Secret && len(path) > 0 {
				found++
				if at := body.At(path, nil); at == nil || !at.Secret {
					t.Errorf("%s: %s is not known as a secret", op.Key(), value.Path(path))
				}
				return
			}
			for name, p := range s.Properties {
				walk(append(path[:len(path):len(path)], name), p, depth+1)
			}
			for _, b := range append(s.Branches(), s.AllOf...) {
				walk(path, b, depth+1)
			}
			walk(path, s.Items, depth+1)
		}
		if body != nil && !strings.Contains(op.Path, "/core-entities/") {
			walk(nil, body, 0)
		}
	}
	t.Logf("%d secrets", found)
	if found < 100 {
		t.Errorf("only %d secrets", found)
	}
}

// A field beside a union tells its variant where the document does not say so.
func TestFieldBesidePicksVariant(t *testing.T) {
	c := load(t)
	for _, row := range []struct{ body, want string }{
		{`{"type":"oidc","login_path":"acme","config":{"issuer_url":"https://a.example","client_id":"c"}}`, ""},
		{`{"type":"saml","login_path":"acme","config":{"idp_metadata_url":"https://a.example"}}`, ""},
		{`{"type":"saml","login_path":"acme","config":{"issuer_url":"https://a.example","client_id":"c"}}`, "config.client_id: is not a field here; config.issuer_url: is not a field here"},
		{`{"type":"oidc","login_path":"acme","config":{}}`, "config.client_id: is required; config.issuer_url: is required"},
		{`{"type":"ldap","login_path":"acme","config":{}}`, "type: must be one of oidc, saml"},
	} {
		for _, choice := range contract.Choices() {
			method, path, _ := strings.Cut(choice.Operation, " ")
			var got []string
			for _, v := range c.Operation(method, path).ValidateBody(plain(t, row.body), nil) {
				got = append(got, v.Error())
			}
			slices.Sort(got)
			if diff := cmp.Diff(row.want, strings.Join(got, "; ")); diff != "" {
				t.Errorf("%s %s: %s", path, row.body, diff)
			}
		}
	}
}
