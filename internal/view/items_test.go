package view_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

// shownUpdate is the plan of one update, as people see it, without what is around
// its lines.
func shownUpdate(t *testing.T, c *plan.Change) []string {
	t.Helper()
	var b strings.Builder
	if err := view.WritePlan(&b, newPlan(plan.ModeSync, c), view.PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.SplitSeq(b.String(), "\n") {
		if text, ok := strings.CutPrefix(line, "      "); ok {
			lines = append(lines, text)
		}
	}
	return lines
}

func list(items ...any) []any { return items }

// Items of lists are matched by what they are, not by where they stand.
func TestChangedItems(t *testing.T) {
	type object = map[string]any
	for _, row := range []struct {
		name     string
		old, now []any
		want     []string
	}{
		{
			"one inserted first",
			list(object{"name": "a", "port": 1}, object{"name": "b", "port": 2}),
			list(object{"name": "n", "port": 0}, object{"name": "a", "port": 1}, object{"name": "b", "port": 2}),
			[]string{"items[0]: added", "  + name: n", "  + port: 0"},
		},
		{
			"one inserted before one that changes",
			list(object{"name": "a", "port": 1}),
			list(object{"name": "n", "port": 0}, object{"name": "a", "port": 7}),
			[]string{"items[0]: added", "  + name: n", "  + port: 0", "items[0].port: 1 -> 7"},
		},
		{
			"one goes and one comes, by id",
			list(object{"id": "a"}, object{"id": "b"}),
			list(object{"id": "b"}, object{"id": "c"}),
			[]string{"items[0]: removed", "  - id: a", "items[1]: added", "  + id: c"},
		},
		{
			"another one in the place of one",
			list(object{"id": "a"}),
			list(object{"id": "b"}),
			[]string{"items[0]: removed", "  - id: a", "items[0]: added", "  + id: b"},
		},
		{
			"without names by what is alike",
			list(object{"host": "x", "port": 1}, object{"host": "y", "port": 2}),
			list(object{"host": "z", "port": 3}, object{"host": "y", "port": 4}, object{"host": "x", "port": 1, "tls": true}),
			[]string{"items[0]: added", "  + host: z", "  + port: 3", "items[1].port: 2 -> 4", "items[0].tls: (none) -> true"},
		},
		{
			"unlike ones by place",
			list(object{"port": 1}), list(object{"port": 2}),
			[]string{"items[0].port: 1 -> 2"},
		},
	} {
		t.Run(row.name, func(t *testing.T) {
			wantLines(t, shownUpdate(t, updated("portal_page", "home", map[string]plan.OldNew{"items": {Old: row.old, New: row.now}})), row.want...)
		})
	}
}

// A reference to what the list has already is no other item.
func TestReferencesInLists(t *testing.T) {
	const a, b = "00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"
	c := updated("portal_page", "home", map[string]plan.OldNew{"items": {
		Old: list(map[string]any{"id": a}, map[string]any{"id": b}),
		New: list(map[string]any{"id": b}, map[string]any{"id": "[unknown]"}),
	}})
	c.References = map[string]plan.Reference{
		"items[0].id": {Ref: "green", ID: b},
		"items[1].id": {Ref: "red", ID: "[unknown]"},
	}
	wantLines(t, shownUpdate(t, c),
		"items[0]: removed", "  - id: "+a,
		"items[1]: added", "  + id: id of red (known after apply)")
}
