package propose

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/plan/derive"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Shows lets the second half of a replace show what differs between what goes, which a
// create made, and what comes back. What the plan hides of the first stays hidden.
func (Undoer) Shows(u *derive.Undoing, c, gone, made *plan.Change) {
	t, o := catalog.OfType(u.Types.Kind(c.ResourceType)), u.Traces[c.ID].Object
	d := diff.CompareWith(t, made.Fields, o.Fields, diff.New, diff.Beside{Ordered: true})
	for i, x := range d.Changes {
		if !x.Hidden {
			d.Changes[i].Old, _ = value.Get(gone.CurrentState, x.Path)
		}
	}
	for _, f := range t.Identity { // what it is known by has another id
		p := value.ParsePath(f)
		had, _ := value.Get(gone.CurrentState, p)
		if has, sent := value.Get(made.Fields, p); sent && !resource.SameField(t.Neutral(), f, has, had) {
			d.Changes = append(d.Changes, diff.Change{Path: p, Old: had, New: has})
		}
	}
	var labels labelDelta
	if t.HasLabels() {
		had, _ := gone.CurrentState["labels"].(map[string]any)
		has, _ := made.Fields["labels"].(map[string]any)
		labels.changes = labelsReplaced(had, has)
	}
	made.Show(fieldChanges(build.Desired{}, d, labels))
}

// labelsReplaced are the labels that differ, in the words of plans.
func labelsReplaced(had, has map[string]any) (out []labelChange) {
	keys := maps.Clone(had)
	if keys == nil {
		keys = map[string]any{}
	}
	maps.Copy(keys, has)
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		switch old, now := had[k], has[k]; {
		case value.Equal(old, now):
		case k == label.Protected:
			out = append(out, labelChange{plan.ProtectedField, label.ValueProtects(old), label.ValueProtects(now)})
		case k == label.Namespace:
			out = append(out, labelChange{plan.NamespaceField, old, now})
		case !label.Ours(k):
			out = append(out, labelChange{value.Path{"labels", k}.String(), old, now})
		}
	}
	return out
}
