package laws

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

// childDeletes counts the deletes, in all laws that have run, whose parents were looked
// for in the text of the plan.
var childDeletes atomic.Int64

// parentsAreNamed fails when the text of a plan shows the id of what a deleted resource
// belongs to: people approve names.
func (w *world) parentsAreNamed(p *plan.Plan) {
	w.t.Helper()
	ofChild := func(c *plan.Change) bool { return c.Action == plan.Delete && c.Parent != nil }
	if !slices.ContainsFunc(p.Changes, ofChild) {
		return
	}
	var b strings.Builder
	if err := view.WritePlan(&b, p, view.PlanOptions{}); err != nil {
		w.t.Fatal(err)
	}
	text := b.String()
	for _, c := range p.Changes {
		if !ofChild(c) {
			continue
		}
		childDeletes.Add(1)
		if c.Parent.Lookup == nil {
			w.t.Errorf("%s: the plan does not say by what name the %s is found that it belongs to", c.ID, c.Parent.Type)
		}
		if strings.Contains(text, c.Parent.Type+" "+c.Parent.ID) || strings.Contains(text, c.Parent.Type+` "`+c.Parent.ID) {
			w.t.Errorf("%s: the plan shows the id of the %s that it belongs to:\n%s", c.ID, c.Parent.Type, text)
		}
	}
}
