package view

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
)

// WritePlanMarkdown renders a plan for a pull request: the counts and where it
// runs, what is refused, then a part for each root resource; those that delete
// something come first and are open.
func WritePlanMarkdown(w io.Writer, p *plan.Plan, o PlanOptions) error {
	v := newPlanView(p, o.Style)
	replaced := replacements(p)
	doc := mdDocument{whole: "The whole plan: `kongctl diff --plan FILE`, or `-o html`."}
	doc.head = "### " + headline(v.closing(o, len(replaced))) + "\n\n" + mdPlace(o.place(p), strings.TrimPrefix(scope(p), "Scope: "), elsewhere(p.Metadata.SyncScope.OtherNamespaces), notPruned(p.Metadata.SyncScope)) + mdTable(p, replaced)
	for _, n := range noteList(p) {
		doc.parts = append(doc.parts, mdNote(n))
	}
	var calm []mdPart
	for _, g := range grouped(p, replaced) {
		part, loses := v.mdGroup(g, replaced)
		if loses {
			doc.parts = append(doc.parts, part)
		} else {
			calm = append(calm, part)
		}
	}
	doc.parts = append(doc.parts, calm...)
	return doc.write(w, maxMarkdown)
}

// mdPlace says where a plan runs and what it looks at, then further sentences.
func mdPlace(at Place, scope string, further ...string) string {
	var b strings.Builder
	for _, part := range at.parts() {
		fmt.Fprintf(&b, "Target: %s  \n", mdSpan(part))
	}
	if scope != "" {
		fmt.Fprintf(&b, "Scope: %s\n", mdSpan(scope))
	}
	for _, text := range further {
		if text != "" {
			fmt.Fprintf(&b, "\n%s\n", mdText(text))
		}
	}
	return b.String() + "\n"
}

// mdTable counts the changes of a plan by type and what they do.
func mdTable(p *plan.Plan, replaced map[string]*plan.Change) string {
	all := []act{actCreate, actUpdate, actReplace, actDelete, actRun}
	by, total := map[string]map[act]int{}, map[act]int{}
	for _, c := range p.Changes {
		a := actOf(c, replaced)
		if a == actReplace && c.Action == plan.Delete {
			continue // its other half is counted
		}
		if by[c.ResourceType] == nil {
			by[c.ResourceType] = map[act]int{}
		}
		by[c.ResourceType][a]++
		total[a]++
	}
	if len(by) == 0 {
		return ""
	}
	used := slices.DeleteFunc(all, func(a act) bool { return total[a] == 0 })
	var b strings.Builder
	row := func(first string, n map[act]int) {
		b.WriteString("| " + first + " |")
		for _, a := range used {
			switch {
			case n[a] == 0:
				b.WriteString(" |")
			case a.deletes():
				fmt.Fprintf(&b, " **%d** |", n[a])
			default:
				fmt.Fprintf(&b, " %d |", n[a])
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("| Type |")
	for _, a := range used {
		fmt.Fprintf(&b, " %s |", a)
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(used)) + "\n")
	const most = 80
	kinds := slices.Sorted(maps.Keys(by))
	rest := map[act]int{}
	for i, kind := range kinds {
		if i < most {
			name := kind
			if tool := plan.Tool(kind); tool != "" {
				name = tool
			}
			row(mdCell(name), by[kind])
			continue
		}
		for a, n := range by[kind] {
			rest[a] += n
		}
	}
	if len(kinds) > most {
		row(fmt.Sprintf("%d other types", len(kinds)-most), rest)
	}
	if len(kinds) > 1 {
		row("**Total**", total)
	}
	return b.String() + "\n"
}

// mdShown is a change as a pull request shows it.
type mdShown struct {
	act  act
	head string
	body []string
}

// mdSigns are the signs that a diff has a colour for.
var mdSigns = map[act]string{actCreate: "+", actUpdate: "!", actReplace: "!", actDelete: "-", actRun: "!"}

// mdGroup is the part of a root resource; loses reports that something is deleted.
func (v *planView) mdGroup(g *group, replaced map[string]*plan.Change) (part mdPart, loses bool) {
	var shown []mdShown
	for _, n := range g.nodes {
		v.mdNode(n, g.first(n), replaced, &shown)
	}
	by := map[act]int{}
	for _, s := range shown {
		by[s.act]++
		loses = loses || s.act.deletes() || s.act == actRun && slices.ContainsFunc(s.body, func(l string) bool { return strings.HasPrefix(l, "- ") })
	}
	name := ""
	if g.root != nil {
		name = v.parentName(g.root)
	} else {
		name, _ = v.headline(g.nodes[0].change, place{}, replaced)
	}
	var counts []string
	for _, a := range []act{actDelete, actReplace, actCreate, actUpdate, actRun} {
		if by[a] > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", by[a], a))
		}
	}
	summary := mdCode(name) + ": " + mdText(strings.Join(counts, ", "))
	var full, heads []string
	for _, s := range shown {
		full = append(append(full, s.head), s.body...)
		heads = append(heads, s.head)
	}
	forms := []string{mdDetails(summary, mdFence("diff", full), loses)}
	const few = 20
	if len(full) > len(heads) {
		forms = append(forms, mdDetails(summary+" (without fields)", mdFence("diff", heads), loses))
	}
	if len(heads) > few {
		less := append(heads[:few:few], "  … "+count(len(heads)-few, "more change"))
		forms = append(forms, mdDetails(summary, mdFence("diff", less), loses))
	}
	forms = append(forms, "<p>"+summary+"</p>\n\n")
	return mdPart{forms: forms, things: len(shown), noun: "change"}, loses
}

func (v *planView) mdNode(n *node, at place, replaced map[string]*plan.Change, out *[]mdShown) {
	c := n.change
	s := mdShown{act: actOf(c, replaced)}
	sign := mdSigns[s.act]
	name, details := v.headline(c, at, replaced)
	s.head = sign + " " + at.indent() + string(s.act) + " " + name + details
	whole := " "
	if s.act == actCreate {
		whole = "+"
	}
	s.body = mdLines(v.style.Diff.actLines(c, replaced), whole, at.depth+2)
	if c.Unchecked != "" {
		s.body = append(s.body, "! "+at.indent()+"    not checked beforehand: "+printable(c.Unchecked))
	}
	*out = append(*out, s)
	below := at.below(c)
	for _, child := range n.children {
		v.mdNode(child, below, replaced, out)
	}
}
