package build_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/testkit"
)

// estate is what the rows of TestPrune start from.
const estate = `
portals:
  - name: dev
    pages: [{slug: guides, content: x}]
    snippets: [{name: one, content: x}]
    teams: [{name: partners, roles: [{role_name: API Viewer, entity_type_name: Services, entity_id: flights, entity_region: eu}]}]
    customization: {theme: {mode: dark}}
    auth_settings: {basic_auth_enabled: true}
    custom_domain: {hostname: a.example.com, enabled: true, ssl: {domain_verification_method: http}}
apis: [{name: flights, publications: [{portal: dev}]}]
teams: [{name: ops, roles: [{role_name: Admin, entity_type_name: APIs, entity_id: flights, entity_region: eu}]}]
control_planes: [{name: cp, data_plane_certificates: [{ref: cert, cert: !file cert.pem}]}]
`

func TestPrune(t *testing.T) {
	const (
		everything = "portals: [{name: dev}]\napis: [{name: flights}]\nteams: [{name: ops}]\ncontrol_planes: [{name: cp}]\n"
		full       = resource.PruneFull
		declared   = resource.PruneDeclared
		none       = resource.PruneNone
	)
	for _, row := range []struct {
		name, prune, text string
		want              []string
	}{
		{
			"full: children of declared parents go, but for roles and certificates that no key speaks of, and singletons that are always there",
			full, everything,
			[]string{
				"DELETE portal_page guides", "DELETE portal_snippet one", "DELETE portal_custom_domain dev-custom-domain",
				"DELETE portal_team partners", "DELETE api_publication dev",
			},
		},
		{
			"full: roles and certificates go where their key is present",
			full, "portals: [{name: dev, pages: [{slug: guides, content: x}], snippets: [{name: one, content: x}], teams: [{name: partners, roles: []}], custom_domain: {hostname: a.example.com, enabled: true, ssl: {domain_verification_method: http}}}]\napis: [{name: flights, publications: [{portal: dev}]}]\nteams: [{name: ops, roles: []}]\ncontrol_planes: [{name: cp, data_plane_certificates: []}]",
			[]string{"DELETE organization_team_role Admin-APIs-flights-eu", "DELETE control_plane_data_plane_certificate cert", "DELETE portal_team_role API Viewer-Services-flights-eu"},
		},
		{
			"full: undeclared roots go, with all that belongs to them",
			full, "portals: [{name: dev, pages: [{slug: guides, content: x}], snippets: [{name: one, content: x}], custom_domain: {hostname: a.example.com, enabled: true, ssl: {domain_verification_method: http}}, teams: [{name: partners}]}]",
			[]string{"DELETE organization_team ops", "DELETE control_plane cp", "DELETE api flights"},
		},
		{"declared: only collections whose key is present", declared, everything, nil},
		{
			"declared: an empty list means none",
			declared, "portals: [{name: dev, pages: [], snippets: [{name: one, content: x}], custom_domain: {}}]\nteams: []\napis: [{name: flights}]",
			[]string{"DELETE portal_page guides", "DELETE portal_custom_domain dev-custom-domain", "DELETE organization_team ops"},
		},
		{"declared: an absent root key means leave alone", declared, "portals: [{name: dev}]", nil},
		{"none: nothing", none, "portals: [{name: dev, pages: []}]\nteams: []\napis: []", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := testkit.New(t)
			cert, _ := testkit.Certificate(t, "one", testkit.Epoch())
			w.File("cert.pem", cert)
			w.Sync(estate)
			p := w.Plan(testkit.Ask{Prune: row.prune}, row.text)
			got := map[string]bool{}
			for _, c := range p.Changes {
				if c.Action == plan.Delete {
					got[string(c.Action)+" "+c.ResourceType+" "+nameOf(c)] = true
				}
			}
			want := map[string]bool{}
			for _, line := range row.want {
				want[line] = true
			}
			testkit.Equal(t, "deletes", got, want)
			testkit.Equal(t, "scope", p.Metadata.SyncScope.Prune, row.prune)
			w.Succeed(w.Run(p))
			w.Settled(testkit.Ask{Prune: row.prune}, row.text)
		})
	}
}

// nameOf spares the rows the ids of what has no name.
func nameOf(c *plan.Change) string {
	if c.ResourceType == "control_plane_data_plane_certificate" {
		return "cert"
	}
	if c.ResourceType == "api_publication" {
		return "dev"
	}
	return c.ResourceName
}

