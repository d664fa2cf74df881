package language_test

import (
	"fmt"
	"testing"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/testkit"
)

// TestBuild shows what becomes of what people may write.
func TestBuild(t *testing.T) {
	cert, _ := testkit.Certificate(t, "one", testkit.Epoch())
	other, _ := testkit.Certificate(t, "two", testkit.Epoch())
	for _, tc := range []struct {
		name string
		text string
		want []string
	}{
		{
			"the name is the ref",
			"portals: [{name: dev}]",
			[]string{`portal dev {"name":"dev"}`},
		},
		{
			"the ref is the name",
			"portals: [{ref: dev, display_name: Dev}]",
			[]string{`portal dev {"display_name":"Dev","name":"dev"}`},
		},
		{
			"a ref beside a name never reaches Konnect",
			"portals: [{ref: dev, name: Developers}]",
			[]string{`portal dev {"name":"Developers"}`},
		},
		{
			"one name for two types",
			"apis: [{name: flights}]\nteams: [{name: flights}]",
			[]string{`api flights {"name":"flights"}`, `organization_team flights {"name":"flights"}`},
		},
		{
			"the other names of collections",
			"auth_strategies:\n- {name: key, strategy_type: key_auth, display_name: Key, configs: {key-auth: {}}}\norganization: {teams: [{name: ops}]}",
			[]string{
				`application_auth_strategy key {"configs":{"key-auth":{}},"display_name":"Key","name":"key","strategy_type":"key_auth"}`,
				`organization_team ops {"name":"ops"}`,
			},
		},
		{
			"a single mapping for a list of children",
			"apis: [{name: flights, publications: {portal: dev}}]",
			[]string{`api flights {"name":"flights"}`, `api_publication flights-dev of flights {"portal_id":"!ref dev#id"}`},
		},
		{
			"a list of one for a thing that there is once",
			"portals: [{name: dev, auth_settings: [{basic_auth_enabled: true}]}]",
			[]string{`portal dev {"name":"dev"}`, `portal_auth_settings dev-auth-settings of dev {"basic_auth_enabled":true}`},
		},
		{
			"references: a name, a ref, a tag, an id, in a list and not",
			"apis:\n- name: a\n  publications:\n  - {portal: dev, auth_strategy_ids: [key]}\n  - {portal_id: !ref partners}\n  - {portal: {ref: x}}\n  - {portal_id: 6c5f4f0e-7d0b-4a5e-9a53-6a1f3d0c7b11}",
			[]string{
				`api a {"name":"a"}`,
				`api_publication a-dev of a {"auth_strategy_ids":["!ref key#id"],"portal_id":"!ref dev#id"}`,
				`api_publication a-partners of a {"portal_id":"!ref partners#id"}`,
				`api_publication a-x of a {"portal_id":"!ref x#id"}`,
				`api_publication a-6c5f4f0e-7d0b-4a5e-9a53-6a1f3d0c7b11 of a {"portal_id":"!ref 6c5f4f0e-7d0b-4a5e-9a53-6a1f3d0c7b11#id"}`,
				`portal 6c5f4f0e-7d0b-4a5e-9a53-6a1f3d0c7b11 {}`,
			},
		},
		{
			"references below a field",
			"apis: [{name: a, implementations: [{service: {id: 6c5f4f0e-7d0b-4a5e-9a53-6a1f3d0c7b11, control_plane_id: edge}}]}]",
			[]string{
				`api a {"name":"a"}`,
				`api_implementation a-6c5f4f0e-7d0b-4a5e-9a53-6a1f3d0c7b11-edge of a {"service":{"control_plane_id":"!ref edge#id","id":"!ref 6c5f4f0e-7d0b-4a5e-9a53-6a1f3d0c7b11#id"}}`,
			},
		},
		{
			"pages below pages",
			"portals: [{name: dev, pages: [{slug: a, content: A, children: [{slug: b, content: B, children: {slug: c, content: C}}]}]}]",
			[]string{
				`portal dev {"name":"dev"}`,
				`portal_page dev-a of dev {"content":"A","slug":"a"}`,
				`portal_page dev-a-b of dev below dev-a {"content":"B","slug":"b"}`,
				`portal_page dev-a-b-c of dev below dev-a-b {"content":"C","slug":"c"}`,
			},
		},
		{
			"flat pages below a flat page",
			"portals: [{name: dev}]\nportal_pages: [{portal: dev, slug: a, content: A, children: [{slug: b, content: B}]}]",
			[]string{
				`portal dev {"name":"dev"}`,
				`portal_page dev-a of dev {"content":"A","slug":"a"}`,
				`portal_page dev-a-b of dev below dev-a {"content":"B","slug":"b"}`,
			},
		},
		{
			"one slug below two pages",
			"portals: [{name: dev, pages: [{ref: a, slug: a, content: A}, {ref: b, slug: b, content: B}]}]\n" +
				"portal_pages:\n- {portal: dev, slug: x, parent_page_id: a, content: X}\n- {portal: dev, slug: x, parent_page_id: b, content: X}",
			[]string{
				`portal dev {"name":"dev"}`,
				`portal_page a of dev {"content":"A","slug":"a"}`,
				`portal_page b of dev {"content":"B","slug":"b"}`,
				`portal_page dev-x of dev {"content":"X","parent_page_id":"!ref a#id","slug":"x"}`,
				`portal_page dev-x of dev {"content":"X","parent_page_id":"!ref b#id","slug":"x"}`,
			},
		},
		{
			"parents of parents by their names",
			"portal_team_roles:\n- {team: partners, role_name: API Viewer, entity_type_name: Services, entity_id: !ref a, entity_region: eu}\n" +
				"portal_teams: [{portal_id: dev, name: partners}]\nportals: [{name: dev}]",
			[]string{
				`portal dev {"name":"dev"}`,
				`portal_team dev-partners of dev {"name":"partners"}`,
				`portal_team_role dev-partners-API-Viewer-Services-a-eu of dev-partners {"entity_id":"!ref a#id","entity_region":"eu","entity_type_name":"Services","role_name":"API Viewer"}`,
			},
		},
		{
			"a parent by a ref that is also a name",
			"portals: [{name: dev}, {ref: dev, name: other}]\nportal_teams: [{portal: dev, name: partners}]",
			[]string{`portal dev {"name":"dev"}`, `portal dev {"name":"other"}`, `portal_team dev-partners of dev {"name":"partners"}`},
		},
		{
			"the specification as text, and its version",
			"apis: [{name: a, versions: [{spec: 'info: {version: 1.2.0}'}, {version: v2, spec: {content: 'info: {version: 1.2.0}'}}]}]",
			[]string{
				`api a {"name":"a"}`,
				`api_version a-1.2.0 of a {"spec":{"content":"info: {version: 1.2.0}"},"version":"1.2.0"}`,
				`api_version a-v2 of a {"spec":{"content":"info: {version: 1.2.0}"},"version":"v2"}`,
			},
		},
		{
			"fields from the front matter",
			"portals: [{name: dev, pages: [{content: !file p.md}]}]\n-- p.md --\n---\nslug: start\ntitle: Start\nauthor: me\n---\n# Hi\n",
			[]string{
				`portal dev {"name":"dev"}`,
				`portal_page dev-start of dev {"content":"---\nslug: start\ntitle: Start\nauthor: me\n---\n# Hi\n","slug":"start","title":"Start"}`,
			},
		},
		{
			"front matter that agrees",
			"portals: [{name: dev, pages: [{slug: start, content: \"---\\nslug: start\\n---\\n\"}]}]",
			[]string{`portal dev {"name":"dev"}`, `portal_page dev-start of dev {"content":"---\nslug: start\n---\n","slug":"start"}`},
		},
		{
			"a variable in a secret field is a secret, and need not be set yet",
			"portals: [{name: dev, identity_providers: [{type: oidc, config: {issuer_url: https://id.example.com, client_id: dev, client_secret: !env SECRET}}]}]",
			[]string{`portal dev {"name":"dev"}`, `portal_identity_provider dev-oidc of dev {"config":{"client_id":"dev","client_secret":"!secret {!env SECRET}","issuer_url":"https://id.example.com"},"type":"oidc"}`},
		},
		{
			"a vault keeps the secret",
			"portals: [{name: dev, identity_providers: [{type: oidc, config: {issuer_url: https://id.example.com, client_id: dev, client_secret: '{vault://env/secret}'}}]}]",
			[]string{`portal dev {"name":"dev"}`, `portal_identity_provider dev-oidc of dev {"config":{"client_id":"dev","client_secret":"{vault://env/secret}","issuer_url":"https://id.example.com"},"type":"oidc"}`},
		},
		{
			"a variable that is set",
			"portals: [{name: dev, description: !env SET}]",
			[]string{`portal dev {"description":"!env SET","name":"dev"}`},
		},
		{
			"children without a name are distinguished by what they are",
			fmt.Sprintf("control_planes: [{name: edge, data_plane_certificates: [{title: one, cert: %q}, {cert: %q}]}]", cert, other),
			[]string{
				`control_plane edge {"name":"edge"}`,
				fmt.Sprintf(`control_plane_data_plane_certificate edge-one of edge {"cert":%q,"title":"one"}`, cert),
				fmt.Sprintf(`control_plane_data_plane_certificate edge-aefc948b of edge {"cert":%q}`, other),
			},
		},
		{
			"several documents in a file, and none",
			"portals: [{name: dev}]\n---\n# nothing\n---\napis: [{name: a}]\n---\n{}\n",
			[]string{`portal dev {"name":"dev"}`, `api a {"name":"a"}`},
		},
		{
			"any shape in fields that take any",
			"catalog_services: [{name: a, display_name: A, custom_fields: {n: 1, b: true, t: x, l: {name: X, link: 'https://x.example'}}}]",
			[]string{`catalog_service a {"custom_fields":{"b":true,"l":{"link":"https://x.example","name":"X"},"n":1,"t":"x"},"display_name":"A","name":"a"}`},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set := buildSet(t, tc.text, language.Options{Env: func(name string) (string, bool) { return "x", name == "SET" }})
			if diff := cmp.Diff(tc.want, lines(set)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestNestingAndFlatFormAreTheSame(t *testing.T) {
	nested := `
apis:
  - name: flights
    versions:
      - version: "1"
        spec: "openapi: 3.1.0"
    publications:
      - portal: dev
    documents:
      - slug: about
        content: About
portals:
  - name: dev
    custom_domain:
      hostname: dev.example.com
      enabled: true
      ssl: {domain_verification_method: http}
    teams:
      - name: partners
        roles:
          - {role_name: API Viewer, entity_type_name: Services, entity_id: !ref flights, entity_region: eu}
`
	flat := `
portal_team_roles:
  - {portal_team: dev-partners, role_name: API Viewer, entity_type_name: Services, entity_id: flights, entity_region: eu}
portal_teams:
  - {portal: dev, name: partners}
portal_custom_domains:
  - portal_id: {ref: dev}
    hostname: dev.example.com
    enabled: true
    ssl: {domain_verification_method: http}
api_documents:
  - {api: flights, slug: about, content: About}
api_publications:
  - {api_id: !ref flights, portal_id: !ref dev#id}
api_versions:
  - {api: flights, version: "1", spec: {content: "openapi: 3.1.0"}}
portals:
  - name: dev
apis:
  - name: flights
`
	a, b := buildSet(t, nested, language.Options{}), buildSet(t, flat, language.Options{})
	if diff := cmp.Diff(sorted(a), sorted(b)); diff != "" {
		t.Errorf("(-nested +flat):\n%s", diff)
	}
	for _, ref := range []string{"flights", "dev", "dev-partners"} {
		if diff := cmp.Diff(find(t, a, ref).Written, find(t, b, ref).Written); diff != "" {
			t.Errorf("lists written below %s (-nested +flat):\n%s", ref, diff)
		}
	}
	seen := map[*resource.Resource]bool{nil: true}
	for _, r := range b.Resources {
		if !seen[r.Parent] {
			t.Errorf("%s comes before its parent", r.Address())
		}
		seen[r] = true
	}
}

func TestTheSet(t *testing.T) {
	set := buildSet(t, "portals: [{ref: dev, name: Developers, teams: [{name: a, roles: []}, {name: b}]}]", language.Options{})
	dev := find(t, set, "dev")
	if got := len(set.Children(dev)); got != 2 {
		t.Errorf("%d children, want 2", got)
	}
	team := find(t, set, "dev-a")
	if team.Root() != dev {
		t.Errorf("the root of %s is %s", team.Address(), team.Root().Address())
	}
	if !dev.Called("Developers") || dev.Called("dev") {
		t.Error("a resource is called by its name, and not by its ref")
	}
	if set.MayExist("portal", "x") {
		t.Error("all was read, so x does not exist")
	}
}

// TestPresence tells an empty list, which means none, from an absent one.
func TestPresence(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		written    bool
	}{
		{"an empty list", "roles: []", true},
		{"an empty mapping", "roles: {}", true},
		{"a list", "roles: [{role_name: Admin, entity_type_name: APIs, entity_id: !ref a, entity_region: eu}]", true},
		{"nothing after the colon", "roles:", false},
		{"no key", "description: x", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set := buildSet(t, "teams:\n- name: ops\n  "+tc.text, language.Options{})
			if got := find(t, set, "ops").Written["roles"]; got != tc.written {
				t.Errorf("written is %v, want %v", got, tc.written)
			}
		})
	}
	set := buildSet(t, "portals: []\napis:\norganization: {teams: [{name: ops}]}\n", language.Options{})
	for kind, want := range map[string]bool{"portal": true, "organization_team": true, "api": false} {
		if got := set.MentionsType(kind); got != want {
			t.Errorf("mentions %s: %v, want %v", kind, got, want)
		}
	}
}

func TestNamespaces(t *testing.T) {
	set := buildSet(t, `
-- a.yaml --
_defaults: {kongctl: {namespace: airlines, protected: true}}
portals:
  - name: dev
    pages: [{ref: home, slug: home, content: Home}, {ref: kept, slug: kept, content: Kept, kongctl: {protected: true}}]
  - name: open
    kongctl: {protected: false}
  - name: shared
    kongctl: {namespace: shared}
---
apis: [{name: flights}]
-- b.yaml --
apis: [{name: seats, kongctl: {}}]
-- c.yaml --
_defaults: {kongctl: {namespace: empty}}
`, language.Options{})
	got := map[string]string{}
	for _, r := range set.Resources {
		got[r.Ref] = fmt.Sprintf("%s %v", r.Namespace, r.Protected)
	}
	want := map[string]string{
		"dev": "airlines true", "home": "airlines false", "kept": "airlines true", "open": "airlines false", "shared": "shared true",
		"flights": "airlines true", "seats": "default false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"airlines", "default", "empty", "shared"}, set.Namespaces); diff != "" {
		t.Errorf("namespaces (-want +got):\n%s", diff)
	}
}

// A root that carries no mark is in no namespace: a sync of it deletes nothing of
// others. One that is written counts as named.
func TestRootsWithoutAMarkNameNoNamespace(t *testing.T) {
	const other = "apis: [{ref: other, name: other, kongctl: {namespace: platform}}]\ndashboards: []\n"
	tried := 0
	for _, typ := range load(t).All() {
		if typ.Parent != nil || typ.HasLabels() || typ.ReadOnly || typ.Root() == "" {
			continue
		}
		tried++
		for _, tc := range []struct {
			name, text string
			want       []string
		}{
			{"alone", "%s: [{ref: r}]\n", nil},
			{"beside a root of a namespace", other + "%s: [{ref: r}]\n", []string{"platform"}},
			{"below defaults", "_defaults: {kongctl: {namespace: team}}\n%s: [{ref: r}]\n", []string{"team"}},
			{"with a namespace", "%s: [{ref: r, kongctl: {namespace: team}}]\n", []string{"team"}},
		} {
			t.Run(typ.Kind+"/"+tc.name, func(t *testing.T) {
				set, _ := language.Build(load(t), read(t, fmt.Sprintf(tc.text, typ.Root())).Documents, language.Options{}) // required fields are missing
				if len(set.Of(typ.Neutral())) != 1 {
					t.Fatal("it is not declared")
				}
				if diff := cmp.Diff(tc.want, set.Namespaces); diff != "" {
					t.Errorf("namespaces (-want +got):\n%s", diff)
				}
			})
		}
	}
	if tried == 0 {
		t.Error("no type was tried")
	}
}

func TestRequiredNamespaces(t *testing.T) {
	const text = `
-- a.yaml --
_defaults: {kongctl: {namespace: airlines}}
portals: [{name: dev, pages: [{slug: home, content: Home}]}]
-- b.yaml --
teams: [{name: ops, kongctl: {namespace: shared}}]
-- c.yaml --
apis: [{name: flights}, {name: seats, kongctl: {namespace: default}}]
`
	for _, tc := range []struct {
		name string
		o    language.Options
		want []string
	}{
		{"nothing is asked for", language.Options{}, nil},
		{"any namespace", language.Options{RequireAnyNamespace: true}, []string{"c.yaml:1:8"}},
		{"these namespaces", language.Options{RequireNamespaces: []string{"airlines", "default"}}, []string{"b.yaml:1:9"}},
		{"both", language.Options{RequireAnyNamespace: true, RequireNamespaces: []string{"airlines", "shared"}}, []string{"c.yaml:1:8", "c.yaml:1:8", "c.yaml:1:25"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, diags := language.Build(load(t), read(t, text).Documents, tc.o)
			var got []string
			for _, d := range diags.Sorted() {
				if d.Code != diag.CfgNamespaceNeed {
					t.Errorf("not asked for: %v", d)
				}
				got = append(got, d.Pos.String())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestWhatIsLeftOut keeps silent about what may stand where nobody could look.
func TestWhatIsLeftOut(t *testing.T) {
	docs := read(t, "api_versions: [{api: flights, version: '1', spec: x}]").Documents
	if _, diags := language.Build(load(t), docs, language.Options{}); len(diags) != 1 {
		t.Errorf("an unknown parent: %v", diags)
	}
	set, diags := language.Build(load(t), docs, language.Options{Incomplete: true})
	if len(diags) != 0 || !set.MayExist("api", "flights") {
		t.Errorf("a parent that may stand in what was not read: %v", diags)
	}
}

func TestFilesTakenForSomethingElse(t *testing.T) {
	result := read(t, `
-- apis.yaml --
apis: [{name: a, versions: [{version: "1", spec: !file openapi.yaml}, {version: "2", spec: !file teams.yaml}]}]
-- openapi.yaml --
openapi: 3.0.0
-- teams.yaml --
organization: {teams: [{name: ops}]}
`)
	_, diags := language.Build(load(t), result.Documents, language.Options{Skipped: result.Skipped})
	if len(diags) != 1 || diags[0].Severity != diag.Warning || diags[0].Pos.String() != "teams.yaml" {
		t.Errorf("want one warning for teams.yaml: %v", diags)
	}
}
