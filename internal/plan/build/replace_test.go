package build_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

func domain(host, method string) string {
	return "portals: [{name: dev, custom_domain: {hostname: " + host + ", enabled: true, ssl: {domain_verification_method: " + method + "}}}]"
}

// Spec 004: a changed host name is a DELETE and a CREATE that depends on it.
func TestReplaceOfAChild(t *testing.T) {
	for _, ask := range []testkit.Ask{{}, apply} {
		w := testkit.New(t)
		w.Sync(domain("a.example.com", "http"))
		p := w.Plan(ask, domain("b.example.com", "http"))
		testkit.Expect(t, p,
			"1 DELETE portal_custom_domain dev-custom-domain",
			"2 CREATE portal_custom_domain dev-custom-domain < 1",
		)
		for _, c := range p.Changes {
			if !c.Replace || c.Parent == nil || c.Parent.Ref != "dev" || c.Parent.ID == "" {
				t.Errorf("%s: replace %v, parent %+v", c.ID, c.Replace, c.Parent)
			}
		}
		testkit.Equal(t, "fields", p.Changes[1].Fields, object{"hostname": "b.example.com", "enabled": true, "ssl": object{"domain_verification_method": "http"}})
		w.Succeed(w.Run(p))
		w.Settled(ask, domain("b.example.com", "http"))
		if got := w.State("portal_custom_domain"); len(got) != 1 || got[0]["hostname"] != "b.example.com" {
			t.Errorf("after the run: %v", got)
		}
	}
}

const (
	gateways = "control_planes: [{ref: cp, name: cp, cluster_type: "
	hybrid   = gateways + "CLUSTER_TYPE_CONTROL_PLANE, description: old}]"
	ingress  = gateways + "CLUSTER_TYPE_K8S_INGRESS_CONTROLLER, description: new}]"
)

func TestReplaceOfARootIsRefused(t *testing.T) {
	for _, ask := range []testkit.Ask{{}, apply} {
		w := testkit.New(t)
		w.Sync(hybrid)
		p := w.Plan(ask, ingress)
		testkit.Expect(t, p) // not even the description: half a change is none
		if len(p.Blocked) != 1 || p.Summary.Blocked != 1 {
			t.Fatalf("blocked: %+v, summary %d", p.Blocked, p.Summary.Blocked)
		}
		b := p.Blocked[0]
		if b.ResourceType != "control_plane" || b.ResourceRef != "cp" || b.Action != plan.Delete || b.By != "replace" {
			t.Errorf("blocked: %+v", b)
		}
		if !strings.Contains(b.Message, "cluster_type") || !strings.Contains(b.Message, "--allow-replace cp") {
			t.Errorf("the message must say why and how: %s", b.Message)
		}
	}
}

func TestReplaceOfAChildWithChildrenIsRefused(t *testing.T) {
	// No child of the families here can be replaced and has children, so the
	// root's rule stands for it: see mayReplace.
	for _, b := range testkit.Catalog(t).All() {
		if b.ReadOnly || b.Parent == nil || len(b.Children) == 0 {
			continue
		}
		o := b.Write().Object(nil)
		for _, n := range o.Names() {
			if b.Immutable([]string{n}) && !b.IsIdentity([]string{n}) {
				t.Errorf("%s.%s needs a test here", b.Kind, n)
			}
		}
	}
}

func TestReplaceThatIsAllowed(t *testing.T) {
	w := testkit.New(t)
	cert, _ := testkit.Certificate(t, "one", testkit.Epoch())
	w.File("cert.pem", cert)
	const below = ", data_plane_certificates: [{ref: cert, title: one, cert: !file cert.pem}]}]"
	const users = `
apis:
  - {name: flights, implementations: [{ref: impl, control_plane: {control_plane_id: cp}}]}
`
	w.Sync(gateways + "CLUSTER_TYPE_CONTROL_PLANE" + below + users)
	next := gateways + "CLUSTER_TYPE_K8S_INGRESS_CONTROLLER" + below + users
	p := w.Plan(testkit.Ask{AllowReplace: []string{"cp"}}, next)
	testkit.Expect(t, p,
		"1 DELETE api_implementation impl",
		"2 DELETE control_plane cp < 1",
		"3 CREATE control_plane cp < 2",
		"4 CREATE control_plane_data_plane_certificate cert < 3",
		"5 CREATE api_implementation impl < 1 3",
	)
	if len(p.Blocked) != 0 {
		t.Errorf("blocked: %v", p.Blocked)
	}
	if _, known := p.Metadata.ReferenceMappings["cp"]; known {
		t.Error("the id of what is made again is not known yet")
	}
	w.Succeed(w.Run(p))
	w.Settled(testkit.Ask{}, next)
}

