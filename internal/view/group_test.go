package view_test

import (
	"strings"
	"testing"

	"kongctl/internal/plan"
	"kongctl/internal/view"
)

func below(c *plan.Change, kind, ref, id string, ancestors ...string) *plan.Change {
	c.Parent = &plan.ParentRef{Type: kind, Ref: ref, ID: id, Ancestors: append(ancestors, id)}
	return c
}

// Changes are read by root resource, whatever the order in which they are made.
func TestPlanGroups(t *testing.T) {
	made := create("api", "new", fields{"name": "new"})
	document := create("api_document", "doc", fields{"slug": "doc"})
	document.Parent = &plan.ParentRef{Type: "api", Ref: "new", ID: "[unknown]", Change: made.ID}
	inner := create("api_document", "inner", fields{"slug": "inner"})
	inner.Parent = &plan.ParentRef{Type: "api_document", Ref: "doc", ID: "[unknown]", Change: document.ID}
	gone := deleted("portal", "old")
	gone.ResourceID, gone.Replace = "p1", true
	again := create("portal", "old", fields{"name": "old"})
	again.Replace, again.DependsOn = true, []string{gone.ID}
	page := create("portal_page", "home", fields{"slug": "home"})
	page.Parent = &plan.ParentRef{Type: "portal", Ref: "old", ID: "[unknown]", Change: again.ID}
	role := below(deleted("portal_team_role", "reader"), "portal_team", "crew", "t1", "p2")
	p := newPlan(plan.ModeSync,
		below(deleted("portal_page", "a"), "portal", "dev", "p2"), role, gone,
		create("team", "ops", fields{"name": "ops"}), made, again, inner, page, document,
		below(create("portal_page", "b", fields{"slug": "b"}), "portal", "dev", "p2"))
	var b strings.Builder
	if err := view.WritePlan(&b, p, view.PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	golden(t, "plan-groups", b.String())

	// A plan from elsewhere may go in circles: all of it is shown.
	made.Parent = &plan.ParentRef{Type: "api_document", Ref: "doc", Change: document.ID}
	b.Reset()
	if err := view.WritePlan(&b, p, view.PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range p.Changes {
		if !strings.Contains(b.String(), c.ResourceType+` "`+c.ResourceRef+`"`) {
			t.Errorf("%s is not shown:\n%s", c.ID, b.String())
		}
	}
}
