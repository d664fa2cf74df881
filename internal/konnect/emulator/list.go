package emulator

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/konnect/emulator/store"
)

// list answers with a page of resources.
func (s *Server) list(c *call) (answer, error) {
	var a answer
	err := s.look(c, func(tx store.Tx) error {
		sc := s.scene(tx, c.region)
		owner, err := sc.listOwner(c)
		if err != nil {
			return err
		}
		if err := sortable(c); err != nil {
			return err
		}
		up, err := sc.above(c)
		if err != nil {
			return err
		}
		a, err = sc.page(c, owner, up)
		return err
	})
	return a, err
}

// listOwner is whose resources are listed; of a list over all parents those of
// one parent, where it is filtered so.
func (sc scene) listOwner(c *call) (string, error) {
	b := c.act.b
	ancestors, _ := c.ids()
	if len(ancestors) > 0 || b.ListParent == "" {
		return sc.owner(b, ancestors)
	}
	for _, f := range c.query.filters {
		if f.field == b.ListParent && f.op == "eq" && f.value != "" {
			return f.value, nil
		}
	}
	return "", nil
}

func sortable(c *call) error {
	if len(c.query.sort) == 0 {
		return nil
	}
	_, item, _ := c.op.Envelope()
	for _, o := range c.query.sort {
		if item == nil || item.Object(nil).Field(o.field) == nil {
			return bad("query", "sort", "invalid", "the list cannot be sorted by "+o.field)
		}
	}
	return nil
}

func (sc scene) page(c *call, owner string, up *store.Record) (answer, error) {
	b := c.act.b
	property, item, ok := c.op.Envelope()
	if !ok {
		return answer{}, refuse(http.StatusNotImplemented, "The embedded Konnect does not know the form of the list %s", c.op.ID)
	}
	records := sc.records(b, owner)
	if up != nil {
		records = sc.referring(b, owner, refKey(c.act.via.field, up.Public()))
	}
	var views []map[string]any
	plain := len(c.query.filters)+len(c.query.sort)+len(c.query.labels)+len(c.query.tags) == 0
	nested := b.Tree != nil && item.At([]string{b.Tree.Children}, nil) != nil
	if plain && !nested {
		cut, err := cutPage(c, len(records), placeOfRecords(b, records))
		if err != nil {
			return answer{}, err
		}
		return sc.envelope(c, property, sc.views(b, records[cut.from:cut.to]), cut), nil
	}
	views = c.query.pick(sc.views(b, records))
	if nested {
		views = nest(b, views)
	}
	var place func(int) string
	if !nested && b.Tree == nil && len(c.query.sort) == 0 {
		place = placeOfViews(views)
	}
	cut, err := cutPage(c, len(views), place)
	if err != nil {
		return answer{}, err
	}
	return sc.envelope(c, property, views[cut.from:cut.to], cut), nil
}

// records lists from oldest to newest; trees in their own order.
func (sc scene) records(b *catalog.Bound, owner string) []*store.Record {
	var out []*store.Record
	sc.tx.Range(b.Kind, owner, func(r *store.Record) bool { out = append(out, r); return true })
	if b.Tree != nil {
		sortTree(out)
	}
	return out
}

// referring lists what has a reference, below one owner.
func (sc scene) referring(b *catalog.Bound, owner, ref string) []*store.Record {
	var out []*store.Record
	sc.tx.Referring(b.Kind, ref, func(r *store.Record) bool {
		if r.Parent == owner {
			out = append(out, r)
		}
		return true
	})
	return out
}

func (sc scene) views(b *catalog.Bound, records []*store.Record) []map[string]any {
	out := make([]map[string]any, len(records))
	for i, r := range records {
		out[i] = sc.view(b, r)
	}
	return out
}

// pick filters and sorts.
func (q *query) pick(views []map[string]any) []map[string]any {
	out := slices.DeleteFunc(views, func(v map[string]any) bool { return !q.match(v) })
	slices.SortStableFunc(out, func(a, b map[string]any) int {
		for _, o := range q.sort {
			n := compare(a[o.field], b[o.field])
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

func (q *query) match(v map[string]any) bool {
	for _, f := range q.filters {
		if !f.match(v) {
			return false
		}
	}
	labels, _ := v[labelsField].(map[string]any)
	for _, l := range q.labels {
		if x, ok := labels[l.key]; !ok || (!l.any && x != l.value) {
			return false
		}
	}
	tags := texts(v["tags"])
	has := func(t string) bool { return slices.Contains(tags, t) }
	if q.anyTag {
		return slices.ContainsFunc(q.tags, has)
	}
	return !slices.ContainsFunc(q.tags, func(t string) bool { return !has(t) })
}

// envelope wraps a page. It offers all that lists of any form tell; the schema
// takes what it knows.
func (sc scene) envelope(c *call, property string, views []map[string]any, k cut) answer {
	items := make([]any, len(views))
	for i, v := range views {
		items[i] = v
	}
	schema := successSchema(c.op)
	if property == "" {
		return answer{successStatus(c.op), sc.s.project(schema, items)}
	}
	size := c.query.size
	if c.op.Paging() == contract.PagingNone {
		size = k.total
	}
	page := map[string]any{
		"number": number(c.query.number), "size": number(size), "total": number(k.total), "total_count": number(k.total),
		"next": nil, "previous": nil,
	}
	body := map[string]any{property: items, "page": page}
	sc.links(c, k, page, body)
	meta := map[string]any{"page": page}
	for name, v := range page {
		meta[name] = v
	}
	body["meta"] = meta
	out := sc.s.project(schema, body)
	if list, ok := out.(map[string]any)[property].([]any); ok && c.act != nil {
		for i := range list {
			sc.asIs(c.act.b, views[i], list[i])
		}
	}
	return answer{successStatus(c.op), out}
}

// links tells how to come to the next page.
func (sc scene) links(c *call, k cut, page, body map[string]any) {
	switch c.op.Paging() {
	case contract.PagingCursor:
		if k.to < k.total {
			page["next"] = c.path + "?" + with(c.raw, "page[after]", k.cursor(k.to))
		}
		if _, ok := c.op.Query("page[before]"); ok && k.from > 0 {
			page["previous"] = c.path + "?" + with(c.raw, "page[before]", k.cursor(k.from))
		}
	case contract.PagingOffset:
		if k.to < k.total {
			body["offset"] = k.cursor(k.to)
			body["next"] = c.path + "?" + with(c.raw, "offset", k.cursor(k.to))
		}
	case contract.PagingNone, contract.PagingNumber:
	}
}

func number(n int) json.Number { return json.Number(strconv.Itoa(n)) }
