package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kongctl/internal/gateway"
	"kongctl/internal/plan"
	"kongctl/internal/value"
)

// deck shows what decK does: where, from which files, and each entity.
func (v *planView) deck(c *plan.Change) {
	on := subject(c)
	if c.Parent != nil {
		on = "decK on " + resource(c.Parent.Type, c.ResourceRef)
	}
	v.line("")
	v.line(v.style.paint(yellow, "  >") + " " + v.style.paint(bold, on) + v.deckDetails(c))
	for _, g := range c.GatewayChanges {
		v.entity(g)
	}
	v.inline(c)
}

// inline shows the state that a plan brings with it, where decK creates
// something of it: what is sent is shown. Files are there to be read.
func (v *planView) inline(c *plan.Change) {
	state := c.Fields["state"]
	creates := slices.ContainsFunc(c.GatewayChanges, func(g gateway.Change) bool { return g.Action == gateway.Create })
	if state == nil || !creates {
		return
	}
	sent := *c
	sent.Fields = map[string]any{"state": state}
	for _, line := range createLines(&sent) {
		v.line("      " + line)
	}
}

func (v *planView) deckDetails(c *plan.Change) string {
	w, err := c.DeckWork()
	if err != nil {
		return ""
	}
	parts := []string{string(w.Mode)}
	if c.ResourceName != c.ResourceRef {
		parts = append(parts, "name "+c.ResourceName)
	}
	if c.External() && c.Parent.Change == "" {
		parts = append(parts, "external, id "+c.Parent.ID)
	}
	if len(w.Files) > 0 {
		parts = append(parts, strings.Join(w.Files, ", "))
	}
	if len(w.SelectTags) > 0 {
		parts = append(parts, "select tags "+strings.Join(w.SelectTags, ", "))
	}
	return " (" + printable(strings.Join(parts, ", ")) + ")"
}

func (v *planView) entity(g gateway.Change) {
	sign, paint := "+", green
	switch g.Action {
	case gateway.Create:
	case gateway.Update:
		sign, paint = "~", yellow
	case gateway.Remove:
		sign, paint = "-", red
	}
	v.line("      " + v.style.paint(paint, sign) + " " + resource(g.Kind, g.Name))
	for _, field := range slices.Sorted(maps.Keys(g.ChangedFields)) {
		x := g.ChangedFields[field]
		if value.Equal(x.Old, x.New) { // what differs is hidden
			v.line("          " + printable(field) + ": " + side(x.Old) + " -> " + side(x.New))
		}
		for _, line := range difference(value.ParsePath(field), x.Old, x.New) {
			v.line("          " + v.changed(line))
		}
	}
}

// pendingLine says what waits, and why.
func pendingLine(p plan.Pending) string {
	return fmt.Sprintf("\u23f8 %s - PENDING (%s)", resource(p.ResourceType, p.ResourceRef), printable(p.Reason))
}

// Described names a change for people: what it does, and to what.
func Described(c *plan.Change) string { return verb(string(c.Action)) + subject(c) }
