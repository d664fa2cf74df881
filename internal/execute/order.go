package execute

import (
	"fmt"
	"strings"

	"kongctl/internal/graph"
	"kongctl/internal/plan"
)

// order is what waits for what. A plan may come from anywhere, so it refuses
// one that cannot be carried out to the end.
func order(p *plan.Plan) (*graph.Graph[string], error) {
	var g graph.Graph[string]
	for _, c := range p.Changes {
		g.Add(c.ID)
		for _, before := range c.DependsOn {
			g.Need(c.ID, before)
		}
	}
	if len(g.Nodes()) != len(p.Changes) {
		return nil, fmt.Errorf("the plan has %d changes with %d ids", len(p.Changes), len(g.Nodes()))
	}
	if cycle := g.Cycle(); cycle != nil {
		return nil, fmt.Errorf("changes of the plan wait for each other: %s", strings.Join(cycle, " → "))
	}
	return &g, nil
}
