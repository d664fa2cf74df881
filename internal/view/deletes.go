package view

import (
	"fmt"
	"strings"

	"kongctl/internal/plan"
)

// deletes repeats what a plan deletes, with what is deleted with it.
func (v *planView) deletes(replaced map[string]*plan.Change) {
	var lines []string
	shown := 0
	for _, g := range grouped(v.plan, replaced) {
		for _, n := range g.nodes {
			v.deletedBelow(n, replaced, &lines, &shown)
		}
	}
	if shown < 2 {
		lines = nil // it is right above
	}
	if len(lines) > 0 {
		v.section(note{title: fmt.Sprintf("Deletes (%d)", len(lines)), color: red, items: lines})
	}
}

// deletedBelow adds what a change and those below it delete, and counts all that
// is shown of them.
func (v *planView) deletedBelow(n *node, replaced map[string]*plan.Change, lines *[]string, shown *int) {
	c := n.change
	*shown += 1 + len(c.GatewayChanges)
	gone := c
	if other := replaced[c.ID]; other != nil {
		gone = other
	}
	if gone.Action == plan.Delete {
		text := "- " + subject(gone) + v.details(gone, gone.Parent, place{})
		var with []string
		if gone != c {
			with = append(with, "replaced")
		}
		for _, l := range alongLines(gone) {
			with = append(with, l.text)
		}
		if len(with) > 0 {
			text += ": " + strings.Join(with, "; ")
		}
		*lines = append(*lines, text)
	}
	for _, g := range c.GatewayChanges {
		if g.Action == plan.Delete {
			*lines = append(*lines, "- "+resource(g.Kind, g.Name)+" ("+v.toolOn(c)+")")
		}
	}
	for _, child := range n.children {
		v.deletedBelow(child, replaced, lines, shown)
	}
}
