package view

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
	"github.com/kongctl/kongctl/internal/view/page"
)

// WritePlanHTML renders a plan as one HTML file that needs nothing else.
func WritePlanHTML(w io.Writer, p *plan.Plan, o PlanOptions) error {
	replaced := replacements(p)
	v := newPlanView(p, o.Style)
	h := htmlPlan{planView: v, replaced: replaced, anchors: map[string]string{}}
	out := page.Page{Title: "kongctl plan", Headline: strings.TrimPrefix(headline(v.closing(o, len(replaced))), "Plan: "), Facts: h.facts(o)}
	for _, n := range noteList(p) {
		level := map[color]string{red: "red", yellow: "yellow"}[n.color]
		out.Notes = append(out.Notes, page.Note{Title: n.title, Level: level, Items: n.items})
	}
	groups := grouped(p, replaced)
	for _, g := range groups {
		for _, n := range g.nodes {
			h.name(n)
		}
	}
	for _, g := range groups {
		out.Groups = append(out.Groups, h.group(g))
	}
	h.count(&out)
	out.Graph, out.GraphNote = h.graph()
	return page.Write(w, out)
}

// fewChanges is up to how many changes a page shows them open.
const fewChanges = 12

type htmlPlan struct {
	*planView
	replaced map[string]*plan.Change
	anchors  map[string]string // by the id of a change
	shown    []*plan.Change    // in the order of the page
}

// facts are where and when.
func (h *htmlPlan) facts(o PlanOptions) []page.Fact {
	m := h.plan.Metadata
	var out []page.Fact
	add := func(name, text string) {
		if text != "" {
			out = append(out, page.Fact{Name: name, Text: text})
		}
	}
	for _, part := range o.place(h.plan).parts() {
		add("Target", part)
	}
	add("Scope", strings.TrimPrefix(scope(h.plan), "Scope: "))
	add("Also managed", elsewhere(m.SyncScope.OtherNamespaces))
	add("Not pruned", notPruned(m.SyncScope))
	add("Created", printable(strings.TrimSpace(m.GeneratedAt+" "+m.GeneratedBy)))
	add("Configuration", printable(m.ConfigHash))
	return out
}

// name gives a change and those below it their names in links.
func (h *htmlPlan) name(n *node) {
	c := n.change
	anchor := fmt.Sprintf("change-%d", len(h.shown)+1)
	h.anchors[c.ID] = anchor
	if other := h.replaced[c.ID]; other != nil {
		h.anchors[other.ID] = anchor
	}
	h.shown = append(h.shown, c)
	for _, child := range n.children {
		h.name(child)
	}
}

// count fills in what the filters offer.
func (h *htmlPlan) count(out *page.Page) {
	actions, types, namespaces := map[act]int{}, map[string]int{}, map[string]int{}
	for _, c := range h.shown {
		actions[actOf(c, h.replaced)]++
		types[c.ResourceType]++
		if c.Space() != "" {
			namespaces[c.Space()]++
		}
	}
	out.Total = len(h.shown)
	for _, a := range []act{actCreate, actUpdate, actReplace, actDelete, actRun} {
		if actions[a] > 0 {
			out.Actions = append(out.Actions, page.Choice{Value: string(a), Text: "to " + string(a), Count: actions[a]})
		}
	}
	choices := func(counts map[string]int) []page.Choice {
		var list []page.Choice
		for _, k := range slices.Sorted(maps.Keys(counts)) {
			text := printable(k)
			if tool := plan.Tool(k); tool != "" {
				text = tool
			}
			list = append(list, page.Choice{Value: k, Text: text, Count: counts[k]})
		}
		return list
	}
	out.Types, out.Namespaces = choices(types), choices(namespaces)
}

func (h *htmlPlan) group(g *group) page.Group {
	var out page.Group
	if g.root != nil { // else its first change names it
		out.Name = h.parentName(g.root)
	}
	for _, n := range g.nodes {
		h.changes(n, g.first(n), &out.Changes)
	}
	if n := len(out.Changes); n > 1 {
		out.Summary = count(n, "change")
	}
	return out
}

// pageSigns are what stands before a change on a page.
var pageSigns = map[act]string{actCreate: "+", actUpdate: "~", actReplace: "-/+", actDelete: "-", actRun: ">"}

