package execute

import (
	"fmt"
	"strings"

	"kongctl/internal/graph"
)

// order is what waits for what. A plan may come from anywhere, so it refuses
// one that cannot be carried out to the end.
func (b *book) order() (*graph.Graph[string], error) {
	var g graph.Graph[string]
	for _, c := range b.in.Plan.Changes {
		g.Add(c.ID)
		for _, before := range c.DependsOn {
			g.Need(c.ID, before)
		}
	}
	if len(g.Nodes()) != len(b.in.Plan.Changes) {
		return nil, fmt.Errorf("the plan has %d changes with %d ids", len(b.in.Plan.Changes), len(g.Nodes()))
	}
	for _, d := range b.drivers {
		stages(&g, b.driven[d])
	}
	if cycle := g.Cycle(); cycle != nil {
		return nil, fmt.Errorf("changes of the plan wait for each other: %s", strings.Join(cycle, " → "))
	}
	return &g, nil
}

// stages lets changes of one driver wait for the end of those of lower stages.
func stages(g *graph.Graph[string], calls []*Call) {
	for _, c := range calls {
		for _, before := range calls {
			if before.Change.Stage < c.Change.Stage {
				g.After(c.Change.ID, before.Change.ID)
			}
		}
	}
}
