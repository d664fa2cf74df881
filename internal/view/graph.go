package view

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view/layered"
)

// mostNodes is up to how many changes a page draws each by itself.
const mostNodes = 120

// graph draws what comes after what, and says what is drawn: each change, or each
// type where there are too many. Without an edge there is nothing to see.
func (h *htmlPlan) graph() (drawing, note string) {
	var g layered.Graph
	if len(h.shown) <= mostNodes {
		g = connected(h.byChange())
		note = "what runs first stands left; click a change to show it"
		if n := len(h.shown) - len(g.Nodes); n > 0 {
			note += "; " + fmt.Sprint(n) + " without dependencies not drawn"
		}
	} else {
		g = h.byType()
		note = fmt.Sprintf("by type, because there are %s; click a type to filter", count(len(h.shown), "change"))
	}
	if len(g.Edges) == 0 {
		return "", ""
	}
	return layered.SVG(g, "Dependencies of the changes", ""), note
}

func (h *htmlPlan) byChange() layered.Graph {
	var g layered.Graph
	place := map[string]int{}
	for i, c := range h.shown {
		place[h.anchors[c.ID]] = i
		a := actOf(c, h.replaced)
		g.Nodes = append(g.Nodes, layered.Node{
			Class: string(a), Above: string(a) + " " + kindName(c.ResourceType), Name: printable(c.ResourceRef), Title: string(a) + " " + subject(c), Link: "#" + h.anchors[c.ID],
		})
	}
	for i, c := range h.shown {
		for _, id := range h.allNeeds(c) {
			if from, ok := place[h.anchors[id]]; ok && from != i {
				g.Edges = append(g.Edges, [2]int{from, i})
			}
		}
	}
	return g
}

// connected is a graph without the nodes that no edge leads from or to.
func connected(g layered.Graph) layered.Graph {
	var out layered.Graph
	place := make([]int, len(g.Nodes))
	used := make([]bool, len(g.Nodes))
	for _, e := range g.Edges {
		used[e[0]], used[e[1]] = true, true
	}
	for i, n := range g.Nodes {
		if used[i] {
			place[i] = len(out.Nodes)
			out.Nodes = append(out.Nodes, n)
		}
	}
	for _, e := range g.Edges {
		out.Edges = append(out.Edges, [2]int{place[e[0]], place[e[1]]})
	}
	return out
}

// allNeeds are what both halves of a change come after.
func (h *htmlPlan) allNeeds(c *plan.Change) []string {
	out := needs(c)
	if other := h.replaced[c.ID]; other != nil {
		out = append(out, needs(other)...)
	}
	return out
}

// byType has a node for each type and action; edges lead where those of changes do.
func (h *htmlPlan) byType() layered.Graph {
	counts := map[string]int{}
	kindOf := map[string]string{}
	for _, c := range h.shown {
		counts[c.ResourceType]++
		kindOf[h.anchors[c.ID]] = c.ResourceType
	}
	kinds := slices.Sorted(maps.Keys(counts))
	var g layered.Graph
	for i, kind := range kinds {
		g.Nodes = append(g.Nodes, layered.Node{Above: count(counts[kind], "change"), Name: kindName(kind), Title: kindName(kind), Link: fmt.Sprintf("#type-%d", i)})
	}
	seen := map[[2]int]bool{}
	for _, c := range h.shown {
		to := slices.Index(kinds, c.ResourceType)
		for _, id := range h.allNeeds(c) {
			from := slices.Index(kinds, kindOf[h.anchors[id]])
			if e := [2]int{from, to}; from >= 0 && from != to && !seen[e] {
				seen[e] = true
				g.Edges = append(g.Edges, e)
			}
		}
	}
	return g
}

// kindName is a type in a drawing.
func kindName(kind string) string {
	if tool := plan.Tool(kind); tool != "" {
		return tool
	}
	return printable(kind)
}