// What refers to a resource that is deleted and created again is detached before
// and attached after.
func TestReplaceOfWhatOthersUse(t *testing.T) {
	w := testkit.New(t)
	const strategy = "application_auth_strategies: [{ref: key, name: key, display_name: K, "
	const users = `
portals: [{name: dev, default_application_auth_strategy_id: key}]
apis: [{name: a, publications: [{portal: dev, auth_strategy_ids: [key]}]}]
`
	w.Sync(strategy + "strategy_type: key_auth, configs: {key-auth: {key_names: [a]}}}]" + users)
	next := strategy + "strategy_type: openid_connect, configs: {openid-connect: {issuer: 'https://id.example.com', credential_claim: [sub], scopes: [openid], auth_methods: [bearer]}}}]" + users
	p := w.Plan(testkit.Ask{AllowReplace: []string{"key"}}, next)
	testkit.Expect(t, p,
		"1 UPDATE api_publication a-dev",
		"2 UPDATE portal dev",
		"3 DELETE application_auth_strategy key < 1 2",
		"4 CREATE application_auth_strategy key < 3",
		"5 UPDATE portal dev < 2 4",
		"6 UPDATE api_publication a-dev < 1 4",
	)
	// Konnect may refuse the delete: then nothing that follows is done.
	w.Recorder.Intercept = func(r *http.Request, _ string) (*http.Response, error) {
		if r.Method == http.MethodDelete {
			return testkit.Refuse(r, http.StatusConflict, "in use"), nil
		}
		return nil, nil
	}
	if got := w.Run(p).Report; got.Succeeded != 2 || got.Failed != 1 || got.Skipped != 3 {
		t.Errorf("report: %+v", got)
	}
}

// What a refused replace would have freed stays, too: Konnect would refuse its
// delete while the run is under way.
func TestReplaceThatWaitsForARefusedOne(t *testing.T) {
	const (
		okta   = "dcr_providers: [{ref: d, name: d, issuer: 'https://i.example.com', provider_type: okta, dcr_config: {dcr_token: !env TOKEN}}]\n"
		kong   = "dcr_providers: [{ref: d, name: d, issuer: 'https://i.example.com', provider_type: kongIdentity}]\n"
		start  = "application_auth_strategies: [{ref: s, name: s, display_name: S, "
		openID = start + "strategy_type: openid_connect, dcr_provider_id: d, configs: {openid-connect: {issuer: 'https://i.example.com', credential_claim: [sub], scopes: [openid], auth_methods: [bearer]}}}]"
		key    = start + "strategy_type: key_auth, configs: {key-auth: {key_names: [a]}}}]"
		more   = "\nteams: [{name: more}]"
	)
	w := testkit.New(t)
	w.Env["TOKEN"] = "canary"
	w.Sync(okta + openID)
	for _, c := range []struct {
		name, next string
		allow      []string
	}{
		{"the user no longer needs it", kong + key + more, []string{"d"}},
		{"it is deleted", "dcr_providers: []\n" + key + more, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := w.Plan(testkit.Ask{AllowReplace: c.allow}, c.next)
			testkit.Expect(t, p, "1 CREATE organization_team more")
			if len(p.Blocked) != 2 || p.Blocked[1].ResourceType != "dcr_provider" || p.Blocked[1].By != "replace" ||
				p.Blocked[1].Message != "application auth strategy \"s\" uses it in dcr_provider_id and stays as it is: its replace is refused" {
				t.Errorf("blocked: %+v", p.Blocked)
			}
		})
	}
	next := kong + key + more
	w.Succeed(w.Run(w.Plan(testkit.Ask{AllowReplace: []string{"d", "s"}}, next)))
	w.Settled(testkit.Ask{}, next)
}

// A reference to what is made again means the new one, its fields included.
func TestReplaceMakesValuesUnknown(t *testing.T) {
	w := testkit.New(t)
	const users = `
teams:
  - {name: a, description: !ref cp#id}
  - {name: b, description: !ref cp#created_at}
  - {name: c, description: !ref cp#description}
`
	w.Sync(hybrid + users)
	p := w.Plan(testkit.Ask{AllowReplace: []string{"cp"}}, ingress+users)
	testkit.Expect(t, p,
		"1 DELETE control_plane cp",
		"2 CREATE control_plane cp < 1",
		"3 UPDATE organization_team a < 2",
		"4 UPDATE organization_team b < 2",
		"5 UPDATE organization_team c < 2",
	)
	w.Succeed(w.Run(p))
	w.Settled(testkit.Ask{}, ingress+users)
	id, _ := w.Named("control_plane", "cp")["id"].(string)
	made := w.Send("GET", "/v2/control-planes/"+id, "")
	for team, field := range map[string]string{"a": "id", "b": "created_at", "c": "description"} {
		testkit.Equal(t, team, w.Named("organization_team", team)["description"], made[field])
	}
}
