package view_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
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
			"one that moves, and one that moves and changes",
			list(object{"name": "a", "port": 1}, object{"name": "b", "port": 2}, object{"name": "c", "port": 3}),
			list(object{"name": "c", "port": 4}, object{"name": "a", "port": 1}, object{"name": "b", "port": 2}),
			[]string{"items[2]: moved to [0] (name c)", "items[2].port: 3 -> 4"},
		},
		{
			"one without a name that moves",
			list(object{"port": 1}, object{"port": 2}, object{"port": 3}),
			list(object{"port": 2}, object{"port": 3}, object{"port": 1}),
			[]string{"items[0]: moved to [2]"},
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

// What goes is named where the plan knows it.
func TestNamesOfWhatGoes(t *testing.T) {
	const a = "00000000-0000-4000-8000-00000000000a"
	c := updated("portal_page", "home", map[string]plan.OldNew{"items": {Old: list(map[string]any{"id": a}), New: list()}})
	gone := &plan.Change{ID: "2:d:mapping", Action: plan.Delete, ResourceType: "mapping", ResourceRef: a, ResourceID: "m", CurrentState: map[string]any{"api_id": a}}
	p := newPlan(plan.ModeSync, c, gone)
	p.Metadata.ReferenceMappings = map[string]string{"api:flights": a}
	var b strings.Builder
	if err := view.WritePlan(&b, p, view.PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"- id: id of flights (" + a + ")", `mapping "` + a + `" (api_id flights`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// What only has another place in a list is named on both sides, and said to be moved;
// so it is where the plan holds its id and no reference, as inverse plans do.
func TestNamesOfWhatMoves(t *testing.T) {
	const a, b, c = "00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b", "00000000-0000-4000-8000-00000000000c"
	x := updated("chain", "order", map[string]plan.OldNew{"items": {Old: list(a, b), New: list(c, b, a)}})
	p := newPlan(plan.ModeSync, x)
	p.Metadata.ReferenceMappings = map[string]string{"first": a, "second": b}
	var out strings.Builder
	if err := view.WritePlan(&out, p, view.PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"- id of second (" + b + "), moved\n", "+ " + c + "\n", "+ id of second (" + b + "), moved\n"} {
		if strings.Count(out.String(), want) != 1 {
			t.Errorf("not one %q in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "id of first") {
		t.Errorf("what stays is shown:\n%s", out.String())
	}
}

// The words of a target stand for what Konnect does not return, and what means the
// same is no difference.
func TestMeaningOfDifferences(t *testing.T) {
	c := updated("portal_page", "home", map[string]plan.OldNew{
		"cert":  {Old: "2030-01-01", New: "PEM"},
		"items": {Old: list(map[string]any{"key": "a", "amount": "10", "kept": false}), New: list(map[string]any{"key": "a", "amount": "11"})},
	})
	meaning := func(_ string, p value.Path, old, _ any) (any, string) {
		if p.String() == "cert" {
			return old, "(expires at 2030-01-01)"
		}
		return list(map[string]any{"key": "a", "amount": "10"}), ""
	}
	var b strings.Builder
	if err := view.WritePlan(&b, newPlan(plan.ModeSync, c), view.PlanOptions{Style: view.Style{Diff: view.Diff{Meaning: meaning}}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"cert: (expires at 2030-01-01) -> PEM", `items[0].amount: "10" -> "11"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "kept") {
		t.Errorf("noise is shown:\n%s", b.String())
	}
}

// Where a key with null is all that differs, it is shown: in mappings and in items of
// lists, as it comes and as it goes.
func TestNullsAlone(t *testing.T) {
	with, without := map[string]any{"a": 1, "b": nil}, map[string]any{"a": 1}
	for _, x := range []struct {
		old, now any
		want     string
	}{
		{with, without, "config.b: null -> (none)\n"},
		{without, with, "config.b: (none) -> null\n"},
		{list(map[string]any{"key": "k", "config": with}), list(map[string]any{"key": "k", "config": without}), "config[0].config.b: null -> (none)\n"},
	} {
		c := updated("plan", "p", map[string]plan.OldNew{"config": {Old: x.old, New: x.now}})
		var b strings.Builder
		if err := view.WritePlan(&b, newPlan(plan.ModeSync, c), view.PlanOptions{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), x.want) || strings.Contains(b.String(), "only the labels") {
			t.Errorf("no %q alone in\n%s", x.want, b.String())
		}
	}
}

// A new one of another form lacks what only the former form has; of the rest it gets
// what the target chooses.
func TestFormerFormIsShown(t *testing.T) {
	gone := deleted("strategy", "s")
	gone.Replace = true
	made := create("strategy", "s", fields{"kind": "oidc"})
	made.Replace, made.DependsOn = true, []string{gone.ID}
	made.ChangedFields = map[string]plan.OldNew{
		"kind": {Old: "key", New: "oidc"}, "names": {Old: list("a")}, "size": {Old: 5},
	}
	holds := func(_ string, _ map[string]any, p value.Path) bool { return p.String() != "names" }
	var b strings.Builder
	if err := view.WritePlan(&b, newPlan(plan.ModeSync, gone, made), view.PlanOptions{Style: view.Style{Diff: view.Diff{Holds: holds}}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"names: [a] -> (none)\n", "size: 5 -> (default)\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// A replacement shows configuration, and nothing that the target assigns, however deep
// that stands.
func TestReplacementShowsNoReadOnlyFields(t *testing.T) {
	gone := deleted("mapping", "m")
	gone.Replace = true
	gone.CurrentState = fields{"id": "1", "service": "old", "resource": map[string]any{
		"id": "assigned", "created_at": "2030-01-01", "type": "pager", "note": "written",
		"items": list(map[string]any{"key": "a", "seen_at": "2030-01-01"}),
	}}
	made := create("mapping", "m", fields{"service": "new", "resource": map[string]any{"type": "pager", "items": list(map[string]any{"key": "a"})}})
	made.Replace, made.DependsOn = true, []string{gone.ID}
	holds := func(_ string, _ map[string]any, p value.Path) bool {
		last := p[len(p)-1]
		return last != "id" && !strings.HasSuffix(last, "_at")
	}
	var b strings.Builder
	if err := view.WritePlan(&b, newPlan(plan.ModeSync, gone, made), view.PlanOptions{Style: view.Style{Diff: view.Diff{Holds: holds}}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"service: old -> new", "written"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	for _, noise := range []string{"assigned", "2030-01-01"} {
		if strings.Contains(b.String(), noise) {
			t.Errorf("%q is shown:\n%s", noise, b.String())
		}
	}
}

// A list with secrets is sent as a whole, and shown once.
func TestSecretItems(t *testing.T) {
	c := &plan.Change{
		ID: "1:u:policy:p", ResourceType: "policy", ResourceRef: "p", ResourceID: "1", Action: plan.Update,
		Fields:        map[string]any{"name": "b", "config": map[string]any{"keys": list(nil, "{vault://env/k}", nil), "jwk": list(map[string]any{"kty": "x"})}},
		ChangedFields: map[string]plan.OldNew{"name": {Old: "a", New: "b"}},
		SecretWrites:  []plan.Expression{{Field: "config.keys[0]"}, {Field: "config.keys[2]"}, {Field: "config.jwk[0].d"}},
	}
	want := []string{"name: a -> b", "config.jwk: [{d: (secret), kty: x}]", `config.keys: [(secret), "{vault://env/k}", (secret)]`}
	if d := cmp.Diff(want, shownUpdate(t, c)); d != "" {
		t.Error(d)
	}
}
