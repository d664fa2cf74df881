package cli

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
)

// fixes are configurations that are wrong, and what their diagnostics say to type.
var fixes = []struct {
	code diag.Code
	text string
	// says is a part of the fix, and the edit from from to to carries it out.
	says, from, to string
}{
	{diag.CfgUnknownKey, "portals: [{naem: dev}]", "did you mean name?", "naem", "name"},
	{diag.CfgUnknownRoot, "portalz: [{name: a}]", "write portals: instead of portalz:", "portalz", "portals"},
	{diag.CfgUnknownRoot, "kongctl: {namespace: x}\nportals: [{name: a}]", "write _defaults: {kongctl: …}", "kongctl: {namespace: x}", "_defaults: {kongctl: {namespace: x}}"},
	{diag.CfgUnknownRoot, "services: []\nportals: [{name: a}]", "did you mean catalog_services?", "services: []", "catalog_services: []"},
	{diag.CfgSecretLiteral, "portals: [{name: a, auth_settings: {oidc_client_secret: x}}]", "oidc_client_secret: !secret {source: !env VAR}", "oidc_client_secret: x", "oidc_client_secret: !secret {source: !env VAR}"},
	{diag.ValType, "portals: [{name: a, display_name: 5}]", `display_name: "5"`, "display_name: 5", `display_name: "5"`},
	{diag.ValType, `portals: [{name: a, rbac_enabled: "yes"}]`, "rbac_enabled: true", `rbac_enabled: "yes"`, "rbac_enabled: true"},
	{diag.ValEnum, "portals: [{name: a, pages: [{slug: s, title: t, content: c, status: wrong}]}]", "write published or unpublished", "wrong", "unpublished"},
	{diag.ValPattern, `apis: [{name: a, slug: "Not A Slug"}]`, "slug: Not-A-Slug", `slug: "Not A Slug"`, "slug: Not-A-Slug"},
	{diag.ValNull, "portals: [{name: null}]", "give it a value", "null", "a"},
	{diag.RefUnknown, "portals: [{name: a, default_application_auth_strategy: !ref nobody}]", "declare it under application_auth_strategies, with _external", "portals:", "application_auth_strategies: [{ref: nobody, _external: {selector: {matchFields: {name: nobody}}}}]\nportals:"},
	{diag.RefUnknown, "portal_pages: [{portal: nobody, slug: s, title: t, content: c}]", "declare it under portals", "portal_pages:", "portals: [{name: nobody}]\nportal_pages:"},
	{diag.RefUnknown, "portals: [{ref: dev, name: a}]\nportal_pages: [{portal: dve, slug: s, title: t, content: c}]", "did you mean dev?", "dve", "dev"},
	{diag.CfgIDGiven, "portals: [{name: a, id: 7f0aa1a4-3b5c-4d5e-8f00-000000000001}]", "nothing but ref: a and _external: {id: …}", "name: a, id: 7f0aa1a4-3b5c-4d5e-8f00-000000000001", "ref: a, _external: {id: 7f0aa1a4-3b5c-4d5e-8f00-000000000001}"},
	{diag.CfgBadRef, `portals: [{ref: "a b", name: a}]`, "ref: a-b", `ref: "a b"`, "ref: a-b"},
	{diag.CfgDuplicateRef, "portals: [{ref: a, name: a}, {ref: a, name: b}]", "give one of the two another ref", "{ref: a, name: b}", "{ref: b, name: b}"},
	{diag.CfgDuplicate, "portals: [{ref: a, name: a}, {ref: b, name: a}]", "another name", "{ref: b, name: a}", "{ref: b, name: b}"},
	{diag.CfgNamespace, "portals: [{name: a, kongctl: {namespace: A_B}}]", "namespace: a-b", "namespace: A_B", "namespace: a-b"},
	{diag.CfgNamespace, "portals: [{name: a, kongctl: {namespace: 12}}]", `namespace: "12"`, "namespace: 12", `namespace: "12"`},
	{diag.CfgMeta, "portals: [{name: a, kongctl: {protected: maybe}}]", "protected: true", "protected: maybe", "protected: true"},
	{diag.CfgMeta, "portals: [{name: a, kongctl: {namspace: x}}]", "did you mean namespace?", "namspace", "namespace"},
	{diag.CfgNoParent, "portals: [{name: p}]\nportal_pages: [{slug: s, title: t, content: c}]", "add portal: with the ref or name of a portal", "{slug", "{portal: p, slug"},
	{diag.SrcDuplicateKey, "portals: [{name: a, name: b}]", "keep one of the two", ", name: b", ""},
	{diag.SrcUnknownTag, "portals: [{name: a, description: !evn SET}]", "write !env VAR", "!evn", "!env"},
	{diag.SrcSyntax, "portals:\n\t- name: a", "replace the tab with spaces", "\t", "  "},
	{diag.SrcSyntax, "portals: [{name: a}", "close the bracket", "{name: a}", "{name: a}]"},
	{diag.CfgReserved, "portals: [{name: a, labels: {kong-x: y}}]", "choose another key", "kong-x", "x"},
	{diag.CfgReserved, "portals: [{name: a, labels: {KONGCTL-namespace: y}}]", "remove it, and use the kongctl block", "labels: {KONGCTL-namespace: y}", "kongctl: {namespace: y}"},
	{diag.CfgReadOnly, "portals: [{name: a, created_at: x}]", "remove it", ", created_at: x", ""},
	{diag.CfgNoIdentity, "portals: [{display_name: x}]", "add name: …", "{", "{name: a, "},
	{diag.CfgWrongShape, "portals: {name: a}", "write a list: portals: [{name: …}]", "portals: {name: a}", "portals: [{name: a}]"},
	{diag.CfgWrongShape, "portals: [a]", "write {name: a}", "portals: [a]", "portals: [{name: a}]"},
	{diag.CfgWrongShape, "portals: [{name: a, pages: [home]}]", "write {slug: home}", "home", "{slug: home, title: t, content: c}"},
	{diag.ValType, "event_gateways: [{name: a, listeners: [{name: l, addresses: 0.0.0.0, ports: [9092]}]}]", `write a list: addresses: ["0.0.0.0"]`, "addresses: 0.0.0.0", `addresses: ["0.0.0.0"]`},
	{diag.ValType, "event_gateways: [{name: a, listeners: [{name: l, addresses: [0.0.0.0], ports: 9092}]}]", `write a list: ports: ["9092"]`, "ports: 9092", `ports: ["9092"]`},
	{diag.ValType, "catalog_services: [{name: s, display_name: S, custom_fields: {a: [1]}}]", "write text or a number or true or false or a mapping", "[1]", "1"},
	{diag.CfgSecretPlace, "portals: [{name: a, description: !secret {source: !env SET}}]", "use !env or !file here", "!secret {source: !env SET}", "!env SET"},
	{diag.CfgEnvUnset, "portals: [{name: a, description: !env UNSET}]", "export UNSET=…", "UNSET", "SET"},
	{diag.SrcFileMissing, "portals: [{name: a, description: !file none.md}]", "create it, or correct the path", "none.md", "there.md"},
	{diag.CfgExternalOnly, "control_planes: [{name: cp}]\nce_services: [{ref: s, control_plane: cp}]", "add _external: {selector: {matchFields: {name: …}}}", "control_plane: cp", "control_plane: cp, _external: {selector: {matchFields: {name: s}}}"},
	{diag.CfgMoved, "portals: [{name: new-name}]\nmoved: [{from: old-name, to: new-name}]", "write {type: portal, from: old-name, to: new-name}", "{from: old-name, to: new-name}", "{type: portal, from: old-name, to: new-name}"},
	{diag.ExtType, "control_planes: [{name: cp}]\nexternal_resources: [{ref: a, resource_type: service, control_plane: cp, selector: {matchFields: {name: x}}}]", "did you mean ce_service", "resource_type: service", "resource_type: ce_service"},
	{diag.ExtMissingParent, "control_planes: [{name: cp}]\nexternal_resources: [{ref: a, resource_type: ce_service, selector: {matchFields: {name: x}}}]", "add control_plane: with the ref, name or id of a control plane", "resource_type: ce_service", "resource_type: ce_service, control_plane: cp"},
	{diag.ExtSelector, "external_resources: [{ref: a, resource_type: portal, selector: {}}]", "write selector: {matchFields: {name: …}}", "selector: {}", "selector: {matchFields: {name: a}}"},
	{diag.ExtNoRef, "external_resources: [{resource_type: portal, selector: {matchFields: {name: x}}}]", "add ref: my-portal", "resource_type: portal", "ref: my-portal, resource_type: portal"},
	{diag.ExtBlock, "external_resources: [{ref: a, resource_type: portal}]", "add selector: {matchFields: {name: …}}", "resource_type: portal", "resource_type: portal, selector: {matchFields: {name: a}}"},
	{diag.ExtField, "portals: [{ref: a, _external: {id: 7f0aa1a4-3b5c-4d5e-8f00-000000000001}, description: x}]", "remove it", ", description: x", ""},
	{diag.ExtField, "organization: {users: [{ref: u, email: a@example.com, full_name: A}]}", "with this in place of email and full_name: _external: {selector: {matchFields: {full_name: …}}}", "email: a@example.com, full_name: A", "_external: {selector: {matchFields: {full_name: A}}}"},
	{diag.ExtDeck, "control_planes: [{name: cp, _deck: {}}]", "write _deck: {files: [kong.yaml]}", "_deck: {}", "_deck: {files: [kong.yaml]}"},
	{diag.DeckFlag, `control_planes: [{name: cp, _deck: {files: [kong.yaml], flags: ["--workspace=x"]}}]`, "remove it", `, flags: ["--workspace=x"]`, ""},
}

