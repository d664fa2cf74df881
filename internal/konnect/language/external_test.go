package language_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/resource"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/value"
)

const someID = "550e8400-e29b-41d4-a716-446655440000"

// externals renders resources like lines, with how the externals are found.
func externals(set *resource.Set) []string {
	out := lines(set)
	for i, r := range set.Resources {
		if r.Namespace != "" {
			out[i] += " in " + r.Namespace
		}
		if e := r.External; e != nil {
			out[i] += " called " + r.Name + " by " + finder(e)
		}
		if d, ok := r.Extras[gateway.ExtraKey].(*gateway.Block); ok {
			out[i] += " deck " + deck(d)
		}
	}
	return out
}

func finder(e *resource.External) string {
	switch {
	case e.Selector != nil:
		return e.Selector.String()
	case e.Made != nil:
		f := gateway.FileOf(e.Made)
		return fmt.Sprintf("service %s of %s (%s)", e.Made.Name, f.Name, f.Content)
	default:
		return "id " + e.ID
	}
}

func deck(d *gateway.Block) string {
	var out []string
	for _, f := range d.Files {
		out = append(out, fmt.Sprintf("%s as %s (%s)", f.Written, f.Name, f.Content))
	}
	for _, f := range d.Flags {
		out = append(out, f.Written())
	}
	if !d.State.IsAbsent() {
		out = append(out, fmt.Sprint(d.State.Plain(func(_ value.Path, e *value.Expression) any { return tag(e) })))
	}
	return strings.Join(out, " ")
}

