package model

import "kongctl/internal/konnect/emulator/store"

// State is all stored resources by kind, without secrets; those that are not
// of the region of the options by kind and region.
func (m *Model) State() (map[string][]any, error) {
	out := map[string][]any{}
	err := m.o.Store.View(func(tx store.Tx) error {
		for _, name := range tx.Kinds() {
			kind, region := store.SplitShelf(name)
			if m.cat.Kind(kind) == nil {
				continue
			}
			sc := m.scene(tx, region)
			list := []any{}
			tx.Range(name, "", func(r *store.Record) bool {
				list = append(list, sc.shown(r))
				return true
			})
			if region == m.o.Region {
				name = kind
			}
			out[name] = list
		}
		return nil
	})
	return out, err
}

// shown is a resource without its secrets.
func (sc Scene) shown(r *store.Record) map[string]any {
	b, v := sc.Kind(r.Kind), sc.View(r)
	if schema := sc.m.actions.written(b); schema != nil {
		hideSecrets(schema, v)
	}
	if hide := sc.Rule(b).Hide; hide != nil {
		hide(v)
	}
	if r.Parent != "" {
		v["parent"] = r.Parent
	}
	return v
}

// Resource is one resource without its secrets.
func (m *Model) Resource(shelf, id string) (v map[string]any, err error) {
	err = m.o.Store.View(func(tx store.Tx) error {
		kind, region := store.SplitShelf(shelf)
		rec := tx.Get(shelf, id)
		if m.cat.Kind(kind) == nil || rec == nil {
			return NotFound(kind, id)
		}
		v = m.scene(tx, region).shown(rec)
		return nil
	})
	return v, err
}
