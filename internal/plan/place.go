package plan

import "github.com/kongctl/kongctl/internal/resource"

// Places are where the changes of a plan are. What one change is about is held against
// all others, and a plan that runs does not change: they are found once. What exists once
// has no id.
type Places struct {
	deleted, updated map[string]bool
	lists            map[string]bool // that changes are in
}

// Places finds where the changes are.
func (p *Plan) Places() Places {
	x := Places{deleted: map[string]bool{}, updated: map[string]bool{}, lists: map[string]bool{}}
	for _, c := range p.Changes {
		above := AncestorsOf(c)
		x.lists[PlaceKey(c.ResourceType, above, "")] = true
		place := PlaceKey(c.ResourceType, above, c.ResourceID)
		x.deleted[place] = x.deleted[place] || c.Action == Delete
		x.updated[place] = x.updated[place] || c.Action == Update
	}
	return x
}

// Along leaves out of what goes with the resource of a delete what other changes delete
// by themselves.
func (x Places) Along(c *Change, parts []resource.Part) []resource.Part {
	own := PlaceKey(c.ResourceType, AncestorsOf(c), c.ResourceID)
	return Without(parts, func(t *resource.Type, ancestors []string, id string) bool {
		place := PlaceKey(t.Kind, ancestors, id)
		return x.deleted[place] && place != own
	})
}
