package client

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/remote"
)

// List reads all pages of a scope, each page once. It returns all of the list
// or an error, never a part.
func (t *Target) List(ctx context.Context, s remote.Scope) ([]*resource.Object, error) {
	op := s.Type.List
	if op == nil && catalog.Listable(s.Type) {
		return t.listKeys(ctx, s)
	}
	if op == nil {
		return nil, fmt.Errorf("%s: the API has no list", s.Type.Kind)
	}
	l := lister{t: t, op: op, query: url.Values{}}
	ancestors := s.Ancestors
	if s.Type.ListParent != "" {
		switch {
		case len(ancestors) > 0:
			l.query.Set("filter["+s.Type.ListParent+"][eq]", ancestors[len(ancestors)-1])
		case s.Type.ListKind != "":
			l.query.Set("filter["+s.Type.ListKind+"][eq]", s.Type.Parent.Kind)
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
	objects, err := l.complete(ctx, s.Type)
	objects = slices.DeleteFunc(objects, func(o *resource.Object) bool { return catalog.Absent(s.Type, o.Fields) })
	if err == nil {
		t.client.onRead(len(objects))
	}
	return objects, err
}

// listKeys reads what is at each key of a map that has no list.
func (t *Target) listKeys(ctx context.Context, s remote.Scope) ([]*resource.Object, error) {
	var out []*resource.Object
	for _, key := range catalog.Keys(s.Type) {
		o, err := t.Read(ctx, s, key)
		if err != nil {
			return nil, err
		}
		if o != nil {
			out = append(out, o)
		}
	}
	t.client.onRead(len(out))
	return out, nil
}

// Items reads all pages of a list that is no list of resources.
func (t *Target) Items(ctx context.Context, op *contract.Operation, path string) ([]map[string]any, error) {
	items, err := lister{t: t, op: op, path: path, query: url.Values{}}.whole(ctx)
	if err == nil {
		t.client.onRead(len(items))
	}
	return items, err
}

// filterName is how a list is asked for one value of a field: where the
// contract names no comparison, the plain form compares. Some lists look for a
// part of the value alone; whoever asks compares what it gets.
func filterName(op *contract.Operation, field string) string {
	plain := "filter[" + field + "]"
	if _, ok := op.Query(plain); ok {
		return plain
	}
	compares := op.Filters()[field].Object(nil)
	for _, operator := range []string{"eq", "contains"} {
		if compares.Field(operator) != nil {
			return plain + "[" + operator + "]"
		}
	}
	return plain
}

// flatten undoes the nesting of a tree's list; every item names the one above
// it.
func flatten(items []map[string]any, key string) ([]map[string]any, error) {
	var out []map[string]any
	for _, item := range items {
		out = append(out, item)
		if item[key] == nil {
			continue // a leaf
		}
		nested, err := entries(item[key], true)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		delete(item, key)
		below, err := flatten(nested, key)
		if err != nil {
			return nil, err
		}
		out = append(out, below...)
	}
	return out, nil
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

// turn asks for the page that a page names as the next.
func (l lister) turn(p *page) {
	switch l.op.Paging() {
	case contract.PagingNumber:
		l.query.Set("page[number]", p.next)
	case contract.PagingCursor:
		l.query.Set("page[after]", p.next)
	case contract.PagingOffset:
		l.query.Set("offset", p.next)
	case contract.PagingNone:
	}
}

// back turns to the first page again.
func (l lister) back() {
	for _, name := range []string{"page[number]", "page[after]", "offset"} {
		l.query.Del(name)
	}
	l.first()
}
