package model

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// lastPlace is the place after all that lie below a parent.
func (t task) lastPlace(owner string, parent any) int {
	list := t.sc.below(t.c.act.b, owner, parent)
	if len(list) == 0 {
		return 0
	}
	return list[len(list)-1].Order + 1
}

// below lists the resources of a tree below one parent, in their order.
func (sc Scene) below(b *catalog.Bound, owner string, parent any) []*store.Record {
	id, _ := parent.(string)
	var out []*store.Record
	sc.Tx.Range(b.Kind, owner, func(r *store.Record) bool {
		if up, _ := r.Fields[b.Tree.Parent].(string); up == id {
			out = append(out, r)
		}
		return true
	})
	sortTree(out)
	return out
}

func sortTree(list []*store.Record) {
	slices.SortStableFunc(list, func(a, b *store.Record) int { return cmp.Compare(a.Order, b.Order) })
}

// placed checks that the parent in a tree is there and not below the resource
// itself.
func (d draft) placed() error {
	if d.b.Tree == nil {
		return nil
	}
	field := d.b.Tree.Parent
	parent, _ := d.rec.Fields[field].(string)
	for up := parent; up != ""; {
		if up == d.rec.ID {
			return Bad("body", field, "invalid", "must not be the resource itself or below it")
		}
		r := d.sc.Tx.Get(d.b.Kind, up)
		if r == nil || r.Parent != d.rec.Parent {
			return Bad("body", field, "missing_reference", catalog.Words(d.b.Kind)+" "+up+" does not exist")
		}
		up, _ = r.Fields[field].(string)
	}
	return nil
}

// move puts a resource below another parent, or at another place among its
// siblings.
func (t task) move() (Answer, error) {
	b := t.c.act.b
	old, err := t.target()
	if err != nil {
		return Answer{}, err
	}
	rec := *old
	rec.Fields, rec.Made = CloneMap(old.Fields), CloneMap(old.Made)
	rec.Updated = t.sc.m.o.Clock().UTC()
	// A move without a parent leads to the top.
	if parent := t.c.Body[b.Tree.Parent]; parent != nil {
		rec.Fields[b.Tree.Parent] = parent
	} else {
		delete(rec.Fields, b.Tree.Parent)
	}
	list := slices.DeleteFunc(t.sc.below(b, rec.Parent, rec.Fields[b.Tree.Parent]), func(r *store.Record) bool { return r.ID == rec.ID })
	index := len(list)
	if n, ok := t.c.Body["index"].(json.Number); ok {
		i, err := n.Int64()
		if i < 0 && t.sc.Rule(b).Moves { // counted backwards: -1 is the last place
			i = max(i+int64(len(list))+1, 0)
		}
		if err != nil || i < 0 {
			return Answer{}, Bad("body", "index", "is_integer", "must be a whole number from 0")
		}
		index = int(min(i, int64(index)))
	}
	for i, r := range slices.Insert(list, index, &rec) {
		if r != &rec && r.Order != i {
			moved := *r
			moved.Order = i
			t.sc.Tx.Put(&moved)
		}
	}
	rec.Order = index
	if _, err := t.save(&rec); err != nil {
		return Answer{}, err
	}
	return Answer{Status: successStatus(t.c.Op)}, nil
}

// nest makes a tree of a flat list: what has its parent in the list goes below
// it, the rest to the top.
func nest(b *catalog.Bound, views []map[string]any) []map[string]any {
	byID := make(map[any]map[string]any, len(views))
	for _, v := range views {
		v[b.Tree.Children] = []any{}
		byID[v["id"]] = v
	}
	var top []map[string]any
	for _, v := range views {
		if up := byID[v[b.Tree.Parent]]; up != nil {
			up[b.Tree.Children] = append(up[b.Tree.Children].([]any), v)
		} else {
			top = append(top, v)
		}
	}
	return top
}
