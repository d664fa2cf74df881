package build_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/plan/choose"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

const twoPortals = `
portals:
  - {name: pA, pages: [{slug: keepme, content: c, children: [{slug: inner, content: i}]}], teams: [{name: pt}]}
  - {name: pB}
`

// What goes with an undeclared root and is ignored keeps the root.
func TestIgnoredPartsKeepUndeclaredRoots(t *testing.T) {
	for _, pattern := range []string{"type:portal_page", "keepme", "inner", "type:portal_team", "pt"} {
		for _, how := range []way{{mode: plan.ModeSync}, {mode: plan.ModeApply}} {
			t.Run(fmt.Sprint(pattern, " ", how.mode), func(t *testing.T) {
				w := testkit.New(t)
				w.Sync(twoPortals)
				how.filter = choose.Filter{Ignore: patterns(pattern)}
				p, diags := planned(t, w, "portals: [{name: pB, description: new}]", how)
				if len(diags) > 0 {
					t.Fatal(diags)
				}
				testkit.Expect(t, p, "1 UPDATE portal pB")
				if how.mode == plan.ModeSync && (len(p.Warnings) != 1 || !strings.HasPrefix(p.Warnings[0].Message, `the portal "pA" stays, because the filter ignores the portal`)) {
					t.Errorf("warnings: %v", p.Warnings)
				}
			})
		}
	}
}

// What stays with an ignored part keeps what it uses in its turn.
func TestKeptRootsKeepWhatTheyUse(t *testing.T) {
	w := testkit.New(t)
	w.Sync(testkit.Airlines)
	p, diags := planned(t, w, "teams: [{name: ops}]", way{mode: plan.ModeSync, filter: choose.Filter{Ignore: patterns("type:api_version")}})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	for _, c := range p.Changes {
		if slices.Contains([]string{"api", "portal", "application_auth_strategy"}, c.ResourceType) {
			t.Errorf("%s: the API stays, and what it is published in", c.ID)
		}
	}
}

func TestDeletesTellWhatTheyTakeAlong(t *testing.T) {
	want := map[string]int{"portal_page": 2, "portal_team": 1}
	for name, row := range map[string]struct {
		text string
		how  way
	}{
		"pruned":   {"portals: [{name: pB}]", way{mode: plan.ModeSync}},
		"deleted":  {"portals: [{name: pA, teams: [{name: pt}]}]", remove},
		"unlisted": {"portals: [{name: pA}]", remove},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(twoPortals)
			p, _ := planned(t, w, row.text, row.how)
			testkit.Expect(t, p, "1 DELETE portal pA")
			testkit.Equal(t, "along", p.Changes[0].TakesAlong, want)
			testkit.Equal(t, "counted", p.Summary.TakenAlong, 3)
			if n := len(p.Changes[0].Expect.Along); n != 3 {
				t.Errorf("%d are expected: %v", n, p.Changes[0].Expect.Along)
			}
		})
	}
}

func TestMaxDeletesCountsWhatGoesAlong(t *testing.T) {
	w := testkit.New(t)
	w.Sync(twoPortals)
	for limit, allowed := range map[string]bool{"3": false, "4": true, "79%": false, "80%": true} {
		in, _ := input(t, w, "portals: [{name: pB}]", way{mode: plan.ModeSync})
		in.MaxDeletes = limit
		p, _ := build.Build(in)
		if allowed != (len(p.Blocked) == 0) {
			t.Errorf("%s: %v", limit, p.Blocked)
		}
		if !allowed && !strings.Contains(p.Blocked[0].Message, "deletes 4 of 5 resources") {
			t.Errorf("%s: %s", limit, p.Blocked[0].Message)
		}
	}
}

// What somebody makes or changes below a resource that a saved plan deletes is
// drift; what is gone is not.
func TestDeletesCheckWhatTheyTakeAlong(t *testing.T) {
	for name, row := range map[string]struct {
		send func(w *testkit.World, portal, page string)
		want string // "" is no drift
	}{
		"nothing": {func(*testkit.World, string, string) {}, ""},
		"made": {func(w *testkit.World, portal, _ string) {
			w.Send("POST", "/v3/portals/"+portal+"/snippets", `{"name":"new","content":"x"}`)
		}, `portal snippet "new" was created`},
		"changed": {func(w *testkit.World, portal, page string) {
			w.Send("PATCH", "/v3/portals/"+portal+"/pages/"+page, `{"title":"other"}`)
		}, `portal page "keepme" was changed`},
		"gone": {func(w *testkit.World, portal, page string) {
			w.Send("DELETE", "/v3/portals/"+portal+"/pages/"+page, "")
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(twoPortals)
			p := w.Reread(w.Plan(testkit.Ask{}, "portals: [{name: pB}]"))
			portal, _ := w.Named("portal", "pA")["id"].(string)
			page := ""
			for _, m := range w.State("portal_page") {
				if m["slug"] == "keepme" {
					page, _ = m["id"].(string)
				}
			}
			row.send(w, portal, page)
			found, err := execute.Check(t.Context(), w.Execution(p))
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case row.want == "" && len(found.Moved) > 0:
				t.Errorf("moved: %+v", found.Moved)
			case row.want != "" && (len(found.Moved) != 1 || !strings.Contains(found.Moved[0].Why, row.want)):
				t.Errorf("moved: %+v", found.Moved)
			}
		})
	}
}