// TestFixes: what a fix says to type is accepted.
func TestFixes(t *testing.T) {
	for _, tc := range fixes {
		t.Run(string(tc.code)+" "+tc.says, func(t *testing.T) {
			// Without a token nothing is asked: problems of the configuration come first.
			try := func(text string) (status int, shown string) {
				c := newConsole(t).real()
				c.factory.catalog = oneCatalog
				c.env["SET"], c.env["VAR"] = "a", "b"
				c.write("a.yaml", text+"\n")
				c.write("there.md", "x")
				c.write("kong.yaml", "_format_version: \"3.0\"\n_info: {select_tags: [x]}\nservices: [{name: s, host: h}]\n")
				return c.run("diff", "-f", "a.yaml"), c.err.String()
			}
			status, shown := try(tc.text)
			_, fix, _ := strings.Cut(shown, "  fix: ")
			if status != exitInvalid || !strings.Contains(shown, "error["+string(tc.code)+"]") || !strings.Contains(fix, tc.says) {
				t.Fatalf("exit status %d, want %s with the fix %q:\n%s", status, tc.code, tc.says, shown)
			}
			if !strings.Contains(shown, " | ") || !strings.Contains(shown, "^") {
				t.Errorf("the line is not shown:\n%s", shown)
			}
			fixed := strings.Replace(tc.text, tc.from, tc.to, 1)
			if status, shown := try(fixed); status != exitAuth {
				t.Errorf("after the fix: exit status %d\n%s\n%s", status, fixed, shown)
			}
		})
	}
}
