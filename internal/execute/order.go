package execute

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/graph"
)

// order is what waits for what. A plan may come from anywhere, so it refuses
// one that cannot be carried out to the end.
func (b *book) order() (*graph.Graph[string], error) {
	var g graph.Graph[string]
	for _, c := range b.in.Plan.Changes {
		if isGate(c.ID) {
			return nil, fmt.Errorf("the plan has a change with the id %q", c.ID)
		}
		g.Add(c.ID)
		for _, before := range c.DependsOn {
			g.Need(c.ID, before)
		}
	}
	if len(g.Nodes()) != len(b.in.Plan.Changes) {
		return nil, fmt.Errorf("the plan has %d changes with %d ids", len(b.in.Plan.Changes), len(g.Nodes()))
	}
	for i, d := range b.drivers {
		b.awaits(&g, i, d)
		stages(&g, i, b.driven[d])
	}
	if cycle := g.Cycle(); cycle != nil {
		return nil, fmt.Errorf("changes of the plan wait for each other: %s", strings.Join(slices.DeleteFunc(cycle, isGate), " → "))
	}
	return &g, nil
}

// stages lets changes of one driver wait for the end of those of lower stages. A
// gate stands between two stages, so that not each change waits for each other.
func stages(g *graph.Graph[string], driver int, calls []*Call) {
	in := map[int][]*Call{}
	for _, c := range calls {
		in[c.Change.Stage] = append(in[c.Change.Stage], c)
	}
	last := ""
	for i, stage := range slices.Sorted(maps.Keys(in)) {
		for _, c := range in[stage] {
			if last != "" {
				g.After(c.Change.ID, last)
			}
		}
		if i == len(in)-1 {
			return
		}
		gate := fmt.Sprintf("%s%d.%d", gatePrefix, driver, stage)
		if last != "" {
			g.After(gate, last)
		}
		for _, c := range in[stage] {
			g.After(gate, c.Change.ID)
		}
		last = gate
	}
}

// gatePrefix begins what no change is called.
const gatePrefix = "\x00"

// isGate reports whether a node is no change: it stands between two stages, or is
// something else to wait for.
func isGate(id string) bool { return strings.HasPrefix(id, gatePrefix) }
