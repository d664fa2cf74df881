//go:build !nonative

package native

import (
	"slices"

	"github.com/kong/go-kong/kong"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/plan"
)

// ready is what a Diff worked out, for the Run after it.
type ready struct {
	key string
	sides
	changes []plan.Part
}

// asPlanned tells changes in the words of the Diff before: by now the library
// sees entities that were yet to be made then.
func (r *ready) asPlanned(done []plan.Part) {
	if r == nil {
		return
	}
	type entity struct {
		kind, name string
		action     plan.Action
	}
	planned := map[entity][]plan.Part{}
	for _, c := range r.changes {
		e := entity{c.Kind, c.Name, c.Action}
		planned[e] = append(planned[e], c)
	}
	for i, c := range done {
		if p := planned[entity{c.Kind, c.Name, c.Action}]; len(p) == 1 {
			done[i] = p[0]
		}
	}
}

// without are both sides less the plugins that stay as they are: nobody refers
// to plugins, and to compare them is most of the library's work.
func (s sides) without(edits []gateway.Edit) sides {
	counts := map[string]int{} // sides that have it
	for _, list := range [][]*kong.Plugin{s.current.Plugins, s.target.Plugins} {
		for _, p := range list {
			counts[*p.ID]++
		}
	}
	for _, e := range edits {
		for _, entity := range []map[string]any{e.Before, e.After} {
			if id, ok := entity["id"].(string); ok {
				delete(counts, id)
			}
		}
	}
	stays := func(p *kong.Plugin) bool { return counts[*p.ID] == 2 }
	current, target := *s.current, *s.target
	current.Plugins = slices.DeleteFunc(slices.Clone(current.Plugins), stays)
	target.Plugins = slices.DeleteFunc(slices.Clone(target.Plugins), stays)
	return sides{&current, &target}
}
