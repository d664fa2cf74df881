package build_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// Spec 004, whole: what becomes of a custom domain, in apply and in sync.
func TestCustomDomain(t *testing.T) {
	const (
		kind   = "portal_custom_domain dev-custom-domain"
		http   = "hostname: a.example.com, enabled: true, ssl: {domain_verification_method: http}"
		custom = "hostname: a.example.com, enabled: true, ssl: {domain_verification_method: custom_certificate, custom_certificate: !file one.pem, custom_private_key: !secret {source: !file key.pem}"
	)
	replaced := []string{"1 DELETE " + kind, "2 CREATE " + kind + " < 1"}
	for _, row := range []struct {
		name, before, after string
		want                []string
	}{
		{"it is as declared", http, http, nil},
		{"it is as declared, with a certificate of its own", custom + "}", custom + "}", nil},
		{"a portal without one", "", http, []string{"1 CREATE " + kind}},
		{"it is switched off", http, strings.Replace(http, "true", "false", 1), []string{"1 UPDATE " + kind}},
		{"another host name", http, strings.Replace(http, "a.example", "b.example", 1), replaced},
		{"from HTTP to a certificate of its own", http, custom + "}", replaced},
		{"and back", custom + "}", http, replaced},
		{"another certificate", custom + "}", strings.Replace(custom, "one.pem", "two.pem", 1) + "}", replaced},
		{"without the check of the authority", custom + "}", custom + ", skip_ca_check: true}", replaced},
	} {
		for mode, ask := range map[string]testkit.Ask{"sync": {}, "apply": apply} {
			t.Run(row.name+", "+mode, func(t *testing.T) {
				w := domainWorld(t)
				w.Sync(portalWith(row.before))
				p := w.Plan(ask, portalWith(row.after))
				testkit.Expect(t, p, row.want...)
				w.Succeed(w.Run(p))
				w.Settled(ask, portalWith(row.after))
			})
		}
	}
}

func domainWorld(t *testing.T) *testkit.World {
	t.Helper()
	w := testkit.New(t)
	one, key := testkit.Certificate(t, "one", testkit.Epoch())
	two, _ := testkit.Certificate(t, "one", testkit.Epoch().AddDate(1, 0, 0))
	w.File("one.pem", one)
	w.File("two.pem", two)
	w.File("key.pem", key)
	return w
}

func portalWith(domain string) string {
	if domain == "" {
		return "portals: [{name: dev}]"
	}
	return "portals: [{name: dev, custom_domain: {" + domain + "}}]"
}

func TestToggledDomainCarriesThatFieldAlone(t *testing.T) {
	w := testkit.New(t)
	w.Sync(domain("a.example.com", "http"))
	p := w.Plan(apply, strings.Replace(domain("a.example.com", "http"), "enabled: true", "enabled: false", 1))
	testkit.Equal(t, "fields", p.Changes[0].Fields, object{"enabled": false})
	w.Recorder.Reset()
	w.Succeed(w.Run(p))
	writes := w.Recorder.Writes()
	if len(writes) != 1 || writes[0].Method != "PATCH" || writes[0].Body != `{"enabled":false}` {
		t.Errorf("writes: %+v", writes)
	}
}

func TestOmittedDomain(t *testing.T) {
	w := testkit.New(t)
	w.Sync(domain("a.example.com", "http"))
	testkit.Expect(t, w.Plan(apply, "portals: [{name: dev}]"))
	p := w.Plan(testkit.Ask{}, "portals: [{name: dev}]")
	testkit.Expect(t, p, "1 DELETE portal_custom_domain dev-custom-domain")
	id, _ := w.Named("portal", "dev")["id"].(string)
	w.Send("DELETE", "/v3/portals/"+id+"/custom-domain", "") // somebody was faster
	w.Succeed(w.Run(p))
}

func TestDomainOfANewPortal(t *testing.T) {
	w := testkit.New(t)
	p := w.Plan(testkit.Ask{}, domain("a.example.com", "http"))
	testkit.Expect(t, p, "1 CREATE portal dev", "2 CREATE portal_custom_domain dev-custom-domain < 1")
	testkit.Equal(t, "parent", testkit.ChangeOf(t, p, plan.Create, "portal_custom_domain").Parent.ID, "[unknown]")
}
