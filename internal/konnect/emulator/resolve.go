package emulator

import (
	"strings"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/emulator/store"
)

// resolve lets a reference between core entities be made by name, and refuses
// one that names nothing. What is kept is the id.
func (sc scene) resolve(b *catalog.Bound, rec *store.Record) error {
	if !b.External {
		return nil
	}
	for _, ref := range b.References {
		field, ok := strings.CutSuffix(ref.Field, ".id")
		to, given := rec.Fields[field].(map[string]any)
		if !ok || !given {
			continue
		}
		id, _ := to["id"].(string)
		if id == "" {
			found, err := sc.byName(sc.s.cat.Kind(ref.Kind), rec.Parent, field, to)
			if err != nil {
				return err
			}
			id = found.Public()
		}
		rec.Fields[field] = map[string]any{"id": id}
	}
	return nil
}

// byName finds what a reference without an id stands for.
func (sc scene) byName(target *catalog.Bound, owner, field string, to map[string]any) (*store.Record, error) {
	con := sc.s.conduct(target)
	identity := con.identity(target)
	if !con.byName || len(identity) != 1 {
		return nil, bad("body", field+".id", "required", "is required")
	}
	name, _ := to[identity[0]].(string)
	if name == "" {
		return nil, bad("body", field, "required", "needs id or "+identity[0])
	}
	rec := sc.named(target, owner, name, nil)
	if rec == nil {
		return nil, bad("body", field+"."+identity[0], "missing_reference", spaced(target.Kind)+" "+name+" does not exist")
	}
	return rec, nil
}

// elsewhere tells that what a nested path names lies below another resource than
// the one that the path goes through.
func (sc scene) elsewhere(c *call, owner, id string) bool {
	return c.act.via != nil && sc.tx.Get(c.act.b.Kind, recordID(c.act.b, owner, id)) != nil
}
