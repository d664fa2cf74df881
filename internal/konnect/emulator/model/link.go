package model

import (
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// linkIDs are those of a call on a link: its path may begin with the resource that
// is linked, and the body of a create has the one that the path lacks.
func (c *Call) linkIDs() (ancestors []string, own string) {
	b := c.act.b
	all := make([]string, 0, b.Depth()+1)
	for _, name := range catalog.ParamNames(b, c.Op) {
		id := c.Params[name]
		if id == "" && name == catalog.Sent(b) {
			id, _ = c.Body[b.Link].(string)
		}
		all = append(all, id)
	}
	return all[:b.Depth()], all[b.Depth()]
}

// linkKey is the id of what a link leads to where its name may stand for it.
func (t task) linkKey(owner, key string) string {
	b := t.c.act.b
	if b.Link == "" {
		return key
	}
	target := t.sc.Kind(catalog.Linked(b))
	at := draft{sc: t.sc, b: b, rec: &store.Record{Kind: b.Kind, Parent: owner}}
	if rec := t.sc.Named(target.Kind, at.above(target.Parent), key); rec != nil {
		return rec.ID
	}
	return key
}

// shown are the records that a list shows: of links those that they lead to.
func (t task) shown(records []*store.Record) []*store.Record {
	b := t.c.act.b
	if b.Link == "" {
		return records
	}
	out := make([]*store.Record, len(records))
	for i, r := range records {
		key, _ := r.Made[b.MapKey].(string)
		out[i] = t.sc.Tx.Get(catalog.Linked(b), key)
	}
	return out
}

// Linking lists the owners of the links of a kind that lead to a resource, oldest
// link first.
func (sc Scene) Linking(kind, id string) []*store.Record {
	b := sc.Kind(kind)
	var links []*store.Record
	sc.Tx.Referring(kind, refKey(b.MapKey, id), func(r *store.Record) bool { links = append(links, r); return true })
	slices.SortStableFunc(links, func(a, b *store.Record) int { return a.Created.Compare(b.Created) })
	var out []*store.Record
	for _, r := range links {
		if owner := sc.Tx.Get(b.Parent.Kind, r.Parent); owner != nil {
			out = append(out, owner)
		}
	}
	return out
}

// Relink lets links of a kind lead from these owners to a resource, and from no
// others.
func (sc Scene) Relink(kind, id string, owners []*store.Record) error {
	b := sc.Kind(kind)
	left := slices.Clone(owners)
	for _, owner := range sc.Linking(kind, id) {
		if i := slices.IndexFunc(left, func(r *store.Record) bool { return r.ID == owner.ID }); i >= 0 {
			left = slices.Delete(left, i, i+1)
			continue
		}
		sc.Tx.Delete(kind, recordID(b, owner.ID, id))
	}
	for _, owner := range left {
		link := sc.NewRecord(kind, owner.ID, sc.Now(), map[string]any{})
		link.ID, link.Made[b.MapKey] = recordID(b, owner.ID, id), id
		if err := sc.Put(link); err != nil {
			return err
		}
	}
	return nil
}

// LinkEnds adds both ends of a link to its view, under the words that it has for
// them.
func LinkEnds(owner, linked string) func(Scene, *store.Record, map[string]any) {
	return func(sc Scene, r *store.Record, v map[string]any) {
		b := sc.Kind(r.Kind)
		key, _ := r.Made[b.MapKey].(string)
		for word, rec := range map[string]*store.Record{
			owner: sc.Tx.Get(b.Parent.Kind, r.Parent), linked: sc.Tx.Get(catalog.Linked(b), key),
		} {
			if rec != nil {
				v[word] = maps.Clone(sc.View(rec))
			}
		}
	}
}
