package view

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// toolOn says which tool works on what.
func (v *planView) toolOn(c *plan.Change) string {
	if c.Parent != nil {
		return plan.Tool(c.ResourceType) + " on " + resource(c.Parent.Type, c.ResourceRef)
	}
	return subject(c)
}

// externalLines are what another tool does, part by part, and the state that a
// plan brings with it, where the tool creates something of it: what is sent is
// shown. Files are there to be read.
func (d Diff) externalLines(c *plan.Change) []line {
	var lines []line
	for _, g := range c.GatewayChanges {
		lines = append(lines, d.partLines(g)...)
	}
	state := c.Fields["state"]
	creates := slices.ContainsFunc(c.GatewayChanges, func(g plan.Part) bool { return g.Action == plan.Create })
	if state == nil || !creates {
		return lines
	}
	sent := *c
	sent.Fields = map[string]any{"state": state}
	return append(lines, d.createLines(&sent)...)
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

// partLines are one part of what another tool does.
func (d Diff) partLines(g plan.Part) []line {
	head := line{text: "~ " + resource(g.Kind, g.Name), color: yellow}
	switch g.Action {
	case plan.Create, plan.ExternalTool:
		head = signed("+", resource(g.Kind, g.Name))[0]
	case plan.Update:
	case plan.Delete:
		head = signed("-", resource(g.Kind, g.Name))[0]
	}
	lines := []line{head}
	for _, field := range slices.Sorted(maps.Keys(g.ChangedFields)) {
		x := g.ChangedFields[field]
		if value.Equal(x.Old, x.New) { // what differs is hidden
			lines = append(lines, below(below([]line{arrowed(printable(field), side(x.Old), side(x.New))}))...)
		}
		lines = append(lines, below(below(d.field(value.ParsePath(field), x.Old, x.New)))...)
	}
	return lines
}

// pendingLine says what waits, and why.
func pendingLine(p plan.Pending) string {
	return fmt.Sprintf("\u23f8 %s - PENDING (%s)", resource(p.ResourceType, p.ResourceRef), printable(p.Reason))
}

// Described names a change for people: what it does, and to what.
func Described(c *plan.Change) string { return verb(string(c.Action)) + subject(c) }
