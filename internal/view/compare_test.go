package view_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan/derive"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

func TestComparison(t *testing.T) {
	old, now := mixedPlan(), mixedPlan()
	now.Metadata.Mode, now.Metadata.ConfigHash = plan.ModeApply, "sha256:x"
	now.Metadata.SyncScope.Namespaces = []string{"default"}
	now.Changes[0].Fields["description"] = nil
	delete(now.Changes[0].Fields, "name")
	now.Changes[4].Action = plan.Update
	now.Changes = append(now.Changes[:7:7], create("api", "new\x1b[2J", nil))
	moved := updated("portal", "dev", nil)
	moved.CurrentState = fields{"description": "somebody's"}
	now.Changes[2] = moved
	for name, c := range map[string]*derive.Comparison{
		"comparison":           derive.Compare(old, now),
		"comparison-identical": derive.Compare(old, mixedPlan()),
	} {
		var b strings.Builder
		if err := view.WriteComparison(&b, c, view.ComparisonOptions{A: "old.json", B: "new.json"}); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
	}
}

func TestComparisonThatCannotBeWritten(t *testing.T) {
	if err := view.WriteComparison(brokenWriter{}, derive.Compare(mixedPlan(), mixedPlan()), view.ComparisonOptions{}); err == nil {
		t.Error("nobody is told")
	}
}
