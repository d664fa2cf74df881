package derive

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// tellLost says what was deleted with a resource and is not in the plan, and what a
// second replace deletes that nothing restores.
func tellLost(v *Undoing) {
	for _, c := range v.Plan.Changes {
		back := v.undone[c.ID]
		switch {
		case c.Action == plan.Delete && isGone(v, c) && !v.stayed(c):
			var names []string
			for _, k := range c.Lost {
				if t := v.Types.Kind(k.Type); t == nil || t.Derived == nil { // else it comes back with what it is derived from
					names = append(names, k.String())
				}
			}
			if len(names) > 0 {
				v.Cannot(c, back, "the plan does not hold what was deleted with it: %s", plan.Few(names))
			}
		case c.Action == plan.Create && c.Replace && back != nil:
			var names []string
			for _, x := range alone(v, v.Types.Kind(c.ResourceType), v.Traces[c.ID]) {
				if !x.Type.Single && !x.Object.System {
					names = append(names, x.Type.Describe(x.Object))
				}
			}
			if len(names) > 0 {
				v.Warn(back, "it also deletes "+plan.Few(names)+", which this plan does not restore")
			}
		}
	}
}

// lostWith adds what was deleted with the resources of changes, and does not come
// back.
func lostWith(v *Undoing, gone map[lostObject]*plan.Change) {
	for _, c := range v.Plan.Changes {
		if !isGone(v, c) {
			continue
		}
		for _, k := range c.LostIDs() {
			key := lostObject{k.Type, k.ID}
			if gone[key] == nil && v.remade[k.ID] == nil {
				gone[key] = &plan.Change{ResourceType: k.Type, ResourceRef: k.Name, ResourceID: k.ID}
			}
		}
	}
}

// tellDead says which fields of a change that refer to nothing by their type hold the
// id of what is gone: labels, for example.
func tellDead(v *Undoing, c *plan.Change, gone map[lostObject]*plan.Change) {
	refers := v.referring(v.Types.Kind(c.ResourceType), c.Fields)
	for _, p := range holding(c.Fields, nil, func(id string) bool { return plan.IsUUID(id) && gone[lostObject{id: id}] != nil }) {
		if x, _ := value.Get(c.Fields, p); !refers[p.String()] {
			lost := gone[lostObject{id: fmt.Sprint(x)}]
			once(v, c, fmt.Sprintf("%s: the %s is gone", p, called(v.Types, lost)))
		}
	}
}

// nameAbove adds what restored resources belong to, where that was not deleted and
// nothing declares it. What has the name of another one stays without.
func nameAbove(v *Undoing, mappings map[string]string) map[string]string {
	for _, c := range v.Plan.Changes {
		back := v.undone[c.ID]
		if c.With == nil || back == nil || back.Parent == nil || back.Parent.Ref == "" || !plan.IsUUID(back.Parent.ID) {
			continue
		}
		p := back.Parent
		key := p.Type + ":" + p.Ref
		switch id, taken := mappings[key]; {
		case id == p.ID || !taken && mappings[p.Ref] == p.ID:
		case taken:
			p.Ref = ""
		default:
			mappings[key] = p.ID
		}
	}
	return mappings
}

// once says what cannot be undone, unless it was said.
func once(v *Undoing, c *plan.Change, text string) {
	if !slices.Contains(v.warnings, inverseWarning{c, "cannot undo: " + text}) {
		v.Cannot(c, c, "%s", text)
	}
}

// hasOwnID reports whether the id of a resource is its own: what one resource is to
// another may have the id of the other one.
func hasOwnID(types *resource.Types, kind string) bool {
	t := types.Kind(kind)
	return t != nil && t.KeyField == ""
}

// holding lists the paths of the texts in a value that are wanted.
func holding(x any, at value.Path, wanted func(string) bool) []value.Path {
	var out []value.Path
	switch d := x.(type) {
	case string:
		if wanted(d) {
			out = append(out, at)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(d)) {
			out = append(out, holding(d[k], at.Child(k), wanted)...)
		}
	case []any:
		for i, y := range d {
			out = append(out, holding(y, at.Index(i), wanted)...)
		}
	}
	return out
}
