package view

import (
	"fmt"
	"io"
	"strings"

	"github.com/kongctl/kongctl/internal/plan/derive"

	"github.com/kongctl/kongctl/internal/value"
)

// ComparisonOptions say how a comparison is shown.
type ComparisonOptions struct {
	Style Style
	// A and B are what people call the two plans.
	A, B string
}

// WriteComparison renders for people how two plans differ: what only one of
// them changes, what both change differently, and the counts last.
func WriteComparison(w io.Writer, c *derive.Comparison, o ComparisonOptions) error {
	out := o.Style.writer(w)
	v := comparisonView{out: out, style: o.Style}
	if len(c.Plan) > 0 {
		v.title(bold, "The plans themselves differ:")
		v.pairs(c.Plan)
	}
	v.changes(red, "-", "Only in "+printable(o.A), c.OnlyInA)
	v.changes(green, "+", "Only in "+printable(o.B), c.OnlyInB)
	if len(c.Different) > 0 {
		v.title(yellow, fmt.Sprintf("In both, and different (%s -> %s):", printable(o.A), printable(o.B)))
	}
	for _, d := range c.Different {
		v.line("  " + v.style.paint(yellow, "~") + " " + v.name(d.A))
		v.pairs(d.Fields)
	}
	if c.Summary.Identical {
		v.line(fmt.Sprintf("No differences. Both plans make the same %s.", count(c.Summary.Same, "change")))
		return out.Flush()
	}
	v.line("")
	v.line(fmt.Sprintf("Changes: %d only in %s, %d only in %s, %d different, %d the same.",
		c.Summary.OnlyInA, printable(o.A), c.Summary.OnlyInB, printable(o.B), c.Summary.Different, c.Summary.Same))
	return out.Flush()
}

type comparisonView struct {
	out     *lineWriter
	style   Style
	started bool
}

// line keeps no error: the writer remembers the first one until Flush.
func (v *comparisonView) line(text string) { _, _ = v.out.WriteString(text + "\n") }

// title begins a part, apart from the one before.
func (v *comparisonView) title(c color, text string) {
	if v.started {
		v.line("")
	}
	v.started = true
	v.line(v.style.paint(c, text))
}

func (v *comparisonView) changes(c color, sign, title string, list []derive.ChangeName) {
	if len(list) == 0 {
		return
	}
	v.title(c, title+":")
	for _, n := range list {
		v.line("  " + v.style.paint(c, sign) + " " + v.name(n))
	}
}

func (v *comparisonView) name(n derive.ChangeName) string {
	text := verb(string(n.Action)) + v.style.paint(bold, resource(n.ResourceType, n.ResourceRef))
	var parts []string
	if n.Parent != "" {
		parts = append(parts, "of "+printable(n.Parent))
	}
	if n.Namespace != "" {
		parts = append(parts, "namespace "+printable(n.Namespace))
	}
	if len(parts) > 0 {
		text += " (" + strings.Join(parts, ", ") + ")"
	}
	return text
}

func (v *comparisonView) pairs(list []derive.FieldPair) {
	for _, f := range list {
		lines := v.style.Diff.field(value.ParsePath(strings.TrimPrefix(f.Field, "metadata.")), sent(f.A, f.InA), sent(f.B, f.InB))
		if f.Field == "metadata.config_hash" { // nobody reads hashes
			lines = plain("they were made from different configurations")
		}
		for _, line := range lines {
			v.line("      " + v.style.line(line))
		}
	}
}

// sent tells null, which a plan may hold, from nothing.
func sent(x any, there bool) any {
	if x == nil && there {
		return marker{text: "null"}
	}
	return x
}
