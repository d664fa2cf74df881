package plan_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/testkit"
)

// What belonged to a deleted resource and what referred to it leads to the one that
// exists again; the delete itself, and the plan that this is made of, stay as they are.
func TestFollowing(t *testing.T) {
	gone := &plan.Change{ID: "1", Action: plan.Delete, ResourceType: "portal", ResourceID: "old", CurrentState: map[string]any{"id": "old"}}
	page := &plan.Change{
		ID: "2", Action: plan.Delete, ResourceType: "portal_page", ResourceID: "page", With: gone,
		Parent: &plan.ParentRef{Type: "portal", ID: "old", Ancestors: []string{"old"}},
	}
	user := &plan.Change{
		ID: "3", Action: plan.Update, ResourceType: "api", ResourceID: "api", Fields: map[string]any{"labels": map[string]any{"p": "older"}},
		ChangedFields: map[string]plan.OldNew{"portals": {Old: []any{"old", "other"}, New: []any{"other"}}},
		References:    map[string]plan.Reference{"portals.0": {ID: "old"}},
	}
	p := &plan.Plan{Changes: []*plan.Change{gone, page, user}}
	now := plan.Trace{Object: &resource.Object{ID: "new"}, Again: true}
	if got := p.Following(map[string]plan.Trace{"1": now}); got != p {
		t.Error("another one is followed")
	}
	now.Restored = true
	got := p.Following(map[string]plan.Trace{"1": now})
	testkit.Equal(t, "the delete", got.Change("1").ResourceID, "old")
	testkit.Equal(t, "the parent", *got.Change("2").Parent, plan.ParentRef{Type: "portal", ID: "new", Ancestors: []string{"new"}})
	testkit.Equal(t, "what it went with", got.Change("2").With, got.Change("1"))
	testkit.Equal(t, "a former value", got.Change("3").ChangedFields["portals"], plan.OldNew{Old: []any{"new", "other"}, New: []any{"other"}})
	testkit.Equal(t, "a reference", got.Change("3").References["portals.0"].ID, "new")
	testkit.Equal(t, "a text", got.Change("3").Fields["labels"], any(map[string]any{"p": "older"}))
	testkit.Equal(t, "the plan itself", *page.Parent, plan.ParentRef{Type: "portal", ID: "old", Ancestors: []string{"old"}})
}
