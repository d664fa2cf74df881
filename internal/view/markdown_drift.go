package view

import (
	"io"

	"github.com/kongctl/kongctl/internal/plan"
)

// driftGroup is what differs in the same way.
type driftGroup struct {
	title string
	color color
	list  []plan.Difference
}

// driftGroups are the groups of drift that have something in them.
func driftGroups(d *plan.Drift, where string) []driftGroup {
	var out []driftGroup
	for _, g := range []driftGroup{
		{"Only in " + where, red, d.RemoteOnly},
		{"Changed in " + where + " (declared -> is)", yellow, d.ChangedRemotely},
		{"Configuration ahead (declared -> is)", green, d.ConfigurationAhead},
		{"Unclear which side changed (declared -> is)", yellow, d.Unclear},
	} {
		if len(g.list) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// WriteDriftMarkdown renders drift for a pull request: the counts and where, then
// a part for each resource.
func WriteDriftMarkdown(w io.Writer, d *plan.Drift, o DriftOptions) error {
	o.Style.Diff = o.Style.Diff.namingDrift(d)
	doc := mdDocument{whole: "All of it: `kongctl drift` in a terminal."}
	doc.head = "### " + headline(driftClosing(d, o)) + "\n\n" + mdPlace(PlaceOf(o.Metadata), driftScope(d))
	for _, n := range noteList(&plan.Plan{Pending: d.Pending, Errors: d.Errors, Warnings: d.Warnings}) {
		if n.title == notPlanned {
			n.title = "Not compared"
		}
		doc.parts = append(doc.parts, mdNote(n))
	}
	for _, g := range driftGroups(d, o.where()) {
		for i, x := range g.list {
			head := ""
			if i == 0 {
				head = "**" + g.title + "**\n\n"
			}
			name := resource(x.ResourceType, x.ResourceRef)
			sign := "! "
			if x.State == plan.Undeclared {
				sign = "+ "
			}
			if x.State == plan.Missing {
				sign = "- "
			}
			lines := append([]string{sign + name + driftDetails(x, o.where()) + likely(x, o.where())}, mdLines(driftLines(x, o.Style.Diff), " ", 2)...)
			for _, part := range x.GatewayChanges {
				lines = append(lines, "!     "+plan.Tool(x.ResourceType)+" would "+verb(string(part.Action))+resource(part.Kind, part.Name))
			}
			summary := mdCode(name) + ": " + mdText(string(x.State))
			doc.parts = append(doc.parts, mdPart{
				forms: []string{head + mdDetails(summary, mdFence("diff", lines), false), head + "<p>" + summary + "</p>\n\n"}, things: 1, noun: "resource",
			})
		}
	}
	return doc.write(w, maxMarkdown)
}