func TestPruneStaysInItsNamespaces(t *testing.T) {
	w := testkit.New(t)
	w.Sync("portals: [{name: mine, kongctl: {namespace: mine}}]")
	w.Apply("portals: [{name: theirs, kongctl: {namespace: theirs}}, {name: default}]\nteams: [{name: theirs, kongctl: {namespace: theirs}}]")
	w.Send("POST", "/v3/portals", `{"name":"by-hand"}`)
	w.Send("POST", "/v3/portals", `{"name":"by-hand-labelled","labels":{"KONGCTL-managed":"true"}}`)
	before := len(w.State("portal"))

	p := w.Plan(testkit.Ask{}, "portals: [{name: other, kongctl: {namespace: mine}}]")
	testkit.Expect(t, p, "1 CREATE portal other", "2 DELETE portal mine")
	testkit.Equal(t, "namespaces", p.Metadata.SyncScope.Namespaces, []string{"mine"})
	w.Succeed(w.Run(p))
	if got := len(w.State("portal")); got != before {
		t.Errorf("%d portals, want %d", got, before)
	}
}

func TestPruneOfANamespaceThatIsOnlyNamed(t *testing.T) {
	w := testkit.New(t)
	w.Sync("_defaults: {kongctl: {namespace: mine}}\nportals: [{name: a, pages: [{slug: x, content: x}]}]\nteams: [{name: t}]")
	w.Apply("portals: [{name: theirs}]")
	const named = "_defaults: {kongctl: {namespace: mine}}\n"
	testkit.Expect(t, w.Plan(testkit.Ask{Prune: resource.PruneDeclared}, named))
	testkit.Expect(t, w.Plan(testkit.Ask{Prune: resource.PruneDeclared}, named+"teams: []"), "1 DELETE organization_team t")
	p := w.Plan(testkit.Ask{}, named)
	testkit.Expect(t, p, "1 DELETE organization_team t", "2 DELETE portal a")
	testkit.Equal(t, "namespaces", p.Metadata.SyncScope.Namespaces, []string{"mine"})
	w.Succeed(w.Run(p))
	w.Settled(testkit.Ask{}, named)
}

// Without a namespace there is nothing to prune, and nothing to read.
func TestPruneOfNothing(t *testing.T) {
	w := testkit.New(t)
	w.Sync("portals: [{name: a}]")
	w.Recorder.Reset()
	p := w.Plan(testkit.Ask{}, "portals:")
	testkit.Expect(t, p)
	testkit.Equal(t, "namespaces", p.Metadata.SyncScope.Namespaces, []string{})
	if reads := w.Recorder.All(); len(reads) > 0 {
		t.Errorf("read %v", reads)
	}
}

func TestSystemTeamsStay(t *testing.T) {
	w := testkit.New(t)
	w.Sync("teams: [{name: mine}]")
	system := len(w.State("organization_team")) - 1
	if system < 1 {
		t.Fatal("the embedded Konnect has no team of its own")
	}
	// Even one that carries our label: somebody may have put it there.
	from := labelled{w.Target, map[string]string{label.Namespace: "default"}}
	p, diags := w.TryPlan(testkit.Ask{}, w.Load("teams: [{name: other}]"), from)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	testkit.Expect(t, p, "1 CREATE organization_team other", "2 DELETE organization_team mine")
}

// With prune declared a tree is one collection: its key stands for all depths.
func TestDeclaredTreesArePrunedWhole(t *testing.T) {
	for name, row := range map[string]struct {
		before, after string
		want          []string
	}{
		"pages": {
			"portals: [{name: dev, pages: [{slug: guides, content: Guides, children: [{slug: first, content: First}]}, {slug: other, content: Other}]}]",
			"portals: [{name: dev, pages: [{slug: guides, content: Guides}]}]",
			[]string{"1 DELETE portal_page first", "2 DELETE portal_page other"},
		},
		"pages, no key": {
			"portals: [{name: dev, pages: [{slug: guides, content: Guides, children: [{slug: first, content: First}]}]}]",
			"portals: [{name: dev}]",
			nil,
		},
		"documents": {
			"apis: [{name: a, documents: [{slug: guides, content: '# Guides', children: [{slug: first, content: '# First'}]}]}]",
			"apis: [{name: a, documents: [{slug: guides, content: '# Guides'}]}]",
			[]string{"1 DELETE api_document first"},
		},
		"documents of packages": {
			"api_packages: [{name: a, documents: [{slug: guides, content: '# Guides', children: [{slug: first, content: '# First'}]}]}]",
			"api_packages: [{name: a, documents: [{slug: guides, content: '# Guides'}]}]",
			[]string{"1 DELETE api_package_document first"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(row.before)
			testkit.Expect(t, w.Plan(testkit.Ask{Prune: "declared"}, row.after), row.want...)
		})
	}
}
