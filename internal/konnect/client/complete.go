package client

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/remote"
)

// IncompleteError is a list of which something is missing, or may be. Nobody may
// conclude from it that something does not exist.
type IncompleteError struct {
	Method string
	Path   string
	Reason string
}

// Error names the request and what is wrong with the list.
func (e *IncompleteError) Error() string {
	return fmt.Sprintf("%s %s: incomplete list: %s", e.Method, e.Path, e.Reason)
}

// listTries is how often a list is read that is not complete: somebody may have
// changed it between two pages.
const listTries = 3

// readSet reads the one object whose value is a list.
func (t *Target) readSet(ctx context.Context, s remote.Scope) (*resource.Object, error) {
	op := s.Type.Read
	path, err := op.Expand(s.Type.PathParams(op, s.Ancestors, ""))
	if err != nil {
		return nil, err
	}
	items, err := lister{t: t, op: op, path: path, query: url.Values{}}.whole(ctx)
	switch {
	case IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	t.client.onRead(1)
	o := catalog.NewObject("", catalog.Collected(s.Type, items), nil, "")
	whole := make([]any, len(items))
	for i, item := range items {
		whole[i] = item
	}
	catalog.Keep(o, map[string]any{s.Type.Set: whole})
	return o, nil
}

// whole reads the items of a list until their total adds up.
func (l lister) whole(ctx context.Context) ([]map[string]any, error) {
	for try := 1; ; try++ {
		l.back()
		items, total, err := l.pages(ctx)
		if err == nil && total >= 0 && total != len(items) {
			err = l.incomplete("its total is %d, but its pages hold %d", total, len(items))
		}
		var incomplete *IncompleteError
		if !errors.As(err, &incomplete) || try == listTries {
			return items, err
		}
	}
}

// complete reads a list until what it says of itself adds up.
func (l lister) complete(ctx context.Context, t *catalog.Bound) ([]*resource.Object, error) {
	for try := 1; ; try++ {
		l.back()
		out, err := l.read(ctx, t)
		var incomplete *IncompleteError
		if !errors.As(err, &incomplete) || try == listTries {
			return out, err
		}
	}
}

// read reads all pages once.
func (l lister) read(ctx context.Context, t *catalog.Bound) ([]*resource.Object, error) {
	items, total, err := l.pages(ctx)
	if err != nil {
		return nil, err
	}
	top := len(items)
	if t.Tree != nil {
		if items, err = flatten(items, t.Tree.Children); err != nil {
			return nil, l.incomplete("%v", err)
		}
	}
	if total >= 0 && total != top && total != len(items) {
		return nil, l.incomplete("its total is %d, but its pages hold %d", total, top)
	}
	out := make([]*resource.Object, len(items))
	seen := map[[2]string]bool{}
	for i, item := range items {
		if t.MapKey != "" && t.Link == "" && stringOf(item[t.KeyIn]) == "" {
			return nil, l.incomplete("item %d has no %s", i+1, t.KeyIn)
		}
		out[i] = object(t, item, "")
		key := [2]string{catalog.ParentID(out[i]), out[i].ID}
		if key[1] != "" && seen[key] {
			return nil, l.incomplete("item %s was returned twice", key[1])
		}
		seen[key] = true
		switch field := lacking(t, item, out[i]); {
		case field == "":
		case catalog.MayLack(t, field):
			out[i].Lacks = field
		default:
			return nil, l.incomplete("item %d has no %s", i+1, field)
		}
	}
	return out, nil
}

// pages follows a list to its end and returns its items and its total, -1 where
// it has none.
func (l lister) pages(ctx context.Context) (items []map[string]any, total int, err error) {
	total = -1
	seen := map[string]bool{}
	for n := 1; n <= maxPages; n++ {
		res, err := l.t.client.Do(ctx, Request{Method: l.op.Method, Path: l.path, Query: l.query, Global: l.op.Global})
		if err != nil {
			return nil, 0, err
		}
		p, err := parsePage(l.op, res.Body, l.query)
		if err != nil {
			return nil, 0, l.incomplete("%v", err)
		}
		if n > 1 && p.total != total {
			return nil, 0, l.incomplete("its total changed from %d to %d while it was read", total, p.total)
		}
		total = p.total
		items = append(items, p.items...)
		if p.next == "" || l.op.Paging() == contract.PagingNumber && (len(items) >= total || len(p.items) == 0) {
			return items, total, nil
		}
		if len(p.items) == 0 {
			return nil, 0, l.incomplete("page %d is empty, but the list continues", n)
		}
		if seen[p.next] {
			return nil, 0, l.incomplete("page %d leads back to an earlier page", n)
		}
		seen[p.next] = true
		l.turn(p)
	}
	return nil, 0, l.incomplete("more than %d pages", maxPages)
}

func (l lister) incomplete(format string, args ...any) error {
	return &IncompleteError{Method: l.op.Method, Path: l.path, Reason: fmt.Sprintf(format, args...)}
}
