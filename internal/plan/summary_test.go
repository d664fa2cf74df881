package plan

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSummarize(t *testing.T) {
	p := &Plan{
		Changes: []*Change{
			{ID: "1", Action: Create, ResourceType: "a", Protection: true},
			{ID: "2", Action: Update, ResourceType: "a", ChangedFields: map[string]OldNew{ProtectedField: {Old: true, New: false}}},
			{ID: "3", Action: ExternalTool, ResourceType: DeckType, ResourceRef: "edge", ResourceName: "Edge", Fields: map[string]any{"files": []any{"one.yaml"}}},
			{ID: "4", Action: ExternalTool, ResourceType: DeckType, ResourceRef: "far", Fields: map[string]any{"select_tags": []any{"a", "b"}, "flags": []any{"--analytics=false", "--select-tag=b,a"}}},
			{ID: "5", Action: ExternalTool, ResourceType: DeckType, ResourceRef: "own", Fields: map[string]any{"select_tags": []any{"a"}, "skip_consumers": true}},
		},
		Dependencies: []Dependency{{Ref: "orders", Name: "orders-v1", Change: "3"}, {Ref: "other", Name: "other"}},
	}
	p.Summarize()
	if diff := cmp.Diff(Protection{Protecting: 1, Unprotecting: 1}, p.Summary.ProtectionChanges); diff != "" {
		t.Errorf("protection (-want +got):\n%s", diff)
	}
	runs := map[string][]ToolRun{DeckType: {
		{Ref: "edge", Name: "Edge", Files: []string{"one.yaml"}, Services: []ToolPart{{Ref: "orders", Name: "orders-v1"}}},
		{Ref: "far", Flags: []string{"--analytics=false", "--select-tag=b,a"}},
		{Ref: "own", Flags: []string{"--select-tag=a", "--skip-consumers"}},
	}}
	if diff := cmp.Diff(runs, p.Summary.ByExternalTools); diff != "" {
		t.Errorf("runs (-want +got):\n%s", diff)
	}
	for name, row := range map[string]struct {
		edit func(s *Summary)
		want bool
	}{
		"as it is":            {func(*Summary) {}, true},
		"of a former version": {func(s *Summary) { s.ProtectionChanges.Protecting, s.ByExternalTools = 0, nil }, true},
		"another count":       {func(s *Summary) { s.TotalChanges++ }, false},
		"another file":        {func(s *Summary) { s.ByExternalTools = map[string][]ToolRun{DeckType: {{Ref: "edge"}}} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			saved := *p
			row.edit(&saved.Summary)
			if got := saved.summedUp(); got != row.want {
				t.Errorf("got %v, want %v", got, row.want)
			}
		})
	}
}

// What refers to two resources that are deleted is deleted once, and counts once. Former
// versions counted it with each.
func TestSummarizeWhatIsDeletedOnce(t *testing.T) {
	shared := Cascaded{Type: "m", ID: "1", Parent: &CascadedParent{Type: "p", ID: "2"}}
	other := Cascaded{Type: "m", ID: "1", Parent: &CascadedParent{Type: "p", ID: "3"}}
	p := &Plan{Changes: []*Change{
		{ID: "1", Action: Delete, ResourceType: "a", Cascades: []Cascaded{shared}, TakesAlong: map[string]int{"c": 2}},
		{ID: "2", Action: Delete, ResourceType: "b", Cascades: []Cascaded{shared, other}},
	}}
	p.Summarize()
	if s := p.Summary; s.TakenAlong != 4 || s.Cascaded != 2 {
		t.Errorf("%d with them, %d of these refer to them", s.TakenAlong, s.Cascaded)
	}
	for name, row := range map[string]struct {
		all, cascaded int
		want          bool
	}{"as it is": {4, 2, true}, "of a former version": {5, 3, true}, "another count": {6, 3, false}} {
		saved := *p
		saved.Summary.TakenAlong, saved.Summary.Cascaded = row.all, row.cascaded
		if got := saved.summedUp(); got != row.want {
			t.Errorf("%s: got %v, want %v", name, got, row.want)
		}
	}
}
