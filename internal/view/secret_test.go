package view_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/view"
)

// An update of what exists that writes secrets and changes nothing else shows these,
// though it sends the whole resource.
func TestSecretsAloneShown(t *testing.T) {
	fields := map[string]any{"name": "b", "authentication": map[string]any{"type": "plain", "username": "u"}}
	for what, all := range map[string]bool{"fields": false, "the whole resource": true} {
		c := &plan.Change{
			ID: "1:u:cluster:b", Action: plan.Update, ResourceType: "cluster", ResourceRef: "b", ResourceName: "b",
			Fields: fields, CurrentState: fields, ChangedFields: map[string]plan.OldNew{}, SendsAll: all,
			SecretWrites: []plan.Expression{{Field: "authentication.password"}},
		}
		b := &testkit.Buffer{}
		if err := view.WritePlan(b, &plan.Plan{Changes: []*plan.Change{c}}, view.PlanOptions{}); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); !strings.Contains(got, "\n      authentication.password: (secret)\n") || strings.Contains(got, "username") || strings.Contains(got, "name:") {
			t.Errorf("it sends %s:\n%s", what, got)
		}
	}
}
