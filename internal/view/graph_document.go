package view

import (
	"fmt"
	"io"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	model "github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/view/layered"
)

// Graph is what depends on what. What comes first leads to what comes after it.
type Graph struct{ drawn layered.Graph }

// ConfigurationGraph is the graph of declared resources: a child comes after its
// parent, and what refers to something after that.
func ConfigurationGraph(set *model.Set, links *model.Links) Graph {
	var g layered.Graph
	place := map[*model.Resource]int{}
	for i, r := range set.Resources {
		place[r] = i
		class := ""
		if r.External != nil {
			class = "external"
		}
		g.Nodes = append(g.Nodes, layered.Node{Class: class, Above: kindName(r.Type.Kind), Name: printable(model.ShownRef(r.Ref, r.Name)), Title: resource(r.Type.Kind, model.ShownRef(r.Ref, r.Name))})
	}
	for i, r := range set.Resources {
		add := func(before *model.Resource) {
			if from, ok := place[before]; ok && before != nil && from != i {
				g.Edges = append(g.Edges, [2]int{from, i})
			}
		}
		add(r.Parent)
		add(r.Above)
		for _, e := range links.From(r) {
			add(e.Target)
		}
		for _, before := range links.After(r) {
			add(before)
		}
	}
	return Graph{once(g)}
}

// PlanGraph is the graph of the changes of a plan.
func PlanGraph(p *plan.Plan) Graph {
	replaced := replacements(p)
	h := htmlPlan{planView: newPlanView(p, Style{}), replaced: replaced, anchors: map[string]string{}}
	for _, g := range grouped(p, replaced) {
		for _, n := range g.nodes {
			h.name(n)
		}
	}
	g := h.byChange()
	for i := range g.Nodes {
		g.Nodes[i].Link = ""
	}
	return Graph{once(g)}
}

// once is a graph with each edge once.
func once(g layered.Graph) layered.Graph {
	seen := map[[2]int]bool{}
	edges := g.Edges[:0]
	for _, e := range g.Edges {
		if !seen[e] {
			seen[e] = true
			edges = append(edges, e)
		}
	}
	g.Edges = edges
	return g
}

// WriteDOT writes the graph in the language of Graphviz.
func (g Graph) WriteDOT(w io.Writer) error {
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	colors := map[string]string{string(actCreate): "#1a7f37", string(actUpdate): "#9a6700", string(actReplace): "#bc4c00", string(actDelete): "#cf222e", string(actRun): "#8250df"}
	var b strings.Builder
	b.WriteString("digraph kongctl {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"sans-serif\", fontsize=11];\n")
	for i, n := range g.drawn.Nodes {
		fmt.Fprintf(&b, `  n%d [label="%s\n%s"`, i, quoted.Replace(n.Above), quoted.Replace(n.Name))
		if c := colors[n.Class]; c != "" {
			fmt.Fprintf(&b, `, color="%s"`, c)
		}
		if n.Class == "external" {
			b.WriteString(`, style="rounded,dashed"`)
		}
		b.WriteString("];\n")
	}
	for _, e := range g.drawn.Edges {
		fmt.Fprintf(&b, "  n%d -> n%d;\n", e[0], e[1])
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteMermaid writes the graph in the language of Mermaid, which Markdown on many
// hosts draws.
func (g Graph) WriteMermaid(w io.Writer) error {
	quoted := strings.NewReplacer("#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "`", "#96;", "%", "#37;")
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	used := map[string]bool{}
	for i, n := range g.drawn.Nodes {
		fmt.Fprintf(&b, `  n%d["%s<br>%s"]`, i, quoted.Replace(n.Above), quoted.Replace(n.Name))
		if n.Class != "" {
			used[n.Class] = true
			b.WriteString(":::" + n.Class)
		}
		b.WriteString("\n")
	}
	for _, e := range g.drawn.Edges {
		fmt.Fprintf(&b, "  n%d --> n%d\n", e[0], e[1])
	}
	for _, c := range []struct{ class, style string }{
		{string(actCreate), "stroke:#1a7f37"},
		{string(actUpdate), "stroke:#9a6700"},
		{string(actReplace), "stroke:#bc4c00"},
		{string(actDelete), "stroke:#cf222e"},
		{string(actRun), "stroke:#8250df"},
		{"external", "stroke-dasharray:4 3"},
	} {
		if used[c.class] {
			b.WriteString("  classDef " + c.class + " " + c.style + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteSVG draws the graph.
func (g Graph) WriteSVG(w io.Writer) error {
	_, err := io.WriteString(w, layered.SVG(g.drawn, "Dependencies", layered.Standalone))
	return err
}
