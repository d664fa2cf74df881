package build

import (
	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/value"
)

// Held is a field that nobody declares and that keeps its value. The target may
// have chosen it, so that it is worth a note only where a declaration had it.
type Held struct {
	Path  value.Path
	Value any
	// Note is what the plan says of it then.
	Note string
}

// tellKept puts into the plan what a resource keeps, and notes what it may keep.
func tellKept(b *Draft, r *resource.Resource, p Proposal) {
	tell(b, r, p.Keeps)
	if len(p.Held) > 0 {
		b.held[r] = p.Held
	}
}

// tellHeld puts a note into the plan for each held field that the declaration had with
// which its root was last written, as the hash proves. It proves that of the root
// alone: what belongs to it has no notes.
func tellHeld(b *Draft) {
	for _, r := range b.Links.Sorted() {
		o := b.Snapshot.Object(r)
		if len(b.held[r]) == 0 || r.Parent != nil || o.Owner.Hash == "" || o.Owner.Hash == resourceHash(b.Set, r) {
			continue
		}
		var had []edit
		for _, h := range b.held[r] {
			had = append(had, edit{r: r, path: h.Path, live: h.Value, ways: []way{asToday, asLive}})
		}
		for i, way := range find(b, r, o.Owner.Hash, append(had, edits(differingBelow(b, r))...)) {
			if i < len(had) && way == asLive {
				tell(b, r, []string{b.held[r][i].Note})
			}
		}
	}
}

// differingBelow are the differences of a resource and of all that belongs to it.
func differingBelow(b *Draft, r *resource.Resource) []differing {
	if b.broken[r] != nil || b.pending[r] != nil || r.External != nil {
		return nil
	}
	var out []differing
	x, differs := difference(b, r)
	if differs {
		out = append(out, differing{r, x})
	}
	if x.State == plan.Missing {
		return out // what belongs to it is missing with it
	}
	for _, c := range b.Set.Children(r) {
		out = append(out, differingBelow(b, c)...)
	}
	return out
}
