package export

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// one makes a snapshot of one root with children.
func one(cat *catalog.Catalog, kind string, fields map[string]any, children ...*Resource) *Snapshot {
	labels := map[string]string{"KONGCTL-namespace": "n"}
	root := &Resource{Type: cat.Kind(kind), Object: catalog.NewObject("root", fields, labels, ""), children: children}
	for _, c := range children {
		c.Parent = root
	}
	return &Snapshot{Catalog: cat, Roots: []*Resource{root}}
}

func told(t *testing.T, s *Snapshot) (text string, warnings diag.List) {
	t.Helper()
	out, err := Write(s, WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return string(out.Files[0].Data), out.Warnings
}

func has(list diag.List, code diag.Code, parts ...string) bool {
	for _, d := range list {
		if d.Code != code || d.Severity != diag.Warning {
			continue
		}
		all := true
		for _, p := range parts {
			all = all && strings.Contains(d.Detail, p)
		}
		if all {
			return true
		}
	}
	return false
}

// A secret that need not be given, and that Konnect keeps to itself, is told of
// where what stands beside it is in use.
func TestSecretsThatMayBeThere(t *testing.T) {
	cat := types(t)
	for name, row := range map[string]struct {
		fields map[string]any
		told   bool
	}{
		"a provider":  {map[string]any{"oidc_auth_enabled": true, "oidc_issuer": "https://id.example.com", "oidc_client_id": "portal"}, true},
		"no provider": {map[string]any{"oidc_auth_enabled": false, "basic_auth_enabled": true, "oidc_scopes": []any{"openid"}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			settings := &Resource{Type: cat.Kind("portal_auth_settings"), Object: &resource.Object{Fields: row.fields}}
			text, warnings := told(t, one(cat, "portal", map[string]any{"name": "dev"}, settings))
			if strings.Contains(text, "oidc_client_secret") {
				t.Errorf("the export writes what it does not know:\n%s", text)
			}
			if got := has(warnings, diag.ExpSecret, "oidc_client_secret", "leaves it out"); got != row.told || len(warnings) > 1 {
				t.Errorf("%v", warnings)
			}
		})
	}
}

// A field that loads with a warning is no field that contradicts another: it stays.
func TestOlderFormStays(t *testing.T) {
	cat := types(t)
	settings := &Resource{Type: cat.Kind("portal_auth_settings"), Object: &resource.Object{Fields: map[string]any{"oidc_auth_enabled": true}}}
	text, warnings := told(t, one(cat, "portal", map[string]any{"name": "dev"}, settings))
	if !strings.Contains(text, "oidc_auth_enabled: true") || len(warnings) > 0 {
		t.Errorf("%v\n%s", warnings, text)
	}
}

func TestSecretsAndWhatIsNotReturned(t *testing.T) {
	cat := types(t)
	domain := func(ssl map[string]any) *Resource {
		return &Resource{Type: cat.Kind("portal_custom_domain"), Object: &resource.Object{Fields: map[string]any{
			"hostname": "a.example.com", "enabled": true, "ssl": ssl, "cname_status": "pending", "created_at": "now",
		}}}
	}
	own := map[string]any{
		"domain_verification_method": "custom_certificate", "verification_status": "verified", "expires_at": "2040-01-01T00:00:00Z", "skip_ca_check": false,
	}
	text, warnings := told(t, one(cat, "portal", map[string]any{"name": "dev"}, domain(own)))
	for _, want := range []string{
		"custom_private_key: !secret {source: !env DEV_CUSTOM_DOMAIN_SSL_CUSTOM_PRIVATE_KEY}",
		`custom_certificate: "` + catalog.Placeholder + `"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the export lacks %q:\n%s", want, text)
		}
	}
	if len(warnings) != 2 || !has(warnings, diag.ExpSecret, "ssl.custom_private_key", "the portal custom domain of the portal \"dev\"", "DEV_CUSTOM_DOMAIN_SSL") ||
		!has(warnings, diag.ExpUnread, "ssl.custom_certificate") {
		t.Errorf("%v", warnings)
	}
	text, warnings = told(t, one(cat, "portal", map[string]any{"name": "dev"}, domain(map[string]any{"domain_verification_method": "http"})))
	if len(warnings) > 0 || strings.Contains(text, "custom_private_key") {
		t.Errorf("a variant that needs no secret has one: %v\n%s", warnings, text)
	}
}

func TestWhatKonnectReturnsAndDoesNotTake(t *testing.T) {
	cat := types(t)
	_, warnings := told(t, one(cat, "portal", map[string]any{"name": "dev", "default_api_visibility": "purple"}))
	if !has(warnings, diag.ExpLeftOut, "default_api_visibility", `The portal "dev"`) {
		t.Errorf("%v", warnings)
	}
	// What must be there and is wrong stays, and is told.
	text, warnings := told(t, one(cat, "portal", map[string]any{"name": strings.Repeat("x", 300)}))
	if !has(warnings, diag.ExpUnloadable, "name", "255") || !strings.Contains(text, "name: xxx") {
		t.Errorf("%v\n%s", warnings, text)
	}
}

func TestBody(t *testing.T) {
	cat := types(t)
	for _, row := range []struct {
		name, kind string
		live, want map[string]any
	}{
		{
			"what is only returned goes", "portal",
			map[string]any{"name": "a", "id": "1", "created_at": "x", "canonical_domain": "x", "unheard_of": 1},
			map[string]any{"name": "a"},
		},
		{
			"null goes where leaving out means the same", "portal",
			map[string]any{"name": "a", "description": nil, "display_name": nil},
			map[string]any{"name": "a"},
		},
		{
			"null stays where the service may fill a list", "api_publication",
			map[string]any{"portal_id": "p", "auth_strategy_ids": nil},
			map[string]any{"portal_id": "p", "auth_strategy_ids": nil},
		},
		{
			"an empty list stays", "api_publication",
			map[string]any{"portal_id": "p", "auth_strategy_ids": []any{}},
			map[string]any{"portal_id": "p", "auth_strategy_ids": []any{}},
		},
		{
			"the variant of a union is kept whole", "application_auth_strategy",
			map[string]any{"name": "a", "display_name": "A", "strategy_type": "openid_connect", "active": true, "configs": map[string]any{"openid-connect": map[string]any{"issuer": "https://i", "credential_claim": []any{"sub"}}}},
			map[string]any{"name": "a", "display_name": "A", "strategy_type": "openid_connect", "configs": map[string]any{"openid-connect": map[string]any{"issuer": "https://i", "credential_claim": []any{"sub"}}}},
		},
		{
			"a variant without a word for it", "api_implementation",
			map[string]any{"id": "1", "service": map[string]any{"id": "s", "control_plane_id": "c"}, "control_plane": nil},
			map[string]any{"service": map[string]any{"id": "s", "control_plane_id": "c"}},
		},
		{
			"what nesting says goes", "portal_page",
			map[string]any{"slug": "s", "content": "c", "parent_page_id": "p"},
			map[string]any{"slug": "s", "content": "c"},
		},
		{
			"a mapping of returned things alone goes", "portal_customization",
			map[string]any{"spec_renderer": map[string]any{"unheard_of": true}, "menu": map[string]any{"main": []any{map[string]any{"path": "/", "title": "t", "external": false, "visibility": "public", "id": "x"}}}},
			map[string]any{"menu": map[string]any{"main": []any{map[string]any{"path": "/", "title": "t", "external": false, "visibility": "public"}}}},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := projector{t: cat.Kind(row.kind)}.body(row.live)
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Null stays where a declaration must say something: leaving it out is refused.
func TestNullThatIsRequired(t *testing.T) {
	for name, row := range map[string]struct {
		f    contract.Field
		want map[string]any
	}{
		"required and nullable": {contract.Field{Required: true, Schema: &contract.Schema{Type: "string", Nullable: true}}, map[string]any{"x": nil}},
		"nullable":              {contract.Field{Schema: &contract.Schema{Type: "string", Nullable: true}}, map[string]any{}},
		"required":              {contract.Field{Required: true, Schema: &contract.Schema{Type: "string"}}, map[string]any{}},
	} {
		t.Run(name, func(t *testing.T) {
			got := map[string]any{}
			projector{t: types(t).Kind("portal")}.field(got, value.Path{"x"}, &row.f, nil)
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestUntouched(t *testing.T) {
	look := types(t).Kind("portal_customization")
	for _, row := range []struct {
		name string
		live map[string]any
		want bool
	}{
		{"nothing", map[string]any{}, true},
		{"defaults and null", map[string]any{"css": nil, "spec_renderer": map[string]any{"try_it_ui": true}}, true},
		{"not a default", map[string]any{"spec_renderer": map[string]any{"try_it_ui": false}}, false},
		{"not a default that the document leaves out", map[string]any{"layout": "sidebar"}, false},
		{"a default that the document leaves out", map[string]any{"layout": "topnav"}, true},
	} {
		if got := untouched(look, row.live); got != row.want {
			t.Errorf("%s: %v", row.name, got)
		}
	}
}

// A union whose branches are distinguished by fields of which one is secret and
// not returned.
func TestVariantWithoutItsSecret(t *testing.T) {
	c, err := contract.Parse([]byte(`{"operations": [], "schemas": {"auth": {"oneOf": [
		{"type": "object", "required": ["user", "password"], "properties": {"user": {"type": "string"}, "password": {"type": "string", "secret": true}}},
		{"type": "object", "required": ["token"], "properties": {"token": {"type": "string", "secret": true}, "kind": {"type": "string"}}}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	p := projector{t: types(t).Kind("portal")}
	for _, row := range []struct{ live, want map[string]any }{
		{map[string]any{"user": "u", "made_at": "x"}, map[string]any{"user": "u", "password": secretMark{}}},
		{map[string]any{"kind": "k"}, map[string]any{"kind": "k", "token": secretMark{}}},
		{map[string]any{"kind": "k", "token": "***"}, map[string]any{"kind": "k", "token": secretMark{}}},
		{map[string]any{"kind": "k", "token": "{vault://env/x}"}, map[string]any{"kind": "k", "token": "{vault://env/x}"}},
	} {
		if diff := cmp.Diff(row.want, p.object(nil, c.Schema("auth"), row.live)); diff != "" {
			t.Errorf("%v -want +got:\n%s", row.live, diff)
		}
	}
	secrets, _ := marks(map[string]any{"a": []any{map[string]any{"b": secretMark{}}}})
	if diff := cmp.Diff([]value.Path{{"a", "[0]", "b"}}, secrets); diff != "" {
		t.Error(diff)
	}
}

// Over all types: of a deprecated field only what says more than its default is
// written. Lists without an order have their default in any.
func TestDeprecatedDefaultsAreLeftOut(t *testing.T) {
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, b := range cat.All() {
		o := b.Write().Object(nil)
		for _, n := range o.Names() {
			f := o.Field(n)
			if b.ReadOnly || !f.Schema.Deprecated || f.Schema.ReadOnly || f.Required || f.Schema.Secret {
				continue
			}
			var live any
			switch list, isList := f.Schema.Default.([]any); {
			case isList && b.IsUnordered(value.Path{n}):
				list = slices.Clone(list)
				slices.Reverse(list)
				live = list
			case f.Schema.HasDefault():
				live = f.Schema.Default
			case f.Schema.Type == "string" && len(f.Schema.Enum) == 0:
				live = ""
			}
			if live == nil {
				continue
			}
			tried++
			if body := (projector{t: b}).body(map[string]any{n: live}); body[n] != nil {
				t.Errorf("%s: %s: %v is written", b.Kind, n, body[n])
			}
		}
	}
	if tried < 4 {
		t.Errorf("%d fields were tried", tried)
	}
	settings := projector{t: cat.Kind("portal_auth_settings")}
	if body := settings.body(map[string]any{"oidc_scopes": []any{"openid"}, "oidc_auth_enabled": true}); len(body) != 2 {
		t.Errorf("what is in use is not written: %v", body)
	}
}
