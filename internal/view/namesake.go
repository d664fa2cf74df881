package view

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
)

// namesakes are deletes of resources that a plan calls the same: versions of one.
type namesakes map[[3]string][]*plan.Change

func namesakesOf(p *plan.Plan) namesakes {
	out := namesakes{}
	for _, c := range p.Changes {
		if c.Action == plan.Delete {
			out[calling(c)] = append(out[calling(c)], c)
		}
	}
	return out
}

func calling(c *plan.Change) [3]string {
	if c.Parent == nil {
		return [3]string{c.ResourceType, c.ResourceRef}
	}
	return [3]string{c.ResourceType, c.ResourceRef, c.Parent.ID}
}

// variant says what tells a delete from others of its name that stay: what it was found
// by besides the name.
func variant(c *plan.Change) string {
	if c.Action != plan.Delete || c.Replace || !slices.ContainsFunc(slices.Collect(maps.Values(c.Identity)), func(v any) bool { return v == any(c.ResourceName) }) {
		return ""
	}
	for _, field := range slices.Sorted(maps.Keys(c.Identity)) {
		switch v := c.Identity[field]; {
		case v == nil:
			return "no " + printable(field)
		case v != any(c.ResourceName):
			return printable(field) + " " + compact(v)
		}
	}
	return ""
}

// apart says what tells a delete from those of its namesakes: a number that each of
// them has, such as the version, or else the id.
func (n namesakes) apart(c *plan.Change) string {
	same := n[calling(c)]
	if c.Action != plan.Delete || len(same) < 2 {
		return ""
	}
	for _, field := range slices.Sorted(maps.Keys(c.CurrentState)) {
		seen := map[json.Number]bool{}
		for _, x := range same {
			if v, ok := x.CurrentState[field].(json.Number); ok {
				seen[v] = true
			}
		}
		if v, ok := c.CurrentState[field].(json.Number); ok && len(seen) == len(same) {
			return printable(field) + " " + printable(v.String())
		}
	}
	return "id " + printable(c.ResourceID)
}
