package build_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

// hides fails if a plan holds one of the texts.
func hides(t *testing.T, p *plan.Plan, secrets ...string) {
	t.Helper()
	whole := testkit.Text(t, p)
	for _, s := range secrets {
		if i := strings.Index(whole, s); i >= 0 {
			t.Errorf("the plan holds %q: …%s…", s, whole[max(0, i-200):min(len(whole), i+len(s)+50)])
		}
	}
}

func env(name string) map[string]any { return object{"env": name} }

func TestVariablesStayExpressions(t *testing.T) {
	for _, row := range []struct {
		name string
		text string
		kind string
		// field is the path of the expression
		field string
	}{
		{"a field", "portals: [{name: x, description: !env VALUE}]", "portal", "description"},
		{"a nested field", "portals: [{name: x, customization: {theme: {mode: dark, name: !env VALUE}}}]", "portal_customization", "theme.name"},
		{"a label", "portals: [{name: x, labels: {team: !env VALUE}}]", "portal", "labels.team"},
		{"a label where they are sent all at once", "control_planes: [{name: xx, labels: {a.b: !env VALUE}}]", "control_plane", `labels["a.b"]`},
		{"a key of a free mapping", "catalog_services: [{name: x, display_name: X, custom_fields: {owner: !env VALUE}}]", "catalog_service", "custom_fields.owner"},
		{"an element of a list", "application_auth_strategies: [{name: x, display_name: X, strategy_type: key_auth, configs: {key-auth: {key_names: [a, !env VALUE]}}}]", "application_auth_strategy", "configs.key-auth.key_names[1]"},
		{"a field of an element", "control_planes: [{name: xx, proxy_urls: [{host: !env VALUE, port: 80, protocol: http}]}]", "control_plane", "proxy_urls[0].host"},
		{"a part of a variable", "portals: [{name: x, description: !env JSON#a.b}]", "portal", "description"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := testkit.New(t)
			set := func(v string) { w.Env["VALUE"], w.Env["JSON"] = v, `{"a":{"b":"`+v+`"}}` }
			want := env("VALUE")
			if strings.Contains(row.text, "JSON#") {
				want = object{"env": "JSON", "extract": "a.b"}
			}

			set("aaaa01")
			p := w.Plan(testkit.Ask{}, row.text)
			hides(t, p, "aaaa01")
			created := testkit.ChangeOf(t, p, actionOf(row.kind), row.kind)
			testkit.Equal(t, "expressions of a create", created.Expressions, []plan.Expression{{Field: row.field, Expression: want}})
			w.Succeed(w.Run(p))
			if !strings.Contains(bodies(w), "aaaa01") {
				t.Error("the value did not reach the wire")
			}
			w.Settled(testkit.Ask{}, row.text)

			set("bbbb02")
			p = w.Plan(testkit.Ask{}, row.text)
			hides(t, p, "aaaa01", "bbbb02")
			testkit.Expect(t, p, "1 UPDATE "+row.kind+" "+p.Changes[0].ResourceRef)
			testkit.Equal(t, "expressions of an update", p.Changes[0].Expressions, []plan.Expression{{Field: row.field, Expression: want}})
			w.Succeed(w.Run(p))
			w.Settled(testkit.Ask{}, row.text)
		})
	}
}

// actionOf is how a new resource of the kind is brought about.
func actionOf(kind string) plan.Action {
	if strings.HasSuffix(kind, "_customization") {
		return plan.Update
	}
	return plan.Create
}

func bodies(w *testkit.World) string {
	var b strings.Builder
	for _, x := range w.Recorder.Writes() {
		b.WriteString(x.Body)
	}
	return b.String()
}

func TestVariableOfAnotherTypeThanText(t *testing.T) {
	w := testkit.New(t)
	w.Env["ON"], w.Env["PORT"] = "true", "8080"
	const text = "portals: [{name: x, rbac_enabled: !env ON}]\ncontrol_planes: [{name: xx, proxy_urls: [{host: a, port: !env PORT, protocol: http}]}]"
	w.Sync(text)
	w.Settled(testkit.Ask{}, text)
	if got := w.Named("portal", "x")["rbac_enabled"]; got != true {
		t.Errorf("rbac_enabled is %v", got)
	}
}

// What an update does not send, it does not need.
func TestVariableThatDoesNotChangeIsNotNeeded(t *testing.T) {
	w := testkit.New(t)
	w.Env["VALUE"] = "hidden-value"
	w.Sync("portals: [{name: x, description: !env VALUE}]")
	p := w.Plan(testkit.Ask{}, "portals: [{name: x, description: !env VALUE, rbac_enabled: true}]")
	hides(t, p, "hidden-value")
	if got := p.Changes[0].Expressions; len(got) != 0 {
		t.Errorf("expressions: %v", got)
	}
	testkit.Equal(t, "changed_fields", p.Changes[0].ChangedFields, map[string]plan.OldNew{"rbac_enabled": {Old: false, New: true}})
}

