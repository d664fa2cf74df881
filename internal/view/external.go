package view

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kongctl/internal/plan"
	"kongctl/internal/value"
)

// toolOn says which tool works on what.
func (v *planView) toolOn(c *plan.Change) string {
	if c.Parent != nil {
		return plan.Tool(c.ResourceType) + " on " + resource(c.Parent.Type, c.ResourceRef)
	}
	return subject(c)
}

// external shows what another tool does: where, from which files, and each part.
func (v *planView) external(c *plan.Change, at place) {
	v.line("")
	v.line(at.indent() + v.style.paint(yellow, "  >") + " " + v.style.paint(bold, v.toolOn(c)) + externalDetails(c))
	for _, g := range c.GatewayChanges {
		v.part(g, at.indent())
	}
	v.inline(c, at.indent())
}

// inline shows the state that a plan brings with it, where the tool creates
// something of it: what is sent is shown. Files are there to be read.
func (v *planView) inline(c *plan.Change, indent string) {
	state := c.Fields["state"]
	creates := slices.ContainsFunc(c.GatewayChanges, func(g plan.Part) bool { return g.Action == plan.Create })
	if state == nil || !creates {
		return
	}
	sent := *c
	sent.Fields = map[string]any{"state": state}
	for _, line := range v.style.Diff.createLines(&sent) {
		v.line(indent + "      " + line.text)
	}
}

// externalDetails say how the tool works, and with what.
func externalDetails(c *plan.Change) string {
	var w struct {
		Mode       string   `json:"mode"`
		Files      []string `json:"files"`
		SelectTags []string `json:"select_tags"`
	}
	raw, err := json.Marshal(c.Fields)
	if err != nil || json.Unmarshal(raw, &w) != nil || w.Mode == "" {
		return ""
	}
	parts := []string{w.Mode}
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

func (v *planView) part(g plan.Part, indent string) {
	sign, paint := "+", green
	switch g.Action {
	case plan.Create, plan.ExternalTool:
	case plan.Update:
		sign, paint = "~", yellow
	case plan.Delete:
		sign, paint = "-", red
	}
	v.line(indent + "      " + v.style.paint(paint, sign) + " " + resource(g.Kind, g.Name))
	for _, field := range slices.Sorted(maps.Keys(g.ChangedFields)) {
		x := g.ChangedFields[field]
		if value.Equal(x.Old, x.New) { // what differs is hidden
			v.line(indent + "          " + printable(field) + ": " + side(x.Old) + " -> " + side(x.New))
		}
		for _, line := range v.style.Diff.field(value.ParsePath(field), x.Old, x.New) {
			v.line(indent + "          " + v.style.line(line))
		}
	}
}

// pendingLine says what waits, and why.
func pendingLine(p plan.Pending) string {
	return fmt.Sprintf("\u23f8 %s - PENDING (%s)", resource(p.ResourceType, p.ResourceRef), printable(p.Reason))
}

// Described names a change for people: what it does, and to what.
func Described(c *plan.Change) string { return verb(string(c.Action)) + subject(c) }
