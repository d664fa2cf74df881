package view

import (
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
)

// deletes names what a plan deletes, with what is deleted with it; alone says that the
// changes are not shown.
func (v *planView) deletes(replaced map[string]*plan.Change, alone bool) {
	var list []deleted
	shown := 0
	for _, g := range grouped(v.plan, replaced) {
		for _, n := range g.nodes {
			v.deletedBelow(n, replaced, &list, &shown)
		}
	}
	var lines []string
	if shown > 1 || alone { // else it is right above
		lines = deletedLines(list)
	}
	if len(lines) > 0 {
		v.section(note{title: fmt.Sprintf("Deletes (%d)", len(lines)), color: red, items: lines})
	}
}

// deleted is a line of what is deleted.
type deleted struct {
	name, with string
	root       string // that it is below of, and does not say itself
}

// deletedLines names the root where lines would say the same.
func deletedLines(list []deleted) []string {
	same := map[string]int{}
	for _, d := range list {
		same[d.name]++
	}
	lines := make([]string, len(list))
	for i, d := range list {
		lines[i] = d.name
		if same[d.name] > 1 && d.root != "" {
			lines[i] += " below " + d.root
		}
		lines[i] += d.with
	}
	return lines
}

// deletedBelow adds what a change and those below it delete, and counts all that
// is shown of them.
func (v *planView) deletedBelow(n *node, replaced map[string]*plan.Change, lines *[]deleted, shown *int) {
	c := n.change
	*shown += 1 + len(c.GatewayChanges)
	gone := c
	if other := replaced[c.ID]; other != nil {
		gone = other
	}
	if gone.Action == plan.Delete {
		line := deleted{name: "- " + subject(gone) + v.details(gone, gone.Parent, place{}), root: v.rootName(gone.Parent)}
		var with []string
		if gone != c {
			with = append(with, "replaced")
		}
		for _, l := range alongLines(gone) {
			with = append(with, l.text)
		}
		if len(with) > 0 {
			line.with = ": " + strings.Join(with, "; ")
		}
		*lines = append(*lines, line)
	}
	for _, g := range c.GatewayChanges {
		if g.Action == plan.Delete {
			*lines = append(*lines, deleted{name: "- " + resource(g.Kind, g.Name) + " (" + v.toolOn(c) + ")"})
		}
	}
	for _, child := range n.children {
		v.deletedBelow(child, replaced, lines, shown)
	}
}

// rootName names the root above a parent, "" where the parent is one.
func (v *planView) rootName(p *plan.ParentRef) string {
	if p == nil || len(p.Ancestors) < 2 {
		return ""
	}
	id := p.Ancestors[0]
	if ref := v.refs[id]; ref != "" {
		return `"` + printable(mapped(ref)) + `"`
	}
	return printable(id)
}
