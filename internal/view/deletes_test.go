package view_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

// Deletes that would read the same name what they are below of.
func TestDeletesThatReadTheSame(t *testing.T) {
	gone := func(id, root, ref string) *plan.Change {
		return &plan.Change{
			ID: id, Action: plan.Delete, ResourceType: "portal_team_role", ResourceRef: ref, ResourceID: id, Namespace: "default",
			Parent: &plan.ParentRef{Type: "portal_team", Ref: "staff", ID: "team-" + root, Ancestors: []string{root, "team-" + root}},
		}
	}
	p := newPlan(plan.ModeSync, gone("1", "id-a", "viewer"), gone("2", "id-b", "viewer"), gone("3", "id-a", "owner"))
	p.Metadata.ReferenceMappings = map[string]string{"portal:dev": "id-a"}
	var b strings.Builder
	if err := view.WritePlan(&b, p, view.PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(b.String(), "Deletes (3):\n")
	for _, want := range []string{
		`"viewer" (of portal_team "staff", namespace default) below "dev"` + "\n",
		`"viewer" (of portal_team "staff", namespace default) below id-b` + "\n",
		`"owner" (of portal_team "staff", namespace default)` + "\n",
	} {
		if !strings.Contains(list, want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}
