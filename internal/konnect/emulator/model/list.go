package model

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// list answers with a page of resources.
func (t task) list() (Answer, error) {
	owner, err := t.listOwner()
	if err != nil {
		return Answer{}, err
	}
	if err := sortable(t.c); err != nil {
		return Answer{}, err
	}
	up, err := t.above()
	if err != nil {
		return Answer{}, err
	}
	return t.page(owner, up)
}

// listOwner is whose resources are listed; of a list over all parents those of
// one parent, where it is filtered so.
func (t task) listOwner() (string, error) {
	b := t.c.act.b
	ancestors, _ := t.c.ids()
	if len(ancestors) > 0 || b.ListParent == "" {
		return t.sc.owner(b, ancestors)
	}
	for _, f := range t.c.query.filters {
		if f.field == b.ListParent && f.op == "eq" && f.value != "" {
			return f.value, nil
		}
	}
	return "", nil
}

func sortable(c *Call) error {
	if len(c.query.sort) == 0 {
		return nil
	}
	_, item, _ := c.Op.Envelope()
	for _, o := range c.query.sort {
		if item == nil || item.Object(nil).Field(o.field) == nil {
			return Bad("query", "sort", "invalid", "the list cannot be sorted by "+o.field)
		}
	}
	return nil
}

func (t task) page(owner string, up *store.Record) (Answer, error) {
	b := t.c.act.b
	property, item, ok := t.c.Op.Envelope()
	if !ok {
		return Answer{}, Refuse(http.StatusNotImplemented, "The embedded Konnect does not know the form of the list %s", t.c.Op.ID)
	}
	records := t.sc.listed(b, owner)
	if up != nil {
		records = t.sc.Referring(b.Kind, owner, t.c.act.via.field, up.Public())
	}
	var views []map[string]any
	plain := len(t.c.query.filters)+len(t.c.query.sort)+len(t.c.query.labels)+len(t.c.query.tags) == 0
	nested := b.Tree != nil && item.At([]string{b.Tree.Children}, nil) != nil
	if plain && !nested {
		cut, err := cutPage(t.c, len(records), placeOfRecords(b, records))
		if err != nil {
			return Answer{}, err
		}
		return t.envelope(property, t.views(records[cut.from:cut.to]), cut), nil
	}
	views = t.c.query.pick(t.views(records), t.shows(item))
	if nested {
		views = nest(b, views)
	}
	var place func(int) string
	if !nested && b.Tree == nil && len(t.c.query.sort) == 0 {
		place = placeOfViews(views)
	}
	cut, err := cutPage(t.c, len(views), place)
	if err != nil {
		return Answer{}, err
	}
	return t.envelope(property, views[cut.from:cut.to], cut), nil
}

// listed are the records of a list: of all types that share it.
func (sc Scene) listed(b *catalog.Bound, owner string) []*store.Record {
	records := sc.records(b, owner)
	if b.ListKind == "" {
		return records
	}
	for _, other := range sc.m.cat.All() {
		if other != b && other.List == b.List {
			records = append(records, sc.records(other, owner)...)
		}
	}
	slices.SortStableFunc(records, func(x, y *store.Record) int { return x.Created.Compare(y.Created) })
	return records
}

// records lists from oldest to newest; trees, and what has an order, in their own.
func (sc Scene) records(b *catalog.Bound, owner string) []*store.Record {
	var out []*store.Record
	sc.Tx.Range(b.Kind, owner, func(r *store.Record) bool { out = append(out, r); return true })
	if b.Tree != nil || catalog.OrderOf(b) != nil {
		sortTree(out)
	}
	return out
}

// Referring lists what has a field that leads to an id, below one owner.
func (sc Scene) Referring(kind, owner, field, id string) []*store.Record {
	var out []*store.Record
	sc.Tx.Referring(kind, refKey(field, id), func(r *store.Record) bool {
		if r.Parent == owner {
			out = append(out, r)
		}
		return true
	})
	return out
}

// Views is all that is known of several resources.
func (sc Scene) Views(records []*store.Record) []map[string]any {
	out := make([]map[string]any, len(records))
	for i, r := range records {
		out[i] = sc.View(r)
	}
	return out
}

// views is all that a list can show and be filtered by.
func (t task) views(records []*store.Record) []map[string]any {
	out := t.sc.Views(t.shown(records))
	if listed := t.sc.Rule(t.c.act.b).Listed; listed != nil {
		for _, v := range out {
			listed(v)
		}
	}
	return out
}

// pick filters and sorts.
func (q *query) pick(views []map[string]any, shows *shown) []map[string]any {
	out := slices.DeleteFunc(views, func(v map[string]any) bool { return !q.match(v, shows) })
	slices.SortStableFunc(out, func(a, b map[string]any) int {
		for _, o := range q.sort {
			n := compare(shows.at(a, o.field), shows.at(b, o.field))
			if o.desc {
				n = -n
			}
			if n != 0 {
				return n
			}
		}
		return 0
	})
	return out
}

func (q *query) match(v map[string]any, shows *shown) bool {
	for _, f := range q.filters {
		if !f.match(v, shows) {
			return false
		}
	}
	labels, _ := v[labelsField].(map[string]any)
	for _, l := range q.labels {
		if x, ok := labels[l.key]; !ok || (!l.any && x != l.value) {
			return false
		}
	}
	tags := Texts(v["tags"])
	has := func(t string) bool { return slices.Contains(tags, t) }
	if q.anyTag {
		return slices.ContainsFunc(q.tags, has)
	}
	return !slices.ContainsFunc(q.tags, func(t string) bool { return !has(t) })
}

// envelope wraps a page. It offers all that lists of any form have; the schema
// takes what it knows.
func (t task) envelope(property string, views []map[string]any, k cut) Answer {
	items := make([]any, len(views))
	for i, v := range views {
		items[i] = v
	}
	schema := SuccessSchema(t.c.Op)
	if property == "" {
		return Answer{successStatus(t.c.Op), t.sc.Project(schema, items)}
	}
	size := t.c.query.size
	if t.c.Op.Paging() == contract.PagingNone {
		size = k.total
	}
	page := map[string]any{
		"number": number(t.c.query.number), "size": number(size), "total": number(k.total), "total_count": number(k.total),
		"next": nil, "previous": nil,
	}
	body := map[string]any{property: items, "page": page}
	t.links(k, page, body)
	meta := map[string]any{"page": page}
	for name, v := range page {
		meta[name] = v
	}
	body["meta"] = meta
	out := t.sc.Project(schema, body)
	if list, ok := out.(map[string]any)[property].([]any); ok && t.c.act != nil {
		for i := range list {
			t.sc.Rule(t.c.act.b).asIs(views[i], list[i])
		}
	}
	return Answer{successStatus(t.c.Op), out}
}

// links adds what leads to the next page.
func (t task) links(k cut, page, body map[string]any) {
	switch t.c.Op.Paging() {
	case contract.PagingCursor:
		if k.to < k.total {
			page["next"] = t.c.Path + "?" + with(t.c.Raw, "page[after]", k.cursor(k.to))
		}
		if _, ok := t.c.Op.Query("page[before]"); ok && k.from > 0 {
			page["previous"] = t.c.Path + "?" + with(t.c.Raw, "page[before]", k.cursor(k.from))
		}
	case contract.PagingOffset:
		if k.to < k.total {
			body["offset"] = k.cursor(k.to)
			body["next"] = t.c.Path + "?" + with(t.c.Raw, "offset", k.cursor(k.to))
		}
	case contract.PagingNone, contract.PagingNumber:
	}
}

func number(n int) json.Number { return json.Number(strconv.Itoa(n)) }
