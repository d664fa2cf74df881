package plan

import (
	"fmt"

	"kongctl/internal/resource"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/live"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/value"
)

// proven tells that what is there now is what the change made: the report says
// so, or a root carries the hash that the change wrote. What belongs to a root
// that the plan made is proven with it, and else by being what was sent.
func (v *inverter) proven(t *catalog.Bound, c *Change) bool {
	tr := v.Traces[c.ID]
	if tr.Reported {
		return true
	}
	if t.HasLabels() {
		sent, _ := c.Fields["labels"].(map[string]any)
		hash, _ := sent[label.Hash].(string)
		return hash != "" && remote.Labels(tr.Object)[label.Hash] == hash
	}
	if c.Parent != nil {
		if above := v.Plan.Change(c.Parent.Change); above != nil {
			parent := v.Catalog.Kind(above.ResourceType)
			return parent != nil && v.Traces[above.ID].Object != nil && v.proven(parent, above)
		}
	}
	return !v.changedSince(t, c, tr.Object)
}

// sameResource reports whether an object is known by what the change sent: a
// report, which nothing seals, may name any id. A root that was renamed still has
// the hash that the change wrote.
func (v *inverter) sameResource(t *catalog.Bound, c *Change, o *resource.Object) bool {
	labels, _ := c.Fields["labels"].(map[string]any)
	if hash, _ := labels[label.Hash].(string); t.HasLabels() && hash != "" && remote.Labels(o)[label.Hash] == hash {
		return true // renamed since
	}
	for _, f := range t.Identity {
		_, refers := c.References[f]
		want, sent := value.Get(c.Fields, value.ParsePath(f))
		have, there := value.Get(o.Fields, value.ParsePath(f))
		if f != t.MapKey && sent && there && !refers && !holdsHidden(want) && want != any(unknownID) && !live.SameText(want, have) {
			return false
		}
	}
	return true
}

// claim refuses to delete what may be somebody else's.
func (v *inverter) claim(c *Change, o *resource.Object) {
	v.b.plan.Blocked = append(v.b.plan.Blocked, Blocked{
		ResourceType: c.ResourceType, ResourceRef: c.ResourceRef, Action: Delete, By: "report",
		Message: fmt.Sprintf("There is one of this name (id %s), and nothing proves that this plan made it. Name the report of the run with --report.", o.ID),
	})
}

// alone lists what goes with an object and is not undone by itself.
func (v *inverter) alone(t *catalog.Bound, tr Trace) []live.Part {
	own := objectKey(t, tr.Object.ID, tr.Ancestors)
	return without(tr.Below, func(t *catalog.Bound, ancestors []string, id string) bool {
		key := objectKey(t, id, ancestors)
		return key != own && v.goes[key]
	})
}
