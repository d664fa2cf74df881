package build_test

import (
	"slices"
	"testing"

	"github.com/kongctl/kongctl/internal/plan/choose"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

var remove = way{mode: plan.ModeDelete, foreign: live.ForeignPassed}

// Where resources use each other by what belongs to them, that goes first and by
// itself, and the plan can be carried out.
func TestDeleteOfACircle(t *testing.T) {
	w := testkit.New(t)
	const circle = `
teams:
  - {name: ops, roles: [{role_name: Viewer, entity_type_name: Portals, entity_region: eu, entity_id: !ref dev}]}
portals:
  - {name: dev, labels: {team: ops}}
`
	w.Sync(circle)
	p, diags := planned(t, w, circle, remove)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	testkit.Expect(t, p,
		"1 DELETE organization_team_role ops-Viewer-Portals-dev-eu",
		"2 DELETE portal dev < 1",
		"3 DELETE organization_team ops < 1 2",
	)
	w.Succeed(w.Run(p))
	w.Succeed(w.Run(p)) // what is gone is gone
}

// Konnect refuses to delete a portal that something is published in: the
// publication goes first, and so it does in a sync that prunes both, also where
// nobody declared it.
func TestDeleteOfACircleOfAPublication(t *testing.T) {
	const circle = `
portals:
  - name: dev
    teams: [{name: pt, roles: [{role_name: API Viewer, entity_type_name: Services, entity_region: eu, entity_id: !ref flights}]}]
apis:
  - {name: flights, publications: [{portal: dev}], documents: [{slug: a, title: A, content: A}]}
`
	for name, plans := range map[string]func(*testkit.World) (*plan.Plan, diag.List){
		"delete": func(w *testkit.World) (*plan.Plan, diag.List) { return planned(t, w, circle, remove) },
		"delete of what was added": func(w *testkit.World) (*plan.Plan, diag.List) {
			return planned(t, w, "portals: [{name: dev}]\napis: [{name: flights}]", remove)
		},
		"sync without either of both": func(w *testkit.World) (*plan.Plan, diag.List) {
			return planned(t, w, "teams: [{name: ops}]", way{mode: plan.ModeSync})
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(circle)
			p, diags := plans(w)
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			first := testkit.ChangeOf(t, p, plan.Delete, "api_publication")
			for _, kind := range []string{"api", "portal"} {
				if c := testkit.ChangeOf(t, p, plan.Delete, kind); !slices.Contains(c.DependsOn, first.ID) {
					t.Errorf("%s does not wait for the publication: %q", kind, testkit.Lines(p))
				}
			}
			testkit.Equal(t, "what goes with the portal", testkit.ChangeOf(t, p, plan.Delete, "portal").TakesAlong, map[string]int{"portal_team": 1})
			testkit.Equal(t, "what goes with the API", testkit.ChangeOf(t, p, plan.Delete, "api").TakesAlong, map[string]int{"api_document": 1})
			w.Succeed(w.Run(p))
		})
	}
}

// A part that would go by itself stays with what it belongs to.
func TestRefusedCircle(t *testing.T) {
	w := testkit.New(t)
	w.Sync(`
portals:
  - name: dev
    kongctl: {protected: true}
    teams: [{name: pt, roles: [{role_name: API Viewer, entity_type_name: Services, entity_region: eu, entity_id: !ref flights}]}]
apis:
  - {name: flights, publications: [{portal: dev}]}
`)
	p, _ := planned(t, w, "teams: [{name: ops}]", way{mode: plan.ModeSync})
	for _, c := range p.Changes {
		if c.Action == plan.Delete {
			t.Errorf("%s", c.ID)
		}
	}
	if len(p.Blocked) < 2 {
		t.Errorf("the portal and the role of its team are refused: %v", p.Blocked)
	}
}

// A delete says what it deletes, so that a saved plan can be checked.
func TestDeleteRecordsWhatItDeletes(t *testing.T) {
	w := testkit.New(t)
	const text = "portals: [{name: dev, pages: [{slug: a, content: A}]}]"
	w.Sync(text)
	p, _ := planned(t, w, text, way{mode: plan.ModeDelete, filter: choose.Filter{Isolate: patterns("dev-a")}})
	testkit.Expect(t, p, "1 DELETE portal_page dev-a")
	c := p.Changes[0]
	portal, _ := w.Named("portal", "dev")["id"].(string)
	testkit.Equal(t, "parent", c.Parent, &plan.ParentRef{Ref: "dev", Type: "portal", ID: portal, Lookup: plan.Named("dev"), Ancestors: []string{portal}})
	testkit.Equal(t, "source", c.Source, &plan.Source{File: "stdin", Line: 1, Column: 31})
	if c.CurrentState["slug"] != "a" || c.Expect == nil || c.Namespace != "default" || c.Replace {
		t.Errorf("%+v", c)
	}
}
