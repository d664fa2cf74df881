package view

import (
	"encoding/json"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
)

func TestNamesakesAreToldApart(t *testing.T) {
	gone := func(ref, id string, state map[string]any) *plan.Change {
		return &plan.Change{ResourceType: "plan", ResourceRef: ref, ResourceID: id, Action: plan.Delete, CurrentState: state}
	}
	version := func(n, price string) map[string]any {
		return map[string]any{"version": json.Number(n), "price": json.Number(price), "name": "Pro"}
	}
	list := []*plan.Change{
		gone("pro", "a", version("1", "9")), gone("pro", "b", version("2", "9")), gone("one", "c", version("1", "9")),
		gone("blank", "d", map[string]any{"name": "x"}), gone("blank", "e", map[string]any{"name": "y"}),
	}
	n := namesakesOf(&plan.Plan{Changes: list})
	for i, want := range []string{"version 1", "version 2", "", "id d", "id e"} {
		if got := n.apart(list[i]); got != want {
			t.Errorf("%s %s: %q, want %q", list[i].ResourceRef, list[i].ResourceID, got, want)
		}
	}
}
