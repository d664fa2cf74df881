package query

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/remote"
)

// grouped are the children that a word means at once, each there once below its parent:
// assets, of which there are logo and favicon.
func grouped(t *catalog.Type, word string) (out []*catalog.Type) {
	for _, c := range catalog.Types() {
		if c.ChildOf == t && c.Shape == catalog.Singleton && strings.HasPrefix(c.Key, catalog.Singular(normal(word))+"_") {
			out = append(out, c)
		}
	}
	return out
}

// group reads those of several children that exist, each with the name that it has in
// the group.
func (q *query) group(ctx context.Context, t *catalog.Bound, s remote.Scope, own Selection, selected bool) (*Answer, error) {
	word := q.request.Group
	if !selected {
		return q.orName(ctx, belong(word, s), false)
	}
	parent, err := q.find(ctx, s, own)
	if err != nil {
		return nil, err
	}
	out := &Answer{Bodies: []map[string]any{}, Of: catalog.Words(catalog.Singular(word)), Columns: []string{"name"}}
	at := append(s.Ancestors[:len(s.Ancestors):len(s.Ancestors)], parent.ID)
	for _, c := range grouped(t.Type, word) {
		b := q.cat.Kind(c.Kind)
		o, err := q.Read(ctx, remote.Scope{Type: b, Ancestors: at}, "")
		if client.IsNotFound(err) || err == nil && o == nil {
			continue
		}
		if err != nil {
			return nil, err
		}
		body := map[string]any{"name": strings.TrimPrefix(c.Key, catalog.Singular(word)+"_")}
		maps.Copy(body, Masked(b, catalog.Body(o)))
		for _, field := range slices.Sorted(maps.Keys(body)) {
			if !slices.Contains(out.Columns, field) {
				out.Columns = append(out.Columns, field)
			}
		}
		out.Bodies = append(out.Bodies, body)
	}
	return out, nil
}
