package plan_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
)

// Kinds get their present names wherever a plan holds them, and change ids stay.
func TestRename(t *testing.T) {
	p := &plan.Plan{
		Metadata: plan.Metadata{
			SyncScope:         plan.Scope{ResourceTypes: []string{"was", "api"}},
			ReferenceMappings: map[string]string{"was:a": "1", "b": "2", "api:was": "3"},
			Externals:         []plan.External{{Type: "was"}},
		},
		Summary: plan.Summary{ByResource: map[string]int{"was": 2}},
		Changes: []*plan.Change{{
			ID: "1:d:kept:a", ResourceType: "was", Parent: &plan.ParentRef{Type: "was"},
			References: map[string]plan.Reference{"x": {Type: "was"}},
			Expect:     &plan.Expect{Along: map[string]string{"was/1/2": "f"}},
			TakesAlong: map[string]int{"was": 1},
			Cascades:   []plan.Cascaded{{Type: "was", Parent: &plan.CascadedParent{Type: "was"}, Above: []plan.CascadedParent{{Type: "was"}}}},
			Kept:       []plan.Kept{{Type: "was"}},
			Detaches:   []plan.Detached{{Type: "was"}},
			GatewayChanges: []plan.Part{{
				Kind: "k", Removes: &plan.Removal{Type: "was", Users: map[string]string{"was/3": "f"}, Unread: []string{"was"}},
			}},
		}},
		Pending:  []plan.Pending{{ResourceType: "was"}},
		Blocked:  []plan.Blocked{{ResourceType: "was"}},
		Errors:   []plan.Problem{{ResourceType: "was"}},
		Warnings: []plan.Warning{{ResourceType: "was"}, {}},
	}
	p.Rename(func(kind string) string {
		if kind == "was" {
			return "is"
		}
		return kind
	})
	raw, err := p.Write()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(raw), `"api:was"`, "")
	if strings.Contains(text, "was") {
		t.Errorf("a kind has its old name:\n%s", text)
	}
	for _, want := range []string{`"is:a"`, `"api:was"`, `"is/1/2"`, `"is/3"`, `"1:d:kept:a"`, `"resource_type": "is"`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("%s is missing:\n%s", want, raw)
		}
	}
}
