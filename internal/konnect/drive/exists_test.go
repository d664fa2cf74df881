package drive_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// What exists and a create leaves out must be what another resource gives it, as that is
// after the plan.
func TestExistsWithInheritedValues(t *testing.T) {
	const portal = "portals: [{name: dev, default_page_visibility: private}]\napis: [{name: a}]\n"
	const page = "portals: [{name: dev, default_page_visibility: %, pages: [{title: Home, slug: home, content: x}]}]\n"
	for name, row := range map[string]struct {
		visibility, has string
		mode            plan.Mode
		moved           bool
	}{
		"as the portal has it":       {"private", "private", plan.ModeSync, false},
		"otherwise":                  {"private", "public", plan.ModeSync, true},
		"as the portal will have it": {"public", "public", plan.ModeSync, false},
		"as the portal had it":       {"public", "private", plan.ModeSync, true},
		"apply keeps it":             {"private", "public", plan.ModeApply, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(portal)
			p := w.Plan(testkit.Ask{Mode: row.mode}, strings.Replace(page, "%", row.visibility, 1)+"apis: [{name: a}]\n")
			id, _ := w.Named("portal", "dev")["id"].(string)
			w.Send("POST", "/v3/portals/"+id+"/pages", `{"title":"Home","slug":"home","content":"x","visibility":"`+row.has+`"}`)
			found, err := execute.Check(t.Context(), w.Execution(p))
			if err != nil {
				t.Fatal(err)
			}
			testkit.Equal(t, "moved", len(found.Moved) > 0, row.moved)
			for _, c := range p.Changes {
				if c.Action == plan.Create {
					testkit.Equal(t, "done", found.Done[c.ID] != nil, !row.moved)
				}
			}
		})
	}
}
