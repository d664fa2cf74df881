package view

import (
	"fmt"
	"io"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	model "github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// DriftOptions say how drift is shown.
type DriftOptions struct {
	Style Style
	// Compared is how many declared resources were compared.
	Compared int
	// Metadata says where.
	Metadata plan.Metadata
}

// Drift is drift for programs, with where it was found.
type Drift struct {
	Place
	*plan.Drift
	// Error is why the command fails, where it does.
	Error       *Error       `json:"error,omitempty"`
	Diagnostics []Diagnostic `json:"diagnostics,omitzero"`
}

// where is the system that the configuration was compared with.
func (o DriftOptions) where() string {
	return strings.Replace(o.Metadata.Where(), "The cluster", "the cluster", 1)
}

// driftScope says what was looked at.
func driftScope(d *plan.Drift) string {
	if len(d.Namespaces) == 0 {
		return "drift"
	}
	return "drift, namespaces " + strings.Join(d.Namespaces, ", ")
}

// WriteDrift renders for people how a configuration and what exists have grown
// apart: what is declared first, then what is.
func WriteDrift(w io.Writer, d *plan.Drift, o DriftOptions) error {
	o.Style.Diff = o.Style.Diff.namingDrift(d)
	out := o.Style.writer(w)
	line := func(text string) { _, _ = out.WriteString(text + "\n") } // Flush tells
	for _, text := range PlaceOf(o.Metadata).lines() {
		line(text)
	}
	line("Scope: " + printable(driftScope(d)))
	for _, group := range driftGroups(d, o.where()) {
		line("")
		line(o.Style.paint(group.color, group.title+":"))
		for _, x := range group.list {
			line("  " + o.Style.paint(bold, resource(x.ResourceType, x.ResourceRef)) + driftDetails(x, o.where()) + likely(x, o.where()))
			for _, l := range driftLines(x, o.Style.Diff) {
				line("      " + o.Style.line(l))
			}
			for _, g := range x.GatewayChanges {
				line("      " + plan.Tool(x.ResourceType) + " would " + verb(string(g.Action)) + resource(g.Kind, g.Name))
			}
		}
	}
	for i, e := range d.Errors {
		if i == 0 {
			line("")
			line(o.Style.paint(red, "Not compared:"))
		}
		line("  " + resource(e.ResourceType, e.ResourceRef) + ": " + printable(e.Message))
	}
	for i, p := range d.Pending {
		if i == 0 {
			line("")
			line(o.Style.paint(yellow, "Pending:"))
		}
		line("  " + pendingLine(p))
	}
	for _, n := range noteList(&plan.Plan{Warnings: d.Warnings}) {
		line("")
		line(o.Style.paint(n.color, n.title+":"))
		for _, item := range n.items {
			line("  " + item)
		}
	}
	line("")
	line(driftClosing(d, o))
	return out.Flush()
}

func driftDetails(x plan.Difference, where string) string {
	var parts []string
	if x.State == plan.Missing {
		parts = append(parts, "not in "+where)
	}
	if p := x.Parent; p != nil && p.Ref != "" {
		parts = append(parts, "of "+resource(p.Type, model.ShownRef(p.Ref, p.Lookup.Text())))
	}
	if x.Namespace != "" {
		parts = append(parts, "namespace "+printable(x.Namespace))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// likely is a hint of which side changed, where that is unclear.
func likely(x plan.Difference, where string) string {
	missing, by := x.State == plan.Missing, ""
	if x.Parent != nil { // the label of its root does not follow such a run
		by = ", by hand or by a run that changed children alone"
	}
	switch {
	case x.Likely == plan.SideRemote && missing:
		return ": probably deleted in " + where + by
	case x.Likely == plan.SideRemote:
		return ": probably changed in " + where + by
	case x.Likely == plan.SideConfiguration && missing:
		return ": probably new in the configuration"
	case x.Likely == plan.SideConfiguration:
		return ": probably changed in the configuration"
	default:
		return ""
	}
}

func driftLines(x plan.Difference, d Diff) []line {
	var lines []line
	for _, c := range x.FieldChanges {
		p := value.ParsePath(c.Field)
		lines = append(lines, d.fieldDifference(p, d.called(value.Clone(c.DesiredValue)), d.meant(x.ResourceType, p, c.CurrentValue, c.DesiredValue))...)
	}
	return lines
}

func driftClosing(d *plan.Drift, o DriftOptions) string {
	if d.Empty() && len(d.Errors) == 0 && len(d.Warnings) > 0 {
		return "No drift. See the warnings above. " + count(o.Compared, "resource") + " compared."
	}
	if d.Empty() && len(d.Errors) == 0 {
		both := o.Metadata.Where() + " matches"
		if inBoth(o.Metadata) {
			both = "Konnect and the cluster match"
		}
		return "No drift. " + both + " the configuration. " + count(o.Compared, "resource") + " compared."
	}
	text := fmt.Sprintf("Drift: %d only in %s, %d changed in %s, %d ahead in the configuration, %d unclear",
		len(d.RemoteOnly), o.where(), len(d.ChangedRemotely), o.where(), len(d.ConfigurationAhead), len(d.Unclear))
	if n := len(d.Errors); n > 0 {
		text += fmt.Sprintf(", %d not compared", n)
	}
	return text + "."
}
