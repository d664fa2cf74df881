package view_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
	"github.com/kongctl/kongctl/internal/view"
)

// What an item of a list loses is shown with the default that takes its place; a
// reference to what is there already is no change, whatever field it takes.
func TestLeftOutShown(t *testing.T) {
	item := func(name string, more map[string]any) any {
		more["name"], more["provider"] = name, "the-provider"
		return more
	}
	old := []any{item("one", map[string]any{"weight": 10, "note": "x"}), item("two", map[string]any{"port": 80}), item("three", map[string]any{"weight": 100})}
	now := []any{item("two", map[string]any{"port": 80}), item("one", map[string]any{}), item("three", map[string]any{})}
	c := &plan.Change{
		ID: "1:u:model:m", Action: plan.Update, ResourceType: "model", ResourceRef: "m", ResourceName: "m",
		CurrentState:  map[string]any{"targets": old, "kind": "a", "mode": "fast"},
		Fields:        map[string]any{"targets": now, "explicit": nil},
		ChangedFields: map[string]plan.OldNew{"targets": {Old: old, New: now}, "mode": {Old: "fast"}, "explicit": {Old: "x"}},
		References: map[string]plan.Reference{
			"targets[0].provider": {Ref: "prov", Type: "provider", Field: "name", ID: "the-provider"},
			"targets[0].port":     {Ref: "prov", Type: "provider", Field: "port", ID: "80"},
			"targets[1].provider": {Ref: "prov", Type: "provider", Field: "name", ID: "the-provider"},
		},
	}
	diff := view.Diff{Default: func(kind string, fields map[string]any, p value.Path) (any, bool) {
		if kind != "model" || fields["kind"] != "a" {
			t.Errorf("asked of %s with %v", kind, fields)
		}
		v, known := map[string]any{"targets[1].weight": 100, "targets[2].weight": 100, "mode": "slow", "explicit": "never"}[p.String()]
		return v, known
	}}
	b := &testkit.Buffer{}
	if err := view.WritePlan(b, &plan.Plan{Changes: []*plan.Change{c}}, view.PlanOptions{Style: view.Style{Diff: diff}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"targets[0].weight: 10 -> 100 (default)\n", "targets[0].note: x -> (none)\n", "mode: fast -> slow (default)\n", "explicit: x -> (none)\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("not shown: %s", want)
		}
	}
	if strings.Contains(b.String(), "provider") || strings.Contains(b.String(), "port") || strings.Contains(b.String(), "[2]") {
		t.Errorf("shown, and it stays\n%s", b)
	}
}
