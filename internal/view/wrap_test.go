package view_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/terminal"
	"github.com/kongctl/kongctl/internal/view"
)

// No line of a plan is wider than the terminal, whatever that is.
func TestPlanWidth(t *testing.T) {
	for name, p := range map[string]*plan.Plan{"mixed": mixedPlan(), "texts": textPlan(), "guarded": guardedPlan(), "replace": replacePlan()} {
		for _, width := range []int{30, 60, 80, 200} {
			var b strings.Builder
			if err := view.WritePlan(&b, p, view.PlanOptions{Style: view.Style{Color: true, Width: width, Diff: three}}); err != nil {
				t.Fatal(err)
			}
			for _, line := range strings.Split(b.String(), "\n") {
				if terminal.Columns(line) > width {
					t.Errorf("%s at %d: %q", name, width, line)
				}
			}
		}
	}
}
