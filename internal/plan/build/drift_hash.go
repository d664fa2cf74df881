package build

import (
	"slices"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/value"
)

// differing is a resource that differs, and how.
type differing struct {
	r *resource.Resource
	plan.Difference
}

// maxGuesses and maxHashed bound how many former declarations are tried for one
// root, and how many bytes are hashed for it.
const (
	maxGuesses = 4096
	maxHashed  = 64 << 20
)

// byHash says who moved the resources that differ, as far as the hashes of their
// roots prove it. The hash of today's declaration says that it did not change. The
// hash of today's declaration with some of the differing values as they are in
// the target says that the declaration changed exactly there, and nowhere else.
func byHash(b *Draft, found []differing) map[*resource.Resource]Mover {
	out := map[*resource.Resource]Mover{}
	var roots []*resource.Resource
	below := map[*resource.Resource][]differing{}
	for _, f := range found {
		root := f.r.Root()
		if below[root] == nil {
			roots = append(roots, root)
		}
		below[root] = append(below[root], f)
	}
	for _, root := range roots {
		if o := b.Snapshot.Object(root); o != nil && o.Owner.Hash != "" {
			prove(b, root, o.Owner.Hash, below[root], out)
		}
	}
	return out
}

// edit is one place where a declaration may have been another one.
type edit struct {
	r    *resource.Resource
	path value.Path // none: the whole resource, which does not exist
	live any
	// ways are what may have stood there.
	ways []way
}

// way is what stood at a place of a former declaration.
type way uint8

// The ways. What stands there today comes first: then the declaration did not
// change there.
const (
	asToday way = iota
	asLive
	absent
)

// prove tries former declarations until one has the hash.
func prove(b *Draft, root *resource.Resource, hash string, found []differing, out map[*resource.Resource]Mover) {
	edits := edits(found)
	moved := map[*resource.Resource][2]bool{} // the target, the configuration
	for i, way := range find(b, root, hash, edits) {
		m := moved[edits[i].r]
		m[min(way, asLive)] = true
		moved[edits[i].r] = m
	}
	for r, m := range moved {
		switch m {
		case [2]bool{true, false}:
			out[r] = TargetMoved
		case [2]bool{false, true}:
			out[r] = ConfigurationMoved
		default:
			out[r] = NobodyKnown // both moved
		}
	}
}

// find is the former declaration that has the hash: a way for each edit. There is
// none where no declaration that was tried has it.
func find(b *Draft, root *resource.Resource, hash string, edits []edit) []way {
	budget := min(maxGuesses, 1+maxHashed/(1+len(value.Canonical(declared(b.Set, root)))))
	for _, guess := range guesses(edits, budget) {
		if value.LabelHash(declaredAs(b.Set, root, former(edits, guess))) == hash {
			return guess
		}
	}
	return nil
}

func edits(found []differing) []edit {
	var out []edit
	for _, f := range found {
		if f.State == plan.Missing {
			out = append(out, edit{r: f.r, ways: []way{asToday, absent}})
		}
		for _, c := range f.FieldChanges {
			e := edit{r: f.r, path: value.ParsePath(c.Field), live: c.CurrentValue, ways: []way{asToday}}
			if c.CurrentValue != nil && !plan.HoldsHidden(c.CurrentValue) {
				e.ways = append(e.ways, asLive)
			}
			if c.DesiredValue != nil || unsets(f.r, e.path) {
				e.ways = append(e.ways, absent)
			}
			out = append(out, e)
		}
	}
	return out
}

// unsets reports whether a declaration says null for an immutable field.
func unsets(r *resource.Resource, at value.Path) bool {
	return slices.ContainsFunc(r.Unset, func(p value.Path) bool { return p.String() == at.String() })
}

// guesses are the former declarations to try: that of today, those that differ
// everywhere, and as many others as the budget allows, in a fixed order.
func guesses(edits []edit, budget int) [][]way {
	uniform := func(like way) []way {
		out := make([]way, len(edits))
		for i, e := range edits {
			out[i] = e.ways[len(e.ways)-1]
			if like != absent && len(e.ways) > 1 {
				out[i] = e.ways[1]
			}
		}
		return out
	}
	out := [][]way{make([]way, len(edits)), uniform(asLive), uniform(absent)}
	all := 1
	for _, e := range edits {
		if all *= len(e.ways); all > budget {
			return out
		}
	}
	place := make([]int, len(edits))
	for range all {
		guess := make([]way, len(edits))
		carry := true
		for i, e := range edits {
			guess[i] = e.ways[place[i]]
			if carry {
				place[i] = (place[i] + 1) % len(e.ways)
				carry = place[i] == 0
			}
		}
		out = append(out, guess)
	}
	return out
}

// former changes today's declaration to a guessed one.
func former(edits []edit, guess []way) func(*resource.Resource, map[string]any) bool {
	return func(r *resource.Resource, out map[string]any) bool {
		for i, e := range edits {
			switch {
			case e.r != r || guess[i] == asToday:
			case e.path == nil:
				return false
			case e.path.String() == "kongctl.protected":
				out["protected"] = e.live
			case guess[i] == asLive:
				out["fields"] = value.Set(out["fields"], e.path, value.Clone(e.live))
			default:
				drop(out["fields"], e.path)
			}
		}
		return true
	}
}

// drop removes a field, and the mappings that it leaves empty.
func drop(fields any, p value.Path) {
	for ; len(p) > 0; p = p[:len(p)-1] {
		value.Delete(fields, p)
		if above, _ := value.Get(fields, p[:len(p)-1]); !value.Empty(above) {
			return
		}
	}
}
