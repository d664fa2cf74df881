package konnect

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"kongctl/internal/contract"
	"kongctl/internal/target"
)

// List reads all pages of a scope, each page once.
func (t *Target) List(ctx context.Context, s target.Scope) ([]*target.Object, error) {
	op := s.Type.List
	if op == nil {
		return nil, fmt.Errorf("%s: the API has no list", s.Type.Kind)
	}
	l := lister{t: t, op: op, query: url.Values{}}
	ancestors := s.Ancestors
	if s.Type.ListParent != "" {
		if len(ancestors) > 0 {
			l.query.Set("filter["+s.Type.ListParent+"][eq]", ancestors[len(ancestors)-1])
		}
		ancestors = nil
	}
	for field, want := range s.Filter {
		l.query.Set(filterName(op, field), want)
	}
	path, err := op.Expand(s.Type.PathParams(op, ancestors, ""))
	if err != nil {
		return nil, err
	}
	l.path = path
	items, err := l.all(ctx)
	if err != nil {
		return nil, err
	}
	if s.Type.Tree != nil {
		items = flatten(items, s.Type.Tree.Children)
	}
	out := make([]*target.Object, len(items))
	for i, item := range items {
		out[i] = object(s.Type, item, "")
	}
	return out, nil
}

// filterName is how a list is asked for one value of a field: where the
// contract names no comparison, the plain form compares.
func filterName(op *contract.Operation, field string) string {
	plain := "filter[" + field + "]"
	if _, ok := op.Query(plain); ok {
		return plain
	}
	return plain + "[eq]"
}

// flatten undoes the nesting of a tree's list; every item names the one above
// it.
func flatten(items []map[string]any, key string) []map[string]any {
	var out []map[string]any
	for _, item := range items {
		out = append(out, item)
		nested, _ := item[key].([]any)
		delete(item, key)
		out = append(out, flatten(maps(nested), key)...)
	}
	return out
}

func maps(list []any) []map[string]any {
	out := make([]map[string]any, 0, len(list))
	for _, x := range list {
		if m, ok := x.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// lister follows one list through its pages.
type lister struct {
	t     *Target
	op    *contract.Operation
	path  string
	query url.Values
}

// maxPages stops a list that never ends.
const maxPages = 10_000

func (l lister) all(ctx context.Context) ([]map[string]any, error) {
	l.first()
	var out []map[string]any
	for page := 1; page <= maxPages; page++ {
		res, err := l.t.client.Do(ctx, Request{Method: l.op.Method, Path: l.path, Query: l.query, Global: l.op.Global})
		if err != nil {
			return nil, err
		}
		items, err := l.items(res.Body)
		if err != nil {
			return nil, err
		}
		out = append(out, items...)
		if !l.next(res.Body, len(items), len(out)) {
			return out, nil
		}
	}
	return nil, fmt.Errorf("GET %s: more than %d pages", l.path, maxPages)
}

func (l lister) first() {
	size := strconv.Itoa(l.op.MaxPageSize())
	switch l.op.Paging() {
	case contract.PagingNumber:
		l.query.Set("page[size]", size)
		l.query.Set("page[number]", "1")
	case contract.PagingCursor:
		l.query.Set("page[size]", size)
	case contract.PagingOffset:
		l.query.Set("size", size)
	case contract.PagingNone:
	}
}

func (l lister) items(body any) ([]map[string]any, error) {
	name, _, ok := l.op.Envelope()
	if !ok {
		return nil, fmt.Errorf("%s: not a list", l.op.Key())
	}
	if name == "" {
		list, _ := body.([]any)
		return maps(list), nil
	}
	m, _ := body.(map[string]any)
	list, present := m[name]
	items, isList := list.([]any)
	if !present || (!isList && list != nil) {
		return nil, &AnswerError{Method: l.op.Method, Path: l.path, Status: http.StatusOK, Reason: "it holds no list under " + name}
	}
	return maps(items), nil
}

// next turns to the next page, if there is one.
func (l lister) next(body any, got, total int) bool {
	m, _ := body.(map[string]any)
	meta, _ := m["meta"].(map[string]any)
	page, _ := meta["page"].(map[string]any)
	switch l.op.Paging() {
	case contract.PagingNumber:
		if got == 0 || float64(total) >= number(page["total"]) {
			return false
		}
		n, err := strconv.Atoi(l.query.Get("page[number]"))
		if err != nil {
			return false
		}
		l.query.Set("page[number]", strconv.Itoa(n+1))
		return true
	case contract.PagingCursor:
		next, _ := meta["next"].(string)
		if next == "" {
			next, _ = page["next"].(string)
		}
		u, err := url.Parse(next)
		if next == "" || err != nil {
			return false
		}
		after := u.Query().Get("page[after]")
		if after == "" {
			after = next // some lists give the cursor itself
		}
		l.query.Set("page[after]", after)
		return true
	case contract.PagingOffset:
		offset, _ := m["offset"].(string)
		l.query.Set("offset", offset)
		return offset != ""
	case contract.PagingNone:
		return false
	}
	return false
}

func number(x any) float64 {
	f, err := strconv.ParseFloat(fmt.Sprint(x), 64)
	if err != nil {
		return 0
	}
	return f
}
