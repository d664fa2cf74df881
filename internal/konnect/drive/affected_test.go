package drive

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// Several comparisons may find one resource: it is named once, with the fields of the
// first one that knows them. What exists once is the same with and without its id.
func TestAffectedNamesEachOnce(t *testing.T) {
	const id = "c2f899bb-0000-4000-8000-000000000001"
	page := &resource.Type{Kind: "a_page", Words: "page", Identity: []string{"slug"}}
	single := &resource.Type{Kind: "a_config", Words: "config", Single: true}
	part := func(t *resource.Type, id string, fields map[string]any) resource.Part {
		return resource.Part{Type: t, Ancestors: []string{"p"}, Object: &resource.Object{ID: id, Fields: fields}}
	}
	var a affected
	a.add(plan.NewStranger(part(page, "1", map[string]any{"slug": "s"}), "was changed"), nil)
	a.add(plan.NewStranger(part(single, id, nil), "was changed"), nil)
	a.add(plan.NewStranger(part(page, id, nil), "was created"), nil)
	a.add(plan.NewStranger(part(page, "1", map[string]any{"slug": "s"}), "was changed"), []execute.MovedField{{Field: "content", Is: "x"}})
	a.add(plan.NewStranger(part(page, "1", map[string]any{"slug": "s"}), "is protected"), []execute.MovedField{{Field: "other"}})
	a.add(plan.NewStranger(part(single, "", nil), "was changed"), []execute.MovedField{{Field: "from", PlannedFrom: "y"}})
	why, fields := a.text(plan.Delete)
	_, names, _ := strings.Cut(why, ": ")
	if want := `page "s" was changed and is protected, config was changed, page (id ` + id + `) was created`; names != want {
		t.Errorf("got %s, want %s", names, want)
	}
	if d := cmp.Diff([]execute.MovedField{{Of: `page "s"`, Field: "content", Is: "x"}, {Of: "config", Field: "from", PlannedFrom: "y"}}, fields); d != "" {
		t.Error(d)
	}
}
