package model

import (
	"encoding/json"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// enter gives a new record of an ordered type its place: the last one, or the one
// before or after another that the call names.
func (t task) enter(rec *store.Record) error {
	b := t.c.act.b
	if catalog.OrderOf(b) == nil {
		return nil
	}
	list := t.sc.records(b, rec.Parent)
	before, after := t.c.Raw.Get("before"), t.c.Raw.Get("after")
	if before != "" && after != "" {
		return Bad("query", "before", "invalid", "only one of before and after may be given")
	}
	place := len(list)
	if id := before + after; id != "" {
		at := slices.IndexFunc(list, func(r *store.Record) bool { return r.ID == id })
		if at < 0 {
			return NotFound(b.Kind, id)
		}
		if place = at; after != "" {
			place++
		}
	}
	t.sc.Arrange(slices.Insert(list, place, rec), rec)
	return nil
}

// Arrange gives records the order of a list. One of them may not be stored yet.
func (sc Scene) Arrange(list []*store.Record, fresh *store.Record) {
	for i, r := range list {
		switch {
		case r == fresh:
			r.Order = i
		case r.Order != i:
			moved := *r
			moved.Order = i
			sc.Tx.Put(&moved)
		}
	}
}

// ShowOrder adds the ids of what a record orders.
func ShowOrder(sc Scene, r *store.Record, v map[string]any) {
	b := sc.Kind(r.Kind)
	ids := []any{}
	for _, x := range sc.records(sc.Kind(b.Orders), r.Parent) {
		ids = append(ids, x.ID)
	}
	v[catalog.OrderField(b)] = ids
}

// TakeOrder arranges what a record orders as it says; what it does not name comes
// last.
func TakeOrder(sc Scene, r *store.Record) error {
	b := sc.Kind(r.Kind)
	field := catalog.OrderField(b)
	left := sc.records(sc.Kind(b.Orders), r.Parent)
	var list []*store.Record
	for _, id := range Texts(r.Fields[field]) {
		at := slices.IndexFunc(left, func(x *store.Record) bool { return x.ID == id })
		if at < 0 {
			return Bad("body", field, "missing_reference", catalog.Words(b.Orders)+" "+id+" does not exist, or is named twice")
		}
		list, left = append(list, left[at]), slices.Delete(left, at, at+1)
	}
	sc.Arrange(append(list, left...), nil)
	return nil
}

// MoveTo answers a call that moves a record of an ordered type to another place
// among those with the same parent. What lies below it moves with it.
func MoveTo(kind, param string) func(Scene, *Call) (map[string]any, error) {
	return func(sc Scene, c *Call) (map[string]any, error) {
		rec := sc.Tx.Get(kind, c.Params[param])
		if rec == nil {
			return nil, NotFound(kind, c.Params[param])
		}
		n, _ := c.Body["index"].(json.Number)
		index, err := n.Int64()
		if err != nil || index < 0 {
			return nil, Bad("body", "index", "is_integer", "must be a whole number from 0")
		}
		list := sc.records(sc.Kind(kind), rec.Parent)
		above := sc.parents(kind, list)
		siblings := slices.DeleteFunc(slices.Clone(list), func(r *store.Record) bool { return r.ID == rec.ID || above[r.ID] != above[rec.ID] })
		siblings = slices.Insert(siblings, int(min(index, int64(len(siblings)))), rec)
		for i, r := range list {
			if above[r.ID] == above[rec.ID] {
				list[i], siblings = siblings[0], siblings[1:]
			}
		}
		sc.Arrange(inLine(list, above, ""), nil)
		return nil, nil
	}
}

// parents are the ids of the records above others, by the field of theirs that
// refers to one of the same kind.
func (sc Scene) parents(kind string, list []*store.Record) map[string]string {
	out := map[string]string{}
	for _, ref := range sc.Kind(kind).References {
		for _, r := range list {
			if id, _ := At(r.Fields, ref.Field).(string); ref.Kind == kind && sc.Tx.Get(kind, id) != nil {
				out[r.ID] = id
			}
		}
	}
	return out
}

// inLine puts each record before what lies below it.
func inLine(list []*store.Record, above map[string]string, parent string) []*store.Record {
	var out []*store.Record
	for _, r := range list {
		if above[r.ID] == parent {
			out = append(append(out, r), inLine(list, above, r.ID)...)
		}
	}
	return out
}
