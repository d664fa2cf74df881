package view_test

import (
	"io"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

func TestPlanGraph(t *testing.T) {
	p := mixedPlan()
	p.Changes[4].References["auth_strategy_ids[0]"] = plan.Reference{Ref: "api-key-auth", ID: "[unknown]", Change: p.Changes[0].ID}
	p.Changes[4].DependsOn = []string{p.Changes[0].ID}
	g := view.PlanGraph(p)
	for name, write := range map[string]func(io.Writer) error{"graph-dot": g.WriteDOT, "graph-mermaid": g.WriteMermaid, "graph-svg": g.WriteSVG} {
		var b strings.Builder
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
	}
}

// Names end no label, whatever they contain.
func TestGraphWithHostileNames(t *testing.T) {
	x := `"];` + "\nclick n0 href \"javascript:a\"\n<script>`\\\" #quot; %%{init}%%"
	g := view.PlanGraph(newPlan(plan.ModeSync, create("api", x, nil), deleted("portal", x)))
	for name, write := range map[string]func(io.Writer) error{"dot": g.WriteDOT, "mermaid": g.WriteMermaid} {
		var b strings.Builder
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			label := strings.Contains(line, "label=") || strings.Contains(line, `["`)
			if strings.Contains(line, "click") && !label {
				t.Errorf("%s: a name made a line: %s", name, line)
			}
			if name == "mermaid" && label && strings.Count(line, `"`) != 2 {
				t.Errorf("mermaid: the label ends early: %s", line)
			}
			if name == "mermaid" && strings.ContainsAny(strings.ReplaceAll(line, "<br>", ""), "<`%") {
				t.Errorf("mermaid: not escaped: %s", line)
			}
			if inner := strings.ReplaceAll(strings.ReplaceAll(line, `\\`, ""), `\"`, ""); name == "dot" && label && strings.Count(inner, `"`) != 4 {
				t.Errorf("dot: the label ends early: %s", line)
			}
		}
	}
}
