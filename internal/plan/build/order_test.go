package build_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/testkit"
)

const keyAuth = "display_name: K, strategy_type: key_auth, configs: {key-auth: {key_names: [a]}}}"

// What stops referring to a resource does so before that is deleted.
func TestDeletesComeAfterTheirUsers(t *testing.T) {
	for _, row := range []struct {
		name, before, after string
		want                []string
	}{
		{
			"an auth strategy that a portal and a publication stop using",
			"application_auth_strategies: [{ref: old, name: old, " + keyAuth + ", {ref: new, name: new, " + keyAuth + "]\nportals: [{name: dev, default_application_auth_strategy_id: old}]\napis: [{name: a, publications: [{portal: dev, auth_strategy_ids: [old]}]}]",
			"application_auth_strategies: [{ref: new, name: new, " + keyAuth + "]\nportals: [{name: dev, default_application_auth_strategy_id: new}]\napis: [{name: a, publications: [{portal: dev, auth_strategy_ids: [new]}]}]",
			[]string{"1 UPDATE portal dev", "2 UPDATE api_publication a-dev", "3 DELETE application_auth_strategy old < 1 2"},
		},
		{
			"a portal whose publications go",
			"portals: [{name: old}, {name: dev}]\napis: [{name: a, publications: [{portal: old}, {portal: dev}]}, {name: b, publications: [{portal: old}]}]",
			"portals: [{name: dev}]\napis: [{name: a, publications: [{portal: dev}]}, {name: b}]",
			[]string{"1 DELETE api_publication old", "2 DELETE api_publication old", "3 DELETE portal old < 1 2"},
		},
		{
			"a control plane that nothing implements any more",
			"control_planes: [{ref: cp, name: cp}]\napis: [{name: a, implementations: [{control_plane: {control_plane_id: cp}}]}]",
			"apis: [{name: a}]",
			[]string{"1 DELETE api_implementation cp", "2 DELETE control_plane cp < 1"},
		},
		{
			"roots that refer to others go first, and no others wait",
			"application_auth_strategies: [{name: key, " + keyAuth + "]\nportals: [{name: dev, default_application_auth_strategy_id: key}]\napis: [{name: a, publications: [{portal: dev, auth_strategy_ids: [key]}]}]\ncontrol_planes: [{name: cp}]\nteams: [{name: t}]",
			"_defaults: {kongctl: {namespace: default}}",
			[]string{
				"1 DELETE organization_team t", "2 DELETE control_plane cp", "3 DELETE api a",
				"4 DELETE portal dev < 3",
				"5 DELETE application_auth_strategy key < 3 4",
			},
		},
		{
			"a page goes before the one it nests in",
			"portals: [{name: dev, pages: [{slug: a, content: x, children: [{slug: b, content: x, children: [{slug: c, content: x}]}]}]}]",
			"portals: [{name: dev, pages: []}]",
			[]string{"1 DELETE portal_page c", "2 DELETE portal_page b < 1", "3 DELETE portal_page a < 2"},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(row.before)
			p := w.Plan(testkit.Ask{}, row.after)
			for _, c := range p.Changes {
				if c.ResourceType == "api_publication" && c.Action == "DELETE" {
					c.ResourceRef = "old" // it has no name, and the portal's id changes from run to run
				}
			}
			testkit.Expect(t, p, row.want...)
			w.Succeed(w.Run(p))
			w.Settled(testkit.Ask{}, row.after)
		})
	}
}

// A label that names a declared team lets it go first; no other does.
func TestATeamLabelOrders(t *testing.T) {
	w := testkit.New(t)
	testkit.Expect(
		t, w.Plan(testkit.Ask{}, "apis: [{name: a, labels: {team: ops}}, {name: b, labels: {owner: ops}}, {name: c, labels: {team: elsewhere}}]\nteams: [{name: ops}]"),
		"1 CREATE api b", "2 CREATE api c", "3 CREATE organization_team ops", "4 CREATE api a < 3",
	)
}

// References between resources of one type have an order too.
func TestPagesByReference(t *testing.T) {
	w := testkit.New(t)
	const text = `
portals:
  - name: dev
    pages:
      - {ref: inner, slug: inner, content: x, parent_page_id: !ref outer}
      - {ref: outer, slug: outer, content: x}
`
	p := w.Plan(testkit.Ask{}, text)
	testkit.Expect(t, p, "1 CREATE portal dev", "2 CREATE portal_page outer < 1", "3 CREATE portal_page inner < 1 2")
	w.Succeed(w.Run(p))
	w.Settled(testkit.Ask{}, text)
}

// The same references in every way in which they can be written.
func TestReferenceToAField(t *testing.T) {
	w := testkit.New(t)
	const text = `
portals: [{ref: dev, name: Developers}]
teams:
  - {name: by-id, description: !ref dev#id}
  - {name: by-name, description: !ref dev#name}
  - {name: by-domain, description: !ref dev#default_domain}
`
	p := w.Plan(testkit.Ask{}, text)
	testkit.Expect(
		t, p,
		"1 CREATE portal dev", "2 CREATE organization_team by-id < 1",
		"3 CREATE organization_team by-name < 1", // its value is known, and the portal must be there
		"4 CREATE organization_team by-domain < 1",
	)
	w.Succeed(w.Run(p))
	w.Settled(testkit.Ask{}, text)
	id, _ := w.Named("portal", "Developers")["id"].(string)
	made := w.Send("GET", "/v3/portals/"+id, "")
	for team, field := range map[string]string{"by-id": "id", "by-name": "name", "by-domain": "default_domain"} {
		testkit.Equal(t, team, w.Named("organization_team", team)["description"], made[field])
	}
}

// A new child that takes a value from its parent waits for the change of that.
func TestChildrenWaitForWhatTheyTakeFromTheirParent(t *testing.T) {
	w := testkit.New(t)
	w.Sync("portals: [{name: dev, default_page_visibility: public}]")
	p := w.Plan(testkit.Ask{}, "portals: [{name: dev, default_page_visibility: private, pages: [{slug: a, content: x}], snippets: [{name: s, content: x}], teams: [{name: t}]}]")
	testkit.Expect(t, p,
		"1 UPDATE portal dev", "2 CREATE portal_team dev-t", "3 CREATE portal_page dev-a < 1", "4 CREATE portal_snippet dev-s < 1")
}
