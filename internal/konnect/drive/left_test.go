package drive_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// Of a change that is done in part, what is left is what differs on the object, with
// what it is now.
func TestLeftOfAChange(t *testing.T) {
	const before = "portals: [{name: dev, description: A, display_name: Dev, default_page_visibility: public, labels: {a: b, c: d}}]"
	const after = "portals: [{name: dev, display_name: Acme, default_page_visibility: private, labels: {a: x}}]"
	for name, row := range map[string]struct {
		done string
		want []plan.FieldChange
	}{
		"nothing is done": {"{}", []plan.FieldChange{
			{Field: "default_page_visibility", CurrentValue: "public", DesiredValue: "private"},
			{Field: "description", CurrentValue: "A"},
			{Field: "display_name", CurrentValue: "Dev", DesiredValue: "Acme"},
			{Field: "labels.a", CurrentValue: "b", DesiredValue: "x"},
			{Field: "labels.c", CurrentValue: "d"},
		}},
		"some of it is done": {`{"description": null, "default_page_visibility": "private", "labels": {"a": "x"}}`, []plan.FieldChange{
			{Field: "display_name", CurrentValue: "Dev", DesiredValue: "Acme"},
			{Field: "labels.c", CurrentValue: "d"},
		}},
		"Konnect has made something else of it": {`{"description": null, "display_name": "ACME", "labels": {"a": "x", "c": null}}`, []plan.FieldChange{
			{Field: "default_page_visibility", CurrentValue: "public", DesiredValue: "private"},
			{Field: "display_name", CurrentValue: "ACME", DesiredValue: "Acme"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(before)
			p := w.Plan(testkit.Ask{}, after)
			id, _ := w.Named("portal", "dev")["id"].(string)
			w.Send("PATCH", "/v3/portals/"+id, row.done)
			found, err := execute.Check(t.Context(), w.Execution(p))
			if err != nil {
				t.Fatal(err)
			}
			testkit.Equal(t, "left", found.Left[p.Changes[0].ID], row.want)
		})
	}
}
