package plan_test

import (
	"testing"

	"kongctl/internal/live"
	"kongctl/internal/plan"
	"kongctl/internal/testkit"
)

var remove = way{mode: plan.ModeDelete, foreign: live.ForeignPassed}

// Resources that use each other by what belongs to them have no right order;
// one is taken, and the plan can be carried out.
func TestDeleteOfACircle(t *testing.T) {
	w := testkit.New(t)
	const circle = `
teams:
  - {name: ops, roles: [{role_name: Viewer, entity_type_name: Portals, entity_region: eu, entity_id: !ref dev}]}
portals:
  - {name: dev, labels: {team: ops}}
`
	w.Sync(circle)
	p, diags := build(t, w, circle, remove)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	if len(p.Changes) != 2 || len(p.Changes[0].DependsOn) != 0 || len(p.Changes[1].DependsOn) != 1 {
		t.Fatalf("not one after the other: %q", lines(p))
	}
	w.Succeed(w.Run(p))
	w.Succeed(w.Run(p)) // what is gone is gone
}

// A delete says what it deletes, so that a saved plan can be checked.
func TestDeleteRecordsWhatItDeletes(t *testing.T) {
	w := testkit.New(t)
	const text = "portals: [{name: dev, pages: [{slug: a, content: A}]}]"
	w.Sync(text)
	p, _ := build(t, w, text, way{mode: plan.ModeDelete, filter: plan.Filter{Isolate: patterns("dev-a")}})
	expect(t, p, "1 DELETE portal_page dev-a")
	c := p.Changes[0]
	portal, _ := w.Named("portal", "dev")["id"].(string)
	equal(t, "parent", c.Parent, &plan.ParentRef{Ref: "dev", Type: "portal", ID: portal, Ancestors: []string{portal}})
	equal(t, "source", c.Source, &plan.Source{File: "stdin", Line: 1, Column: 31})
	if c.CurrentState["slug"] != "a" || c.Expect == nil || c.Namespace != "default" || c.Replace {
		t.Errorf("%+v", c)
	}
}
