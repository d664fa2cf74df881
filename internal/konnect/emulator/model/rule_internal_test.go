package model

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// The rows of a kind become one rule: steps in their order, the first value of a
// field, the last of what a type has once.
func TestRowsOfAKindAreJoined(t *testing.T) {
	refused := errors.New("refused")
	note := func(word string, err error) Step {
		return func(_ Scene, r *store.Record) error { r.Refs = append(r.Refs, word); return err }
	}
	show := func(field string) func(Scene, *store.Record, map[string]any) {
		return func(_ Scene, _ *store.Record, v map[string]any) { v[field] = len(v) }
	}
	rules := joinRules([]Rule{
		{Kind: "a", Fill: note("first", nil)},
		{Kind: "a", Values: map[string]any{"x": "first", "y": "only"}},
		{Kind: "b", ByName: true},
		{Kind: "a", Fill: note("second", refused)},
		{Kind: "a", Fill: note("third", nil)},
		{Kind: "a", Values: map[string]any{"x": "second"}},
		{Kind: "a", View: show("one")},
		{Kind: "a", View: show("two")},
		{Kind: "a", Unique: []string{"x"}},
		{Kind: "a", Unique: []string{}},
		{Kind: "a", Loose: []string{"p"}},
		{Kind: "a", Loose: []string{"q"}},
		{Kind: EveryType, Check: note("every", refused)},
	}, []string{"a", "c"})
	a := rules["a"]
	rec, fields, view := &store.Record{}, map[string]any{"y": "given"}, map[string]any{}
	if err := a.Fill.Run(Scene{}, rec); !errors.Is(err, refused) {
		t.Errorf("the steps end with %v", err)
	}
	a.defaults(fields)
	a.View(Scene{}, rec, view)
	for _, kind := range []string{"a", "c"} {
		if err := rules[kind].Check.Run(Scene{}, &store.Record{}); !errors.Is(err, refused) {
			t.Errorf("a row for all types lets %s pass: %v", kind, err)
		}
	}
	got := []any{rec.Refs, fields, view, a.Unique, a.Loose, a.ByName, rules["b"].ByName, rules["b"].Check == nil, rules[EveryType] == nil}
	want := []any{
		[]string{"first", "second"},
		map[string]any{"x": "first", "y": "given"},
		map[string]any{"one": 0, "two": 1},
		[]string{},
		[]string{"p", "q"},
		false, true, true, true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