func (h *htmlPlan) changes(n *node, at place, out *[]page.Change) {
	c := n.change
	a := actOf(c, h.replaced)
	name, details := h.headline(c, at, h.replaced)
	x := page.Change{
		Anchor: h.anchors[c.ID], Action: string(a), Sign: pageSigns[a], Type: c.ResourceType, Name: name,
		Details: strings.TrimSpace(details), Namespace: c.Space(), Source: sourceName(c), Depth: min(at.depth, 4), Open: len(h.shown) <= fewChanges,
	}
	lines := h.style.Diff.actLines(c, h.replaced)
	if c.Unchecked != "" {
		lines = append(lines, line{text: "not checked beforehand: " + printable(c.Unchecked)})
	}
	switch a {
	case actCreate:
		x.Lines = lineTexts(lines)
	case actDelete:
		x.Lines = append(lineTexts(lines), h.lost(c)...)
		x.Open = x.Open || len(lines) > 0 // what goes with it is seen at once
	default:
		x.Rows = pageRows(lines)
	}
	for _, id := range needs(c) {
		if anchor := h.anchors[id]; anchor != "" && anchor != x.Anchor {
			link := page.Link{Anchor: anchor, Text: Described(h.plan.Change(id))}
			if !slices.Contains(x.Needs, link) {
				x.Needs = append(x.Needs, link)
			}
		}
	}
	*out = append(*out, x)
	for _, child := range n.children {
		h.changes(child, at.below(c), out)
	}
}

// needs are the changes that a change comes after.
func needs(c *plan.Change) []string {
	out := slices.Clone(c.DependsOn)
	if c.Parent != nil && c.Parent.Change != "" {
		out = append(out, c.Parent.Change)
	}
	for _, path := range slices.Sorted(maps.Keys(c.References)) {
		if id := c.References[path].Change; id != "" {
			out = append(out, id)
		}
	}
	return out
}

// lost is what a delete takes away, as it was read; fields without a value are left out.
func (h *htmlPlan) lost(c *plan.Change) []string {
	state, _ := value.Clone(c.CurrentState).(map[string]any)
	hideLabels(state)
	maps.DeleteFunc(state, func(_ string, v any) bool {
		list, isList := v.([]any)
		object, isObject := v.(map[string]any)
		return v == nil || v == "" || isList && len(list) == 0 || isObject && len(object) == 0
	})
	return h.style.Diff.entries(state)
}

// sourceName is where a resource is declared.
func sourceName(c *plan.Change) string {
	if c.Source == nil || c.Source.File == "" {
		return ""
	}
	return printable(value.Pos{File: c.Source.File, Line: c.Source.Line}.String())
}

func lineTexts(lines []line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.text
	}
	return out
}

// pageRows puts lines side by side: what goes left, what comes right.
func pageRows(lines []line) []page.Row {
	var out []page.Row
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		text := strings.TrimLeft(l.text, " ")
		switch l.kind {
		case lineArrow:
			out = append(out, page.Row{Kind: "pair", Name: l.arrow.name, Old: l.arrow.before, New: l.arrow.after, NoOld: l.arrow.before == nothing, NoNew: l.arrow.after == nothing})
		case lineHunk:
			out = append(out, page.Row{Kind: "hunk", Name: text})
		case lineKept:
			kept := unindented(l.text)
			out = append(out, page.Row{Kind: "same", Old: kept, New: kept})
		case lineGone, lineCome:
			var gone, come []string
			for ; i < len(lines) && lines[i].kind == lineGone; i++ {
				gone = append(gone, unsigned(lines[i].text))
			}
			for ; i < len(lines) && lines[i].kind == lineCome; i++ {
				come = append(come, unsigned(lines[i].text))
			}
			i--
			for k := range max(len(gone), len(come)) {
				row := page.Row{Kind: "line", NoOld: k >= len(gone), NoNew: k >= len(come)}
				if !row.NoOld {
					row.Old = gone[k]
				}
				if !row.NoNew {
					row.New = come[k]
				}
				out = append(out, row)
			}
		default:
			out = append(out, page.Row{Kind: "head", Name: l.text})
		}
	}
	return out
}

// unsigned is a line without its sign and what stands before that.
func unsigned(text string) string {
	text = strings.TrimLeft(text, " ")
	return text[min(2, len(text)):]
}

// unindented is a kept line without the place of a sign and what stands before
// that: it is two levels deep.
func unindented(text string) string { return text[min(4, len(text)-len(strings.TrimLeft(text, " "))):] }
