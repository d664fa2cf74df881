package plan

import (
	"maps"
	"slices"
)

// Change finds a change by id. Changes may be added and taken out at any time:
// what the index does not find, or not any more, is looked for.
func (p *Plan) Change(id string) *Change {
	if i, ok := p.places[id]; ok && i < len(p.Changes) && p.Changes[i].ID == id {
		return p.Changes[i]
	}
	for _, c := range p.Changes {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Half is the other half of a replace: for a create the delete of what it takes the place
// of, for a delete the create. It is nil for what replaces nothing.
func (p *Plan) Half(c *Change) *Change {
	if !c.Replace {
		return nil
	}
	halves := p.halves
	if halves == nil {
		halves = p.pairs()
	}
	if id, ok := halves[c.ID]; ok {
		return p.Change(id)
	}
	return nil
}

// Halves pairs the changes that make up a replace, by id, both ways.
func (p *Plan) Halves() map[string]string {
	if p.halves == nil {
		return p.pairs()
	}
	return maps.Clone(p.halves)
}

// pairs finds the halves of replaces: the create comes after the delete, and both are
// about one resource in one place. Each has one other half at most.
func (p *Plan) pairs() map[string]string {
	deletes, out := map[string]*Change{}, map[string]string{}
	for _, c := range p.Changes {
		if c != nil && c.Action == Delete && c.Replace {
			deletes[c.ID] = c
		}
	}
	for _, c := range p.Changes {
		if c == nil || c.Action != Create || !c.Replace {
			continue
		}
		for _, id := range c.DependsOn {
			d := deletes[id]
			if d != nil && out[id] == "" && d.ResourceType == c.ResourceType && d.ResourceRef == c.ResourceRef && sameAncestors(c, d) {
				out[c.ID], out[id] = id, c.ID
				break
			}
		}
	}
	return out
}

func sameAncestors(a, b *Change) bool {
	if a.Parent == nil || b.Parent == nil {
		return a.Parent == b.Parent
	}
	return a.Parent.Change == b.Parent.Change && slices.Equal(a.Parent.Ancestors, b.Parent.Ancestors)
}

// Index notes the places of the changes, and which make up a replace. New maps are made:
// copies of the plan share the old ones.
func (p *Plan) Index() {
	p.places = make(map[string]int, len(p.Changes))
	for i, c := range p.Changes {
		if c == nil {
			continue // the document is refused
		}
		if _, twice := p.places[c.ID]; !twice {
			p.places[c.ID] = i
		}
	}
	p.halves = p.pairs()
}
