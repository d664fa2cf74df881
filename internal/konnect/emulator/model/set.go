package model

import "kongctl/internal/konnect/catalog"

// members lists what a set holds, as they are.
func (t task) members() (Answer, error) {
	rec, err := t.target()
	if err != nil {
		return Answer{}, err
	}
	b := t.c.act.b
	kind, field := catalog.Members(b)
	items, _ := rec.Fields[b.Set].([]any)
	var views []map[string]any
	for _, item := range items {
		m, _ := item.(map[string]any)
		id, _ := m[field].(string)
		if member := t.sc.Tx.Get(kind, id); member != nil { // others are gone
			views = append(views, t.sc.View(member))
		}
	}
	if err := sortable(t.c); err != nil {
		return Answer{}, err
	}
	views = t.c.query.pick(views)
	cut, err := cutPage(t.c, len(views), nil)
	if err != nil {
		return Answer{}, err
	}
	property, _, _ := t.c.Op.Envelope()
	return t.envelope(property, views[cut.from:cut.to], cut), nil
}