// The delete of a replace shows what is there: that may have come from a
// variable.
func TestVariableOfWhatIsReplaced(t *testing.T) {
	w := testkit.New(t)
	const text = "portals: [{name: x, custom_domain: {hostname: !env HOST, enabled: true, ssl: {domain_verification_method: http}}}]"
	w.Env["HOST"] = "old.example.com"
	w.Sync(text)
	w.Env["HOST"] = "new.example.com"
	p := w.Plan(testkit.Ask{}, text)
	testkit.Expect(t, p, "1 DELETE portal_custom_domain x-custom-domain", "2 CREATE portal_custom_domain x-custom-domain < 1")
	hides(t, p, "old.example.com", "new.example.com")
}

// A reference to a field that comes from a variable is the same expression.
func TestReferenceToAVariable(t *testing.T) {
	w := testkit.New(t)
	const text = "portals: [{name: x, description: !env VALUE}]\nteams: [{name: t, description: !ref x#description}]"
	w.Env["VALUE"] = "first-value"
	p := w.Plan(testkit.Ask{}, text)
	hides(t, p, "first-value")
	w.Succeed(w.Run(p))
	w.Settled(testkit.Ask{}, text)
	testkit.Equal(t, "description", w.Named("organization_team", "t")["description"], any("first-value"))

	w.Env["VALUE"] = "second-value"
	p = w.Plan(testkit.Ask{}, text)
	hides(t, p, "first-value", "second-value")
	w.Succeed(w.Run(p))
	w.Settled(testkit.Ask{}, text)
	testkit.Equal(t, "description", w.Named("organization_team", "t")["description"], any("second-value"))
}

func TestSecretsAreNeverInThePlan(t *testing.T) {
	w := testkit.New(t)
	cert, key := testkit.Certificate(t, "dev", testkit.Epoch())
	w.File("tls/cert.pem", cert)
	w.File("tls/key.pem", key)
	w.Env["OIDC_SECRET"] = "canary-in-the-environment"
	const text = `
portals:
  - name: x
    identity_providers:
      - {ref: staff, type: oidc, enabled: true, config: {issuer_url: "https://id.example.com", client_id: me, client_secret: !secret {parts: ["prefix-", !env OIDC_SECRET]}}}
    custom_domain:
      hostname: a.example.com
      enabled: true
      ssl:
        domain_verification_method: custom_certificate
        custom_certificate: !file tls/cert.pem
        custom_private_key: !secret {source: !file tls/key.pem}
`
	p := w.Plan(testkit.Ask{}, text)
	secrets := []string{"canary-in-the-environment", key, strings.Split(key, "\n")[1]}
	hides(t, p, secrets...)
	testkit.Equal(t, "count", p.Summary.SecretWrites, 2)
	domain := testkit.ChangeOf(t, p, plan.Create, "portal_custom_domain")
	testkit.Equal(t, "the key", domain.SecretWrites, []plan.Expression{{
		Field: "ssl.custom_private_key", Expression: object{"source": object{"file": "tls/key.pem", "base": "."}},
	}})
	provider := testkit.ChangeOf(t, p, plan.Create, "portal_identity_provider")
	testkit.Equal(t, "the client secret", provider.SecretWrites, []plan.Expression{{
		Field: "config.client_secret", Expression: object{"parts": []any{object{"text": "prefix-"}, env("OIDC_SECRET")}},
	}})
	if _, there := value.Get(provider.Fields, value.Path{"config", "client_secret"}); there {
		t.Error("the field of a secret is no part of the payload")
	}
	w.Succeed(w.Run(p))
	w.Settled(testkit.Ask{}, text)

	// A secret is written once; another value is no difference.
	w.Env["OIDC_SECRET"] = "canary-number-two"
	w.Settled(testkit.Ask{}, text)
	hides(t, w.Plan(testkit.Ask{}, "portals: []"), secrets...)
}

// A changed certificate is seen by its end of validity, and writes its key
// again.
func TestReplaceWritesSecretsAgain(t *testing.T) {
	w := testkit.New(t)
	const text = `
portals:
  - name: x
    custom_domain: {hostname: a.example.com, enabled: true, ssl: {domain_verification_method: custom_certificate, custom_certificate: !file cert.pem, custom_private_key: !secret {source: !env KEY}}}
`
	cert, key := testkit.Certificate(t, "dev", testkit.Epoch())
	w.File("cert.pem", cert)
	w.Env["KEY"] = key
	w.Sync(text)
	cert, key = testkit.Certificate(t, "dev", testkit.Epoch().AddDate(1, 0, 0))
	w.File("cert.pem", cert)
	p := w.Plan(testkit.Ask{}, text)
	testkit.Expect(t, p, "1 DELETE portal_custom_domain x-custom-domain", "2 CREATE portal_custom_domain x-custom-domain < 1")
	hides(t, p, strings.Split(key, "\n")[1])
	testkit.Equal(t, "secret writes", p.Changes[1].SecretWrites, []plan.Expression{{Field: "ssl.custom_private_key", Expression: object{"source": env("KEY")}}})
	w.Succeed(w.Run(p))
	w.Settled(testkit.Ask{}, text)
}
