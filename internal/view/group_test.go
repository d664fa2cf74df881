package view_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
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
	goneDomain := below(deleted("portal_custom_domain", "domain"), "portal", "dev", "p2")
	goneDomain.ResourceID, goneDomain.Replace = "d1", true
	domain := below(create("portal_custom_domain", "domain", fields{"hostname": "b.example"}), "portal", "dev", "p2")
	domain.Replace, domain.DependsOn = true, []string{goneDomain.ID}
	p := newPlan(plan.ModeSync,
		goneDomain, domain, below(deleted("portal_page", "a"), "portal", "dev", "p2"), role, gone,
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

// Two changes of a plan from elsewhere may have one id, and lead in a circle by it.
func TestPlanGroupsOfOneID(t *testing.T) {
	first, second := create("api_document", "first", fields{"slug": "first"}), create("api", "second", fields{"name": "second"})
	between := create("api_document", "between", fields{"slug": "between"})
	first.ID = second.ID
	first.Parent = &plan.ParentRef{Type: "api_document", Ref: "between", Change: between.ID}
	between.Parent = &plan.ParentRef{Type: "api", Ref: "second", Change: second.ID}
	p := newPlan(plan.ModeSync, between)
	p.Changes = append(p.Changes, first, second)
	var b strings.Builder
	if err := view.WritePlan(&b, p, view.PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"first"`, `"between"`, `"second"`} {
		if strings.Count(b.String(), want) != 1 {
			t.Errorf("%s is not shown once:\n%s", want, b.String())
		}
	}
}

// A text that looks like a placeholder of the plan is shown as it is, and an id that
// was written as one does not change.
func TestTextsAreNotPlaceholders(t *testing.T) {
	c := create("portal_page", "home", fields{"slug": "home", "content": "[unknown]", "parent_page_id": "[unknown]"})
	c.References = map[string]plan.Reference{"parent_page_id": {Ref: "top", ID: "[unknown]"}}
	gone, again := deleted("api_implementation", "impl"), create("api_implementation", "impl", fields{"service": fields{"id": "X", "control_plane_id": "[unknown]"}})
	gone.Replace, gone.CurrentState = true, fields{"service": fields{"id": "X", "control_plane_id": "Y"}}
	again.Replace, again.DependsOn = true, []string{gone.ID}
	again.References = map[string]plan.Reference{"service.id": {Ref: "X", ID: "X"}, "service.control_plane_id": {Ref: "cp", ID: "[unknown]"}}
	var b strings.Builder
	if err := view.WritePlan(&b, newPlan(plan.ModeSync, c, gone, again), view.PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"content: \"[unknown]\"\n", "parent_page_id: id of top (known after apply)\n", "service.control_plane_id: Y -> id of cp (known after apply)\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "X -> X") {
		t.Errorf("an id that stays is shown:\n%s", b.String())
	}
}

// Two changes of one root are read in the order in which they are made: a detach
// before what attaches again.
func TestOrderOfOneRoot(t *testing.T) {
	first, second := updated("portal", "dev", map[string]plan.OldNew{"strategy": {Old: "a"}}), updated("portal", "dev", map[string]plan.OldNew{"strategy": {New: "b"}})
	first.ID, second.ID = "1:u:portal:dev", "2:u:portal:dev"
	first.ResourceID, second.ResourceID = "p", "p"
	page := below(deleted("portal_page", "a"), "portal", "dev", "p")
	var b strings.Builder
	if err := view.WritePlan(&b, newPlan(plan.ModeSync, page, first, second), view.PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	gone, come := strings.Index(b.String(), "strategy: a -> (none)"), strings.Index(b.String(), "strategy: (none) -> b")
	if gone < 0 || come < gone {
		t.Errorf("not in the order of reading:\n%s", b.String())
	}
}
