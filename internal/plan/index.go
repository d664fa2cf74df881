package plan

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

// Index notes the places of the changes. A new map is made: copies of the plan
// share the old one.
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
}
