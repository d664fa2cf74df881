package view_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/view"
)

// What is looked up has its name in views: among references, as what a change belongs to,
// and in the scope. Of an id the name is the same one in every view.
func TestLookupNames(t *testing.T) {
	const portal, api = "4fdbe94b-1117-4ab8-a509-19b7543cb4e2", "752cc8e3-4953-44ad-9342-a1ba0e083438"
	p := &plan.Plan{
		Metadata: plan.Metadata{
			Mode:              plan.ModeSync,
			SyncScope:         plan.Scope{Prune: "full", NotPruned: []string{"api:lookup:api:name=Flights", "portal:dev"}},
			ReferenceMappings: map[string]string{"a-portal": portal, "lookup:portal:labels.env=prod": portal, "lookup:api:name=Flights": api, "zz-portal": portal},
			Externals:         []plan.External{{Ref: "lookup:portal:labels.env=prod", Type: "portal", ID: portal, Name: "Production"}},
		},
		Changes: []*plan.Change{
			{
				ID: "1:c:api_publication:x", Action: plan.Create, ResourceType: "api_publication", ResourceRef: "x", ResourceName: "Production",
				Parent: &plan.ParentRef{Ref: "lookup:api:name=Flights", Type: "api", ID: api},
				References: map[string]plan.Reference{
					"portal_id": {Ref: "lookup:portal:labels.env=prod", Type: "portal", ID: portal, Lookup: plan.Named("Production")},
					"other_id":  {Ref: "lookup:portal:labels.env=prod", Type: "portal", ID: portal},
				},
			},
			{
				ID: "2:u:portal:y", Action: plan.Update, ResourceType: "portal", ResourceRef: "y", ResourceName: "y", ResourceID: "7047781c-3953-44ad-9342-a1ba0e083438",
				CurrentState: map[string]any{"of": portal}, Fields: map[string]any{"of": "nothing"},
				ChangedFields: map[string]plan.OldNew{"of": {Old: portal, New: "nothing"}},
			},
		},
	}
	for range 20 {
		b := &testkit.Buffer{}
		if err := view.WritePlan(b, p, view.PlanOptions{}); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"portal_id: id of Production (" + portal + ")", "other_id: id of labels.env=prod (" + portal + ")", `of external api "Flights"`,
			"(api:Flights, portal:dev)", "of: id of Production (" + portal + ") -> nothing",
		} {
			if !strings.Contains(b.String(), want) {
				t.Fatalf("not shown: %s\n%s", want, b)
			}
		}
		if strings.Contains(b.String(), "lookup:") {
			t.Fatal(b)
		}
	}
}