// TestExternals shows what becomes of what others own.
func TestExternals(t *testing.T) {
	env := func(name string) (string, bool) { return "hunter2", name == "NAME" }
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{
			"the list of externals: an id, a selector, a core entity below its parent",
			"external_resources:\n- {ref: svc, resource_type: ce_service, control_plane: cp, selector: {matchFields: {name: users}}}\n" +
				"- {ref: cp, resource_type: control_plane, selector: {matchFields: {name: prod}}}\n- {ref: p, resource_type: portal, id: " + someID + "}",
			[]string{
				"control_plane cp {} called prod by name=prod",
				"gateway_service svc of cp {} called users by name=users",
				"portal p {} called " + someID + " by id " + someID,
			},
		},
		{
			"in the lists of resources: without a ref the name is the ref",
			"control_planes: [{_external: {selector: {matchFields: {name: prod}}}, gateway_services: [{_external: {selector: {matchFields: {name: users}}}}]}]",
			[]string{
				"control_plane prod {} called prod by name=prod",
				"gateway_service prod-users of prod {} called users by name=users",
			},
		},
		{
			"managed children of an external belong to no namespace, nested and flat",
			"_defaults: {kongctl: {namespace: ops}}\nportals: [{ref: dev, _external: {id: " + someID + "}, pages: [{slug: a, content: A}]}]\nportal_snippets: [{portal: dev, name: s, content: S}]",
			[]string{
				"portal dev {} called " + someID + " by id " + someID,
				`portal_page dev-a of dev {"content":"A","slug":"a"}`,
				`portal_snippet dev-s of dev {"content":"S","name":"s"}`,
			},
		},
		{
			"an external below an external below a managed one",
			"portals: [{name: dev, teams: [{ref: team, _external: {selector: {matchFields: {name: t}}}, roles: [{ref: role, _external: {selector: {matchFields: {role_name: x}}}}]}]}]",
			[]string{
				`portal dev {"name":"dev"} in default`,
				"portal_team team of dev {} called t by name=t",
				"portal_team_role role of team {} called x by role_name=x",
			},
		},
		{
			"an external of a type that nests in itself",
			"portals: [{name: dev, pages: [{ref: home, _external: {selector: {matchFields: {slug: /}}}, children: [{slug: b, content: B}]}]}]",
			[]string{
				`portal dev {"name":"dev"} in default`,
				"portal_page home of dev {} called / by slug=/",
				`portal_page home-b of dev below home {"content":"B","slug":"b"} in default`,
			},
		},
		{
			"parents that narrow the search, under all their names",
			"control_planes: [{ref: cp, _external: {id: " + someID + "}}]\ngateway_services: [{ref: s, control_plane: cp, _external: {selector: {matchFields: {name: s}}}}]\n" +
				"ce_routes:\n- {ref: a, control_plane_id: cp, service: s, _external: {selector: {matchFields: {name: a}}}}\n- {ref: b, control_plane: {ref: cp}, ce_service: !ref s, _external: {selector: {matchFields: {name: b}}}}\n" +
				"- {ref: c, control_plane: !ref cp, gateway_service_id: " + someID + ", _external: {selector: {matchFields: {name: c}}}}\n- {ref: d, control_plane: cp, service: {id: s}, _external: {selector: {matchFields: {name: d}}}}",
			[]string{
				"control_plane cp {} called " + someID + " by id " + someID,
				"gateway_service s of cp {} called s by name=s",
				`gateway_route a of cp {"service":{"id":"!ref s#id"}} called a by name=a`,
				`gateway_route b of cp {"service":{"id":"!ref s#id"}} called b by name=b`,
				`gateway_route c of cp {"service":{"id":"` + someID + `"}} called c by name=c`,
				`gateway_route d of cp {"service":{"id":"!ref s#id"}} called d by name=d`,
			},
		},
		{
			"selectors: nested fields, labels, expressions and variables",
			"portals: [{ref: p, _external: {selector: {matchFields: {labels.env: prod, rbac_enabled: true, name: !env NAME}, matchExpressions: [{key: name, operator: Prefix, values: [dev-, !env NAME]}, {field: description, operator: Exists}]}}}]",
			[]string{"portal p {} called p by labels.env=prod,rbac_enabled=true,name=!env NAME,name Prefix (dev-, !env NAME),description Exists"},
		},
		{
			"a lookup in a reference field; what says the same is one",
			"apis: [{name: a, publications: {ref: x, portal: !lookup {name: dev}}}, {name: b, publications: {ref: y, portal_id: !external name:dev, auth_strategy_ids: [!lookup name:key]}}]",
			[]string{
				`api a {"name":"a"} in default`,
				`api_publication x of a {"portal_id":"!ref lookup:portal:name=dev#id"} in default`,
				"portal lookup:portal:name=dev {} called dev by name=dev",
				`api b {"name":"b"} in default`,
				`api_publication y of b {"auth_strategy_ids":["!ref lookup:application_auth_strategy:name=key#id"],"portal_id":"!ref lookup:portal:name=dev#id"} in default`,
				"application_auth_strategy lookup:application_auth_strategy:name=key {} called key by name=key",
			},
		},
		{
			"a lookup below what another field of the same object names",
			"control_planes: [{name: cp}]\napis: [{name: a, implementations: [{ref: i, service: {id: !lookup {name: s}, control_plane_id: cp}}, {ref: j, service: {id: !lookup {name: s}, control_plane_id: " + someID + "}}]}]",
			[]string{
				`control_plane cp {"name":"cp"} in default`,
				`api a {"name":"a"} in default`,
				`api_implementation i of a {"service":{"control_plane_id":"!ref cp#id","id":"!ref lookup:gateway_service:name=s,control_plane=cp#id"}} in default`,
				"gateway_service lookup:gateway_service:name=s,control_plane=cp of cp {} called s by name=s",
				`api_implementation j of a {"service":{"control_plane_id":"!ref ` + someID + `#id","id":"!ref lookup:gateway_service:name=s,control_plane=550e8400-e-1933d2fb#id"}} in default`,
				"control_plane " + someID + " {} called " + someID + " by id " + someID,
				"gateway_service lookup:gateway_service:name=s,control_plane=550e8400-e-1933d2fb of " + someID + " {} called s by name=s",
			},
		},
		{
			"a lookup that says whose it is, and one whose parent is looked up",
			"control_planes: [{name: cp}]\napis: [{name: a, implementations: [{ref: i, service: {id: !lookup {name: s, control_plane: cp}, control_plane_id: !lookup {name: other}}}, {ref: j, service: {id: !lookup {name: s}, control_plane_id: !lookup {name: other}}}]}]",
			[]string{
				`control_plane cp {"name":"cp"} in default`,
				`api a {"name":"a"} in default`,
				`api_implementation i of a {"service":{"control_plane_id":"!ref lookup:control_plane:name=other#id","id":"!ref lookup:gateway_service:name=s,control_plane=cp#id"}} in default`,
				"gateway_service lookup:gateway_service:name=s,control_plane=cp of cp {} called s by name=s",
				"control_plane lookup:control_plane:name=other {} called other by name=other",
				`api_implementation j of a {"service":{"control_plane_id":"!ref lookup:control_plane:name=other#id","id":"!ref lookup:gateway_service:name=s,control_plane={name=other}#id"}} in default`,
				"gateway_service lookup:gateway_service:name=s,control_plane={name=other} of lookup:control_plane:name=other {} called s by name=s",
			},
		},
		{
			"a page looked up in the portal of the page",
			"portal_pages: [{ref: x, portal: dev, slug: x, content: X, parent_page_id: !lookup slug:home}]\nportals: [{ref: dev, name: Developers}]",
			[]string{
				`portal dev {"name":"Developers"} in default`,
				`portal_page x of dev {"content":"X","parent_page_id":"!ref lookup:portal_page:slug=home,portal=dev#id","slug":"x"} in default`,
				"portal_page lookup:portal_page:slug=home,portal=dev of dev {} called home by slug=home",
			},
		},
		{
			"a parent by its id, and by a lookup",
			"portal_snippets: [{ref: a, portal: " + someID + ", name: a, content: A}, {ref: b, portal: " + someID + ", name: b, content: B}, {ref: c, portal: !lookup {name: dev}, name: c, content: C}]",
			[]string{
				"portal " + someID + " {} called " + someID + " by id " + someID,
				"portal_snippet a of " + someID + ` {"content":"A","name":"a"}`,
				"portal_snippet b of " + someID + ` {"content":"B","name":"b"}`,
				"portal lookup:portal:name=dev {} called dev by name=dev",
				`portal_snippet c of lookup:portal:name=dev {"content":"C","name":"c"}`,
			},
		},
		{
			"the id of an external that is declared is that one",
			"portals: [{ref: dev, _external: {id: " + someID + "}}]\nportal_snippets: [{ref: a, portal: " + someID + ", name: a, content: A}]",
			[]string{"portal dev {} called " + someID + " by id " + someID, `portal_snippet a of dev {"content":"A","name":"a"}`},
		},
		{
			"two externals may mean one object",
			"portals: [{ref: a, _external: {selector: {matchFields: {name: x}}}}, {ref: b, _external: {selector: {matchFields: {name: x}}}}]",
			[]string{"portal a {} called x by name=x", "portal b {} called x by name=x"},
		},
		{
			"decK's files, on a managed control plane and on an external one",
			"control_planes:\n- {name: edge, _deck: {files: [gw/one.yaml, gw/two.yaml], flags: [--select-tag=x]}}\n- {ref: b, _external: {id: " + someID + "}, _deck: {files: gw/three.yaml}}\n" +
				"-- gw/one.yaml --\n1\n-- gw/two.yaml --\n2\n-- gw/three.yaml --\n_format_version: '3.0'\n",
			[]string{
				`control_plane edge {"name":"edge"} in default deck gw/one.yaml as gw/one.yaml (1` + "\n) gw/two.yaml as gw/two.yaml (2\n) --select-tag=x",
				"control_plane b {} called " + someID + " by id " + someID + " deck gw/three.yaml as gw/three.yaml (_format_version: '3.0'\n)",
			},
		},
		{
			"decK's state in place: nothing of it is evaluated",
			"control_planes: [{name: edge, _deck: {state: {certificates: [{cert: !file c.pem, key: !secret {source: !env NAME}, id: !env NAME}]}}}]\n-- c.pem --\nhunter2\n",
			[]string{`control_plane edge {"name":"edge"} in default deck map[certificates:[map[cert:!file c.pem id:!env NAME key:!secret {!env NAME}]]]`},
		},
		{
			"a service that decK makes",
			"control_planes: [{name: edge}]\ngateway_services: [{ref: s, control_plane: edge, _external: {deck: {file: ./gw.yaml, service: users}}}]\n-- gw.yaml --\n_format_version: '3.0'\n",
			[]string{`control_plane edge {"name":"edge"} in default`, "gateway_service s of edge {} called users by service users of gw.yaml (_format_version: '3.0'\n)"},
		},
		{
			"anchors and merges",
			"control_planes:\n- &base {ref: a, _external: &ext {selector: {matchFields: {name: a}}}, _deck: &deck {files: [gw.yaml]}}\n- {<<: *base, ref: b}\n- {ref: c, _external: *ext, _deck: *deck}\n-- gw.yaml --\nx\n",
			[]string{
				"control_plane a {} called a by name=a deck gw.yaml as gw.yaml (x\n)",
				"control_plane b {} called a by name=a deck gw.yaml as gw.yaml (x\n)",
				"control_plane c {} called a by name=a deck gw.yaml as gw.yaml (x\n)",
			},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			set := buildSet(t, tc.text, language.Options{Env: env})
			if diff := cmp.Diff(tc.want, externals(set)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestMadeUpRefsAreShort: whatever a ref is made of, it may be written in a document,
// by its length at least, and tells resources apart.
func TestMadeUpRefsAreShort(t *testing.T) {
	const impl = "    - {service: {id: !lookup {name: a-service-with-quite-a-name-%[1]s}, control_plane_id: !lookup {name: a-control-plane-with-a-long-name-%[1]s}}}\n"
	text := "apis:\n- name: " + strings.Repeat("The API of our airline ", 5) + "\n  implementations:\n" + fmt.Sprintf(impl, "one") + fmt.Sprintf(impl, "two") + "  versions: [{version: one, spec: {content: '{openapi: 3.0.0, info: {title: t, version: one}, paths: {}}'}}]\n"
	seen := map[string]bool{}
	for _, r := range buildSet(t, text, language.Options{}).Resources {
		if len(r.Ref) > resource.MaxName || seen[r.Ref] {
			t.Errorf("%s: %d characters, seen %v", r.Address(), len(r.Ref), seen[r.Ref])
		}
		seen[r.Ref] = true
	}
	if len(seen) != 8 {
		t.Errorf("%d resources: %v", len(seen), seen)
	}
}

// TestExternalsNeedNoNamespace: they belong to none, and add none.
func TestExternalsNeedNoNamespace(t *testing.T) {
	text := "_defaults: {kongctl: {namespace: ops}}\nportals: [{ref: dev, _external: {id: " + someID + "}, pages: [{slug: a, content: A}]}]\n" +
		"-- other.yaml --\nexternal_resources: [{ref: cp, resource_type: control_plane, id: " + someID + "}]\nportal_snippets: [{portal: " + someID + ", name: s, content: S}]\n"
	set := buildSet(t, text, language.Options{RequireAnyNamespace: true, RequireNamespaces: []string{"ops"}})
	if diff := cmp.Diff([]string{"ops"}, set.Namespaces); diff != "" {
		t.Errorf("namespaces (-want +got):\n%s", diff)
	}
	for _, r := range set.Resources {
		if r.Namespace != "" || r.Protected {
			t.Errorf("the %s is in %q, protected %v", r.Describe(), r.Namespace, r.Protected)
		}
	}
}
