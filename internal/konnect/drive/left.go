package drive

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// leaves notes what a change that is not done leaves to do.
func (k *checker) leaves(call *execute.Call, s remote.Scope, o *resource.Object) {
	k.mu.Lock()
	done := k.settled[call.Change.ID]
	k.mu.Unlock()
	if done || o == nil || call.Late || call.Change.Action == plan.Delete {
		return
	}
	_, w, err := k.d.filled(call)
	if err != nil {
		return
	}
	note(k, call, left(s.Type, call.Change, undone(s.Type, call.Change, w.Fields, o), o))
}

// note says of a change what it leaves to do.
func note(k *checker, call *execute.Call, left []plan.FieldChange) {
	if len(left) == 0 || call.Late {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.verdicts = append(k.verdicts, execute.Verdict{Call: call, Left: left})
}

// left are the fields of an object that are not as a change makes them: of what it
// sends, which d compares, of what it takes away, and of its labels.
func left(t *catalog.Bound, c *plan.Change, d diff.Delta, o *resource.Object) []plan.FieldChange {
	var out []plan.FieldChange
	for _, f := range differing(c, d) {
		out = append(out, plan.FieldChange{Field: f.Field, CurrentValue: f.Is, DesiredValue: f.Writes})
	}
	for _, f := range c.FieldChanges {
		p := value.ParsePath(f.Field)
		have, there := value.Get(o.Fields, p)
		labels := catalog.Labels(o)
		switch {
		case t.HasLabels() && f.Field == "kongctl.protected":
			have, there = label.Protects(labels), true
		case t.HasLabels() && f.Field == "kongctl.namespace":
			have, there = labels[label.Namespace], labels[label.Namespace] != ""
		case t.HasLabels() && len(p) == 2 && p[0] == "labels":
			have, there = labels[p[1]], labels[p[1]] != ""
		case t.IsIdentity(p):
		case f.DesiredValue != nil || !there || !isOf(f.CurrentValue, have):
			continue // what is sent was compared
		}
		if !there {
			have = nil
		}
		if !plan.HoldsHidden(f.DesiredValue) && !resource.SameText(f.DesiredValue, have) {
			out = append(out, plan.FieldChange{Field: f.Field, CurrentValue: plan.HideLike(f.CurrentValue, have), DesiredValue: f.DesiredValue})
		}
	}
	slices.SortStableFunc(out, func(a, b plan.FieldChange) int { return strings.Compare(a.Field, b.Field) })
	return slices.CompactFunc(out, func(a, b plan.FieldChange) bool { return a.Field == b.Field })
}
