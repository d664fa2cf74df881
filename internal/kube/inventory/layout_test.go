package inventory

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"

	"github.com/kongctl/kongctl/internal/kube/object"
)

func id(n int) object.ID {
	return object.ID{Kind: "ConfigMap", Namespace: "n", Name: fmt.Sprintf("c%02d", n)}
}

// list returns entries by the numbers of their names.
func list(numbers ...int) []Entry {
	out := []Entry{}
	for _, n := range numbers {
		out = append(out, Entry{ID: id(n)})
	}
	return out
}

func numbers(from, to int) (out []int) {
	for n := from; n < to; n++ {
		out = append(out, n)
	}
	return out
}

// saved is an inventory as it is loaded, from the numbers that each part lists.
func saved(parts ...[]int) *Inventory {
	inv := &Inventory{Name: "inv", Namespace: "n", ID: "id"}
	layout := make([][]Entry, len(parts))
	for n, part := range parts {
		layout[n] = list(part...)
	}
	var stored []*unstructured.Unstructured
	for n := range layout {
		stored = append(stored, inv.group(nil, n, layout))
	}
	return of(stored)
}

func TestLayout(t *testing.T) {
	tests := []struct {
		name   string
		stored [][]int
		want   []int
		split  bool
		layout [][]int
		err    string
	}{
		{name: "nothing", layout: [][]int{{}}},
		{name: "all in one, in order", want: []int{3, 1, 2, 1}, split: true, layout: [][]int{{1, 2, 3}}},
		{name: "too many", want: numbers(0, 5), err: "inventory n/inv is too large: 5 objects, and one ResourceGroup can hold 4; fix: pass --inventory-split to spread it over several, or divide the set"},
		{name: "spread", want: numbers(0, 10), split: true, layout: [][]int{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9}}},
		{name: "what is recorded stays where it is", stored: [][]int{{1, 2}, {3, 4, 5}}, want: []int{0, 1, 2, 3, 4, 5}, layout: [][]int{{0, 1, 2}, {3, 4, 5}}},
		{name: "what is new takes free room", stored: [][]int{{1, 2}, {3}}, want: numbers(0, 9), split: true, layout: [][]int{{0, 1, 2, 4}, {3, 5, 6, 7}, {8}}},
		{name: "what the first one cannot hold moves to others", stored: [][]int{numbers(0, 6), {7, 8}}, want: numbers(0, 9), layout: [][]int{{0, 1, 2, 3}, {4, 5, 7, 8}, {6}}},
		{name: "a part keeps what it has", stored: [][]int{{0}, numbers(1, 7), {7}}, want: numbers(0, 9), layout: [][]int{{0, 8}, numbers(1, 7), {7}}},
		{name: "one that is split becomes whole", stored: [][]int{{1, 2}, {3, 4, 5}}, want: []int{2, 4}, layout: [][]int{{2, 4}}},
		{name: "an empty part in the middle is used again", stored: [][]int{{0, 1, 2, 3}, {4}, {8, 9}}, want: []int{0, 1, 2, 3, 8, 9}, layout: [][]int{{0, 1, 2, 3}, {}, {8, 9}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inv := &Inventory{Name: "inv", Namespace: "n", ID: "id"}
			if test.stored != nil {
				inv = saved(test.stored...)
			}
			inv.Entries = list(test.want...)
			got, err := inv.layout(SaveOptions{Split: test.split, Limit: Limit{Entries: 4}})
			if test.err != "" {
				if err == nil || err.Error() != test.err {
					t.Errorf("got  %v\nwant %s", err, test.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var want [][]Entry
			for _, part := range test.layout {
				want = append(want, list(part...))
			}
			sorted := make([][]Entry, len(got))
			for n, part := range got {
				sorted[n] = append(list(), part...)
				slices.SortFunc(sorted[n], func(a, b Entry) int { return object.Compare(a.ID, b.ID) })
			}
			if diff := cmp.Diff(want, sorted); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("bytes", func(t *testing.T) {
		inv := &Inventory{Name: "inv", Namespace: "n", Entries: list(numbers(0, 10)...)}
		one := specBytes(inv.Entries[0])
		if err := inv.Check(SaveOptions{Limit: Limit{Bytes: 10 * one}}); err != nil {
			t.Error(err)
		}
		var large *TooLargeError
		if err := inv.Check(SaveOptions{Limit: Limit{Bytes: 10*one - 1}}); !errors.As(err, &large) || large.Bytes != 10*one {
			t.Errorf("%v", err)
		}
	})
	t.Run("a name that is too long", func(t *testing.T) {
		inv := &Inventory{Name: strings.Repeat("a", maxName), Namespace: "n", Entries: list(numbers(0, 10)...)}
		if err := inv.Check(SaveOptions{Split: true, Limit: Limit{Entries: 4}}); err == nil || !strings.Contains(err.Error(), "use a shorter name") {
			t.Errorf("%v", err)
		}
	})
}

// TestBarrier asserts that no client can ask for the entry that marks a split
// inventory, so that kpt stops when it looks for what to prune.
func TestBarrier(t *testing.T) {
	if len(rest.IsValidPathSegmentName(barrier)) == 0 {
		t.Error("the name can be asked for")
	}
	whole, parts := saved(numbers(0, 3)), saved(numbers(0, 3), numbers(3, 5))
	if split(whole.stored[0]) || !split(parts.stored[0]) || !split(parts.stored[1]) {
		t.Error("not exactly the split ones are marked")
	}
	if diff := cmp.Diff(list(numbers(0, 5)...), parts.Entries); diff != "" {
		t.Error(diff)
	}
}

func TestMerge(t *testing.T) {
	tests := []struct {
		name                     string
		base, ours, theirs, want []int
	}{
		{name: "both add", base: []int{1}, ours: []int{1, 2}, theirs: []int{1, 3}, want: []int{1, 2, 3}},
		{name: "we remove, they add", base: []int{1, 2}, ours: []int{1}, theirs: []int{1, 2, 3}, want: []int{1, 3}},
		{name: "they remove what we keep", base: []int{1, 2}, ours: []int{1, 2}, theirs: []int{1}, want: []int{1, 2}},
		{name: "both remove", base: []int{1, 2, 3}, ours: []int{1, 3}, theirs: []int{1, 2}, want: []int{1, 3}},
		{name: "they made it first", ours: []int{1}, theirs: []int{2}, want: []int{1, 2}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inv := &Inventory{Name: "inv", Namespace: "n", ID: "id"}
			if test.base != nil {
				inv = saved(test.base)
			}
			inv.Entries = list(test.ours...)
			if err := inv.merge(saved(test.theirs)); err != nil {
				t.Fatal(err)
			}
			layout, err := inv.layout(SaveOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(list(test.want...), layout[0]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStatus(t *testing.T) {
	inv := saved(numbers(0, 3))
	u := inv.stored[0]
	u.SetGeneration(7)
	u.Object["status"] = map[string]any{"conditions": []any{"of another"}, "resourceStatuses": []any{statusOf(Entry{ID: id(1), Strategy: StrategyApply, Actuation: Failed})}}
	setStatus(u, map[object.ID]Entry{id(0): {ID: id(0), Strategy: StrategyApply, Actuation: Succeeded, Reconcile: Succeeded, Status: "Current"}, id(9): {ID: id(9), Strategy: StrategyApply}})
	want := map[string]any{
		"observedGeneration": int64(7), "conditions": []any{"of another"},
		"resourceStatuses": []any{
			map[string]any{"group": "", "kind": "ConfigMap", "namespace": "n", "name": "c00", "status": "Current", "strategy": "Apply", "actuation": "Succeeded", "reconcile": "Succeeded"},
			map[string]any{"group": "", "kind": "ConfigMap", "namespace": "n", "name": "c01", "status": "Unknown", "strategy": "Apply", "actuation": "Failed"},
		},
	}
	if diff := cmp.Diff(want, u.Object["status"]); diff != "" {
		t.Error(diff)
	}
}

// TestDefinition asserts that a definition is completed, not replaced.
func TestDefinition(t *testing.T) {
	ours, err := Definition()
	if err != nil {
		t.Fatal(err)
	}
	if old, err := Outdated(ours); err != nil || old {
		t.Errorf("ours is outdated: %t, %v", old, err)
	}
	status := func(u *unstructured.Unstructured) map[string]any {
		versions, _, _ := unstructured.NestedSlice(u.Object, versionsAt...)
		fields, _, _ := unstructured.NestedMap(versions[0].(map[string]any), "schema", "openAPIV3Schema", "properties", "status", "properties", "resourceStatuses", "items", "properties")
		return fields
	}
	live := ours.DeepCopy()
	versions, _, _ := unstructured.NestedSlice(live.Object, versionsAt...)
	version := versions[0].(map[string]any)
	unstructured.RemoveNestedField(version, "schema", "openAPIV3Schema", "properties", "status", "properties", "resourceStatuses", "items", "properties", "actuation")
	_ = unstructured.SetNestedField(version, "string", "schema", "openAPIV3Schema", "properties", "status", "properties", "resourceStatuses", "items", "properties", "more", "type")
	_ = unstructured.SetNestedField(version, "theirs", "schema", "openAPIV3Schema", "description")
	_ = unstructured.SetNestedSlice(live.Object, versions, versionsAt...)
	if old, err := Outdated(live); err != nil || !old {
		t.Errorf("outdated: %t, %v", old, err)
	}
	if err := complete(live, ours); err != nil {
		t.Fatal(err)
	}
	got := status(live)
	if got["actuation"] == nil || got["more"] == nil {
		t.Errorf("%v", got)
	}
	_ = unstructured.SetNestedSlice(live.Object, []any{map[string]any{"name": "v2"}}, versionsAt...)
	if _, err := Outdated(live); err == nil || !strings.Contains(err.Error(), "no version v1alpha1") {
		t.Errorf("%v", err)
	}
}
