package resource_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

// One catalog serves all tests: nothing changes it.
var loadOnce = sync.OnceValues(catalog.Load)

// link reads a text that has nothing wrong with it up to its references.
func link(t testing.TB, text string, o language.Options) (*resource.Set, *resource.Links, diag.List) {
	t.Helper()
	cat, err := loadOnce()
	if err != nil {
		t.Fatal(err)
	}
	read, diags := source.Load(context.Background(), source.Options{
		Files: []string{"-"}, Stdin: strings.NewReader(text), WorkDir: t.TempDir(),
	})
	set, more := language.Build(cat, read.Documents, o)
	if diags = append(diags, more...); len(diags) > 0 {
		t.Fatal(diags)
	}
	links, diags := resource.Link(set)
	return set, links, diags
}

// edges renders all links: resource field -> resource#field.
func edges(set *resource.Set, links *resource.Links) []string {
	var out []string
	for _, r := range set.Resources {
		for _, e := range links.From(r) {
			out = append(out, fmt.Sprintf("%s %s -> %s#%s", r.Ref, e.Path, e.Target.Address(), e.Field))
		}
	}
	return out
}

func TestLink(t *testing.T) {
	cert, _ := testkit.Certificate(t, "one", testkit.Epoch())
	const strategy = "application_auth_strategies: [{ref: key, name: Key auth, strategy_type: key_auth, display_name: Key, configs: {key-auth: {}}}]\n"
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{
			"by ref and by name",
			"portals: [{ref: dev, name: Developers}]\napis: [{name: a, publications: {portal: dev}}, {name: b, publications: {portal: Developers}}]",
			[]string{"a-dev portal_id -> portal dev#id", "b-Developers portal_id -> portal dev#id"},
		},
		{
			"in a list",
			strategy + "portals: [{name: dev}]\napis: [{name: a, publications: {portal: dev, auth_strategy_ids: [Key auth]}}]",
			[]string{"a-dev auth_strategy_ids[0] -> application_auth_strategy key#id", "a-dev portal_id -> portal dev#id"},
		},
		{
			"a field of another resource, declared or returned",
			"portals: [{ref: dev, name: dev}]\napis: [{name: a, description: !ref dev#display_name}, {name: b, description: !ref dev#created_at}]",
			[]string{"a description -> portal dev#display_name", "b description -> portal dev#created_at"},
		},
		{
			"a field of the variant that is declared",
			"application_auth_strategies: [{ref: sso, name: sso, strategy_type: openid_connect, display_name: SSO, configs: {openid-connect: {issuer: 'https://x.example', credential_claim: [sub], scopes: [openid], auth_methods: [bearer]}}}]\n" +
				"apis: [{name: a, description: !ref sso#configs.openid-connect.issuer}]",
			[]string{"a description -> application_auth_strategy sso#configs.openid-connect.issuer"},
		},
		{
			"a field that Konnect wraps",
			fmt.Sprintf("control_planes: [{name: edge, data_plane_certificates: {ref: cert, cert: %q}}]\napis: [{name: a, description: !ref cert#created_at}]", cert),
			[]string{"a description -> control_plane_data_plane_certificate cert#created_at"},
		},
		{
			"the id that another resource refers to",
			"portals: [{name: dev}]\napis: [{name: a, publications: {ref: pub, portal: dev}}, {name: b, publications: {portal_id: !ref pub#portal_id}}]",
			[]string{"pub portal_id -> portal dev#id", "b-pub portal_id -> api_publication pub#portal_id"},
		},
		{
			"one name, two types: the field tells which",
			"portals: [{name: x}]\nteams: [{name: x}]\napis: [{name: x, publications: {portal: x}}]",
			[]string{"x-x portal_id -> portal x#id"},
		},
		{
			"a ref comes before a name",
			"portals: [{ref: x, name: y}, {ref: y, name: x}]\napis: [{name: a, publications: {portal: x}}, {name: b, description: !ref x#name}]",
			[]string{"a-x portal_id -> portal x#id", "b description -> portal x#name"},
		},
		{
			"a name of its own event gateway before a ref of another one",
			"event_gateways: [{ref: e, name: e, backend_clusters: [{ref: one, name: two, authentication: {type: anonymous}, bootstrap_servers: ['h:1'], tls: {enabled: false}}]}, " +
				"{ref: f, name: f, backend_clusters: [{ref: x, name: one, authentication: {type: anonymous}, bootstrap_servers: ['h:1'], tls: {enabled: false}}], " +
				"virtual_clusters: [{ref: v, name: v, acl_mode: passthrough, dns_label: v, authentication: [{type: anonymous}], destination: {id: one}}]}]",
			[]string{"v destination.id -> event_gateway_backend_cluster x#id"},
		},
		{
			"a page above, and another portal has one of that name",
			"portals: [{name: dev, pages: [{slug: a, content: A}]}, {name: ops, pages: [{slug: a, content: A}]}]\nportal_pages: [{portal: ops, slug: b, content: B, parent_page_id: a}]",
			[]string{"ops-b parent_page_id -> portal_page ops-a#id"},
		},
		{
			"what is named after another does not answer to its name",
			"portals: [{name: dev}]\napis: [{name: a, publications: {portal: dev}}, {name: b, description: !ref dev#name}]",
			[]string{"a-dev portal_id -> portal dev#id", "b description -> portal dev#name"},
		},
		{
			"a page above",
			"portals: [{name: dev}]\nportal_pages: [{portal: dev, slug: a, content: A}, {portal: dev, slug: b, content: B, parent_page_id: dev-a}]",
			[]string{"dev-b parent_page_id -> portal_page dev-a#id"},
		},
		{
			"any type, in a role",
			"apis: [{name: a}]\nteams: [{name: ops, roles: {ref: role, role_name: Admin, entity_type_name: APIs, entity_id: a, entity_region: eu}}]",
			[]string{"role entity_id -> api a#id"},
		},
		{
			"an id leads to what stands for it",
			"apis: [{name: a, publications: {portal_id: 6C5F4F0E-7d0b-4a5e-9a53-6a1f3d0c7b11}}]",
			[]string{"a-6c5f4f0e-7d0b-4a5e-9a53-6a1f3d0c7b11 portal_id -> portal 6c5f4f0e-7d0b-4a5e-9a53-6a1f3d0c7b11#id"},
		},
		{
			"externals by ref and by name, in fields that take ids",
			"external_resources: [{ref: prod-cp, resource_type: control_plane, selector: {matchFields: {name: production}}}, {ref: user-service, resource_type: ce_service, control_plane: prod-cp, selector: {matchFields: {name: users}}}]\n" +
				"apis: [{name: a, implementations: [{ref: i, service: {control_plane_id: prod-cp, id: user-service}}]}, {name: b, implementations: {ref: j, service: {control_plane_id: production, id: users}}}]",
			[]string{
				"i service.control_plane_id -> control_plane prod-cp#id", "i service.id -> gateway_service user-service#id",
				"j service.control_plane_id -> control_plane prod-cp#id", "j service.id -> gateway_service user-service#id",
			},
		},
		{
			"any field of an external that Konnect returns",
			"control_planes: [{ref: cp, _external: {id: 6c5f4f0e-7d0b-4a5e-9a53-6a1f3d0c7b11}, gateway_plugins: [{ref: p, _external: {selector: {matchFields: {name: acl}}}}]}]\n" +
				"apis: [{name: a, description: !ref cp#config.control_plane_endpoint, version: !ref cp#labels.env}, {name: b, description: !ref p#config.minute}]",
			[]string{
				"a description -> control_plane cp#config.control_plane_endpoint", "a version -> control_plane cp#labels.env",
				"b description -> gateway_plugin p#config.minute",
			},
		},
		{
			"what narrows the search of an external",
			"control_planes: [{ref: cp, _external: {id: 6c5f4f0e-7d0b-4a5e-9a53-6a1f3d0c7b11}}]\n" +
				"ce_plugins: [{ref: p, control_plane: cp, route: r, consumer: !lookup {username: bob}, _external: {selector: {matchFields: {name: acl}}}}]\n" +
				"ce_routes: [{ref: r, control_plane: cp, _external: {selector: {matchFields: {name: r}}}}]",
			[]string{"p route.id -> gateway_route r#id", "p consumer.id -> gateway_consumer lookup:gateway_consumer:username=bob,control_plane=cp#id"},
		},
		{
			"a lookup, in a list too",
			"apis: [{name: a, publications: {ref: x, portal: !lookup {name: dev}, auth_strategy_ids: [!lookup name:key]}}]",
			[]string{
				"x auth_strategy_ids[0] -> application_auth_strategy lookup:application_auth_strategy:name=key#id",
				"x portal_id -> portal lookup:portal:name=dev#id",
			},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set, links, diags := link(t, tc.text, language.Options{})
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			if diff := cmp.Diff(tc.want, edges(set, links)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAt(t *testing.T) {
	set, links, _ := link(t, "portals: [{name: dev}]\napis: [{name: a, publications: {ref: pub, portal: dev}}]", language.Options{})
	pub := set.Resources[slices.IndexFunc(set.Resources, func(r *resource.Resource) bool { return r.Ref == "pub" })]
	if e, ok := links.At(pub, value.Path{"portal_id"}); !ok || e.Target.Ref != "dev" {
		t.Errorf("portal_id leads to %v", e)
	}
	if e, ok := links.At(pub, value.Path{"visibility"}); ok {
		t.Errorf("visibility leads to %v", e)
	}
}

// TestSorted: each resource after those that it takes values of, nests in or
// is ordered by; else as written.
func TestSorted(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       string
	}{
		{
			"as written",
			"portals: [{name: b}, {name: a}]\napis: [{name: c}]",
			"b a c",
		},
		{
			"after what it refers to",
			"apis: [{name: a, description: !ref c#name}, {name: b}, {ref: c, name: c}]",
			"b c a",
		},
		{
			"after its parent, and the page above it",
			"portal_pages: [{portal: dev, ref: x, slug: x, content: X, children: [{ref: y, slug: y, content: Y}]}]\nportals: [{name: dev, description: !ref a#name}]\napis: [{name: a}]",
			"a dev x y",
		},
		{
			"an external after what narrows its search",
			"ce_routes: [{ref: r, control_plane: cp, service: s, _external: {selector: {matchFields: {name: r}}}}]\n" +
				"ce_services: [{ref: s, control_plane: cp, _external: {selector: {matchFields: {name: s}}}}]\ncontrol_planes: [{ref: cp, _external: {selector: {matchFields: {name: cp}}}}]",
			"cp s r",
		},
		{
			"a label that names a team",
			"apis: [{name: a, labels: {team: ops}}]\nteams: [{name: ops}]",
			"ops a",
		},
		{
			"a team by its ref and by its name",
			"apis: [{name: a, labels: {team: o}}, {name: b, labels: {team: ops}}]\nteams: [{ref: o, name: ops}]",
			"o a b",
		},
		{
			"a label that names no team",
			"apis: [{name: a, labels: {team: sales}}]\nteams: [{name: ops}]",
			"a ops",
		},
		{
			"another label",
			"apis: [{name: a, labels: {owner: ops}}]\nteams: [{name: ops}]",
			"a ops",
		},
		{
			"a label from the environment",
			"apis: [{name: a, labels: {team: !env TEAM}}]\nteams: [{name: ops}]",
			"a ops",
		},
		{
			"teams whose labels name each other, and themselves",
			"teams: [{name: a, labels: {team: b}}, {name: b, labels: {team: a}}, {name: c, labels: {team: c}}]",
			"b c a",
		},
		{
			"a label that a reference contradicts",
			"apis: [{name: a, labels: {team: ops}}]\nteams: [{name: ops, description: !ref a#name}]",
			"a ops",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, links, diags := link(t, tc.text, language.Options{Env: func(string) (string, bool) { return "ops", true }})
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			var got []string
			for _, r := range links.Sorted() {
				got = append(got, r.Ref)
			}
			if diff := cmp.Diff(tc.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestAfter: the planner hears of labels too, and of no label that was dropped.
func TestAfter(t *testing.T) {
	set, links, _ := link(t, "teams: [{name: a, labels: {team: b}}, {name: b, labels: {team: a}}]\napis: [{name: c, labels: {team: a}}]", language.Options{})
	got := map[string][]string{}
	for _, r := range set.Resources {
		for _, before := range links.After(r) {
			got[r.Ref] = append(got[r.Ref], before.Ref)
		}
	}
	if diff := cmp.Diff(map[string][]string{"a": {"b"}, "c": {"a"}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Problems have their rows, with every word, in internal/konnect/language/testdata/wrong.
func TestLinkTellsProblems(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		o          language.Options
		want       string
	}{
		{"an unknown name", "apis: [{name: a, publications: {portal: x}}]", language.Options{}, "REF002 stdin:1:41"},
		{"an unknown name, and not all was read", "apis: [{name: a, publications: {portal: x}}]", language.Options{Incomplete: true}, ""},
		{"another type", "teams: [{ref: x, name: x}]\napis: [{name: a, publications: {portal: x}}]", language.Options{}, "REF003 stdin:2:41"},
		{"several", "teams: [{name: x}]\nportals: [{name: x}]\napis: [{name: a, description: !ref x}]", language.Options{}, "REF001 stdin:3:31"},
		{"a written ref and what another type goes by", "apis: [{ref: x, name: n}]\nteams: [{name: x}]\nportals: [{name: p, description: !ref x}]", language.Options{}, "REF001 stdin:3:34"},
		{"a written ref and what another goes by", "apis: [{name: x}, {ref: x, name: n}]", language.Options{}, "CFG005 stdin:1:25"},
		{"names that make one ref", "apis: [{name: a-b, versions: {version: c, spec: '{}'}}, {name: a, versions: {version: b-c, spec: '{}'}}]", language.Options{}, "CFG005 stdin:1:87"},
		{"a page above, of another portal", "portals: [{name: dev, pages: [{slug: a, content: A}]}, {name: ops}]\nportal_pages: [{portal: ops, slug: b, content: B, parent_page_id: dev-a}]", language.Options{}, "REF006 stdin:2:67"},
		{"a secret field of a core entity", "ce_jwts: [{ref: j, control_plane: 6c5f4f0e-7d0b-4a5e-9a53-6a1f3d0c7b11, _external: {selector: {matchFields: {key: x}}}}]\napis: [{name: a, description: !ref j#secret}, {name: b, description: !ref j#key}]", language.Options{}, "REF005 stdin:2:31"},
		{"two externals by one name", "portals: [{ref: x, _external: {selector: {matchFields: {name: dev}}}}, {ref: y, _external: {selector: {matchFields: {name: dev}}}}]\napis: [{name: a, publications: {portal: dev}}]", language.Options{}, "REF001 stdin:2:41"},
		{"a field of another type where an id is", "teams: [{ref: x, name: x}]\napis: [{name: a, publications: {portal: !ref x#name}}]", language.Options{}, "REF003 stdin:2:41"},
		{"itself", "apis: [{name: a, description: !ref a}]", language.Options{}, "REF004 stdin:1:31"},
		{"a field below one that is missing", "portals: [{name: x}]\napis: [{name: a, description: !ref x#a.b}]", language.Options{}, "REF005 stdin:2:31"},
		{"one of two circles through one resource", "apis:\n- {ref: a, name: a, description: !ref b#slug, version: !ref c#slug}\n- {ref: b, name: b, description: !ref a#slug}\n- {ref: c, name: c, description: !ref a#slug}", language.Options{}, "REF004 stdin:2:34 REF004 stdin:2:56"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, _, diags := link(t, tc.text, tc.o)
			var got []string
			for _, d := range diags.Sorted() {
				got = append(got, fmt.Sprintf("%s %s", d.Code, d.Pos))
			}
			if diff := cmp.Diff(tc.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("(-want +got):\n%s%v", diff, diags)
			}
		})
	}
}

// Whoever follows links comes to an end, also where references lead back to where
// they start.
func TestRingsAreBroken(t *testing.T) {
	for n := 2; n < 6; n++ {
		text := "apis:\n"
		for i := range n {
			text += fmt.Sprintf("- {ref: a%d, name: a%d, description: !ref a%d#description}\n", i, i, (i+1)%n)
		}
		set, links, diags := link(t, text, language.Options{})
		if len(diags) != 1 || diags[0].Code != diag.RefCycle || len(links.Sorted()) != n {
			t.Fatalf("a ring of %d: %v", n, diags)
		}
		for _, r := range set.Resources {
			at := value.Path{"description"}
			for steps, found := 0, true; found; steps++ {
				var e resource.Edge
				if e, found = links.At(r, at); steps > n {
					t.Fatalf("a ring of %d is not broken", n)
				}
				r = e.Target
			}
		}
	}
}

// An id that is the ref of an external means that one, however it is found and
// wherever it stands.
func TestIDIsRefOfExternal(t *testing.T) {
	const (
		id      = "102bf5f8-7db6-4980-aaab-80aade5e2ea5"
		service = "control_planes: [{ref: cp, name: cp, gateway_services: [{ref: " + id + ", _external: %s}]}]\n"
		api     = "apis: [{ref: a, name: a, implementations: [{ref: i, service: {control_plane_id: cp, id: " + id + "}}]}]\n"
	)
	for _, by := range []string{"{id: " + id + "}", "{selector: {matchFields: {name: s}}}"} {
		for _, text := range []string{fmt.Sprintf(service, by) + api, api + fmt.Sprintf(service, by)} {
			set, links, diags := link(t, text, language.Options{})
			if len(diags) > 0 {
				t.Errorf("%s: %v", text, diags)
			}
			want := []string{"i service.control_plane_id -> control_plane cp#id", "i service.id -> gateway_service " + id + "#id"}
			got := slices.DeleteFunc(edges(set, links), func(s string) bool { return !strings.HasPrefix(s, "i service.") })
			if d := cmp.Diff(want, got); d != "" || len(set.Resources) != 4 {
				t.Errorf("%s: %d resources, %s", text, len(set.Resources), d)
			}
		}
	}
}

// What stands in no file has no place.
func TestSameRefWithoutPlace(t *testing.T) {
	x := func(explicit bool) *resource.Resource {
		return &resource.Resource{Type: &resource.Type{Kind: "k", Words: "thing"}, Ref: "a", Name: "a", Explicit: explicit}
	}
	for _, d := range []diag.Diagnostic{
		resource.SameRef(x(false), x(false)), resource.SameRef(x(true), x(false)), resource.SameRef(x(false), x(true)), resource.Twice(x(true), x(true)),
	} {
		if strings.Contains(d.Detail, " at ") {
			t.Errorf("%s", d.Detail)
		}
	}
}
