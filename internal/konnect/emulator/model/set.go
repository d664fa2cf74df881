package model

import "github.com/kongctl/kongctl/internal/konnect/catalog"

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
	return t.pageOf(views)
}
