package build

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/resource"
)

// checkPairs reports references to a child beside a reference to another parent
// than its own: a service of one control plane with the id of another. And it reports
// those that lead out of what their resource lies below. Which parents are the same is
// known when they were read.
func checkPairs(b *Draft) {
	if !b.Mode.Brings() {
		return
	}
	for _, r := range b.Links.Sorted() {
		if r.External != nil || b.broken[r] != nil || b.pending[r] != nil || b.selection.LeftOut(r) {
			continue
		}
		for _, child := range b.Links.From(r) {
			if parent, ok := beside(b, r, child); ok && !resource.Same(b.Snapshot, child.Target.Parent, parent.Target) {
				otherParent(b, r, child, parent)
			}
			if own, other := resource.Apart(r, child); own != nil && !resource.Same(b.Snapshot, own, other) {
				b.diags = append(b.diags, resource.OtherParent(r.Fields.Nearest(child.Path), r, child.Target, own, other))
			}
		}
	}
}

// beside finds the reference of the same object that names the parent of what
// another one names.
func beside(b *Draft, r *resource.Resource, child resource.Edge) (resource.Edge, bool) {
	if child.Target.Parent == nil || child.Field != "id" {
		return resource.Edge{}, false
	}
	own := child.Path[:len(child.Path)-1]
	for _, e := range b.Links.From(r) {
		if e.Target.Type == child.Target.Parent.Type && e.Field == "id" && len(e.Path) == len(child.Path) && e.Path.HasPrefix(own) {
			return e, true
		}
	}
	return resource.Edge{}, false
}

func otherParent(b *Draft, r *resource.Resource, child, parent resource.Edge) {
	field := parent.Path[len(parent.Path)-1]
	b.diags.Add(diag.RefOtherParent, r.Fields.Nearest(child.Path),
		fmt.Sprintf("The %s takes %s from the %s, which belongs to the %s, and %s is the %s.", r.Describe(), child.Path, child.Target.Describe(), child.Target.Parent.Describe(), parent.Path, parent.Target.Describe()),
		fmt.Sprintf("write %s: %s, or use a %s of the %s.", field, child.Target.Parent.Ref, child.Target.Type.Words, parent.Target.Describe()))
}
