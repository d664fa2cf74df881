package query

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/resource"
)

// Reader is what can be read of Konnect.
type Reader interface {
	List(ctx context.Context, s remote.Scope) ([]*resource.Object, error)
	Read(ctx context.Context, s remote.Scope, id string) (*resource.Object, error)
	Whoami(ctx context.Context, path string) (map[string]any, error)
}

// Selection names one resource: by name or by id.
type Selection struct{ Name, ID string }

// Request is what to read.
type Request struct {
	Asked
	// Parents name resources by the words of their flags.
	Parents map[string]Selection
	// SkipSystem leaves out what Konnect made by itself.
	SkipSystem bool
}

// Answer is what was found.
type Answer struct {
	// Type is nil for what is no resource.
	Type *catalog.Bound
	// Bodies are what Konnect returned; secrets are masked.
	Bodies []map[string]any
	// One says that one object was asked for, not a list.
	One bool
	// Of names one of what is no resource, and Columns are the fields to show of it.
	Of      string
	Columns []string
}

// NotFoundError says that there is no such resource.
type NotFoundError struct{ Kind, Name string }

// Error names it.
func (e *NotFoundError) Error() string {
	if e.Name == "" {
		return e.Kind + " not found"
	}
	return fmt.Sprintf("%s %q not found", e.Kind, e.Name)
}

// AmbiguousError says that several resources have the name.
type AmbiguousError struct {
	Kind, Name string
	IDs        []string
	// Variants tell them apart, where their type has a field for that.
	Variants []string
}

// Error lists the ids.
func (e *AmbiguousError) Error() string {
	ids := slices.Clone(e.IDs)
	for i, v := range e.Variants {
		if v != "" {
			ids[i] += " (" + v + ")"
		}
	}
	return fmt.Sprintf("%d resources of type %s have the name %q; use an id: %s", len(e.IDs), e.Kind, e.Name, strings.Join(ids, ", "))
}

// Run reads what is asked for.
func Run(ctx context.Context, from Reader, cat *catalog.Catalog, r Request) (*Answer, error) {
	if r.Type == nil {
		body, err := from.Whoami(ctx, r.Path)
		if err != nil {
			return nil, err
		}
		return &Answer{Bodies: []map[string]any{body}, One: true}, nil
	}
	t := cat.Kind(r.Type.Kind)
	r.Parents = fullWords(t, r.Parents)
	q := &query{Reader: from, request: r, cat: cat}
	own, selected := r.Parents[catalog.FlagWord(r.Type)]
	if err := q.check(t, selected); err != nil {
		return nil, err
	}
	scope, err := q.scope(ctx, t)
	if open := (*openError)(nil); errors.As(err, &open) {
		return q.orName(ctx, open, selected)
	}
	if err != nil {
		return nil, err
	}
	if r.Name != "" {
		own, selected = Selection{Name: r.Name}, true
	}
	if t.Shape == catalog.Singleton {
		return q.single(ctx, t, scope)
	}
	if r.Group != "" {
		return q.group(ctx, t, scope, own, selected)
	}
	if r.Part != "" {
		return q.part(ctx, t, scope, own, selected)
	}
	if selected {
		return q.one(ctx, scope, own)
	}
	objects, err := q.list(ctx, scope)
	if err != nil {
		return nil, err
	}
	out := &Answer{Type: q.shown(t), Bodies: []map[string]any{}}
	for _, o := range objects {
		if system := o.System || catalog.Body(o)[out.Type.SystemFlag] == true; !system || !r.SkipSystem {
			out.Bodies = append(out.Bodies, Masked(out.Type, catalog.Body(o)))
		}
	}
	return out, nil
}

// one reads one resource.
func (q *query) one(ctx context.Context, s remote.Scope, by Selection) (*Answer, error) {
	o, err := q.find(ctx, s, by)
	if err != nil {
		return nil, err
	}
	t := q.shown(s.Type)
	return &Answer{Type: t, Bodies: []map[string]any{Masked(t, catalog.Body(o))}, One: !t.AsList}, nil
}

type query struct {
	Reader
	request Request
	cat     *catalog.Catalog
}

// shown is the type of what Konnect returns: of a link what it leads to.
func (q *query) shown(t *catalog.Bound) *catalog.Bound {
	if t.Link != "" {
		return q.cat.Kind(catalog.Linked(t))
	}
	return t
}

// fullWords names parents by the whole of their words: event-gateway, where gateway
// is said of something below one.
func fullWords(t *catalog.Bound, parents map[string]Selection) map[string]Selection {
	out := maps.Clone(parents)
	for p := t; p != nil; p = p.Parent {
		word := catalog.FlagWord(p.Type)
		_, short, ok := strings.Cut(word, "-")
		if s, said := parents[short]; ok && said && p.Parent == nil {
			if _, both := parents[word]; !both {
				out[word] = s
				delete(out, short)
			}
		}
	}
	return out
}

// check refuses parents that the type does not have, and a name for what has none.
func (q *query) check(t *catalog.Bound, selected bool) error {
	words := []string{catalog.FlagWord(t.Type)}
	for p := t.Parent; p != nil; p = p.Parent {
		words = append(words, catalog.FlagWord(p.Type))
	}
	for _, word := range slices.Sorted(maps.Keys(q.request.Parents)) {
		if !slices.Contains(words, word) {
			e := &WordError{Message: fmt.Sprintf("%s has no parent %q", diag.A(catalog.Words(t.Kind)), word)}
			if len(words) > 1 {
				e.Hint = fmt.Sprintf("its parents: --%s-name.", strings.Join(words[1:], "-name, --"))
			}
			return e
		}
	}
	switch {
	case selected && q.request.Name != "":
		return notAChild(t.Type, q.request.Name)
	case t.Shape == catalog.Singleton && q.request.Name != "":
		return &WordError{Message: fmt.Sprintf("%s has only one %s; %q cannot be chosen", diag.A(catalog.OwnerWords(t)), catalog.Words(t.Kind), q.request.Name)}
	}
	return nil
}

// scope finds the parents. Without one, a type that is listed over all parents is.
func (q *query) scope(ctx context.Context, t *catalog.Bound) (remote.Scope, error) {
	out := remote.Scope{Type: t}
	var chain []*catalog.Bound
	for p := t.Parent; p != nil; p = p.Parent {
		chain = append([]*catalog.Bound{p}, chain...)
	}
	for _, p := range chain {
		word := catalog.FlagWord(p.Type)
		selection, ok := q.request.Parents[word]
		if !ok && t.ListParent != "" && len(out.Ancestors) == 0 {
			return out, nil
		}
		if !ok {
			says := fmt.Sprintf("%s belongs to %s: which one?", diag.A(catalog.Words(t.Kind)), diag.A(catalog.Words(p.Kind)))
			return out, &openError{WordError{says, which(p)}, remote.Scope{Type: p, Ancestors: out.Ancestors}}
		}
		id := selection.ID
		if id == "" {
			o, err := q.find(ctx, remote.Scope{Type: p, Ancestors: out.Ancestors}, selection)
			if err != nil {
				return out, err
			}
			id = o.ID
		}
		out.Ancestors = append(out.Ancestors, id)
	}
	return out, nil
}

// part reads a mapping of one resource: all of its keys, or one.
func (q *query) part(ctx context.Context, t *catalog.Bound, s remote.Scope, own Selection, selected bool) (*Answer, error) {
	r := q.request
	if !selected {
		return q.orName(ctx, belong(r.Part, s), false)
	}
	o, err := q.find(ctx, s, own)
	if err != nil {
		return nil, err
	}
	parts, _ := Masked(t, catalog.Body(o))[r.Part].(map[string]any)
	out := &Answer{Bodies: []map[string]any{}, One: r.Key != ""}
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		if r.Key == "" || r.Key == key {
			out.Bodies = append(out.Bodies, map[string]any{"key": key, partValue(parts[key]): parts[key]})
		}
	}
	if out.One && len(out.Bodies) == 0 {
		return nil, &NotFoundError{catalog.Words(catalog.Singular(r.Part)), r.Key}
	}
	return out, nil
}

// partValue is what the value of a key is called.
func partValue(v any) string {
	if _, several := v.([]any); several {
		return "values"
	}
	return "value"
}

func (q *query) single(ctx context.Context, t *catalog.Bound, s remote.Scope) (*Answer, error) {
	o, err := q.Read(ctx, s, "")
	if n := len(s.Ancestors); n > 0 && client.IsNotFound(err) {
		return nil, &NotFoundError{catalog.Words(t.Parent.Kind), s.Ancestors[n-1]}
	}
	if err != nil {
		return nil, err
	}
	if o == nil {
		return nil, &NotFoundError{Kind: catalog.Words(t.Kind)}
	}
	if t.Set != "" {
		kind, _ := catalog.Members(t)
		out := &Answer{Type: q.cat.Kind(kind), Bodies: []map[string]any{}}
		items, _ := catalog.Body(o)[t.Set].([]any)
		for _, item := range items {
			body, _ := item.(map[string]any)
			out.Bodies = append(out.Bodies, Masked(out.Type, body))
		}
		return out, nil
	}
	return &Answer{Type: t, Bodies: []map[string]any{Masked(t, catalog.Body(o))}, One: true}, nil
}

var idForm = pattern.New(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)

// list reads all of a scope. If that does not exist, its parent does not either.
func (q *query) list(ctx context.Context, s remote.Scope) ([]*resource.Object, error) {
	objects, err := q.List(ctx, s)
	if n := len(s.Ancestors); n > 0 && client.IsNotFound(err) {
		return nil, &NotFoundError{catalog.Words(s.Type.Parent.Kind), s.Ancestors[n-1]}
	}
	if s.Type.Link != "" {
		for i, o := range objects {
			objects[i] = catalog.With(o, catalog.Body(o))
		}
	}
	return objects, err
}

// find reads one resource, whole.
func (q *query) find(ctx context.Context, s remote.Scope, by Selection) (*resource.Object, error) {
	word := by.Name
	if by.ID != "" {
		word = by.ID
	}
	kind := catalog.Words(s.Type.Kind)
	// Where one is a list of one, it is what the list says, however it is named.
	complete := s.Type.Depth() == len(s.Ancestors) && !q.shown(s.Type).AsList
	if idForm.MatchString(word) && s.Type.Read != nil && complete {
		o, err := q.Read(ctx, s, word)
		if err != nil || o != nil {
			return o, err
		}
	}
	objects, err := q.list(ctx, s)
	if err != nil {
		return nil, err
	}
	found := catalog.Matching(q.shown(s.Type), word, objects)
	if len(found) == 0 && by.ID == "" {
		if found, err = q.byReference(ctx, s, word, objects); err != nil {
			return nil, err
		}
	}
	switch {
	case len(found) == 0 || by.ID != "" && found[0].ID != by.ID:
		return nil, &NotFoundError{kind, word}
	case len(found) > 1:
		e := &AmbiguousError{Kind: kind, Name: word}
		for _, o := range found {
			e.IDs = append(e.IDs, o.ID)
			e.Variants = append(e.Variants, s.Type.Neutral().VariantOf(o))
		}
		return nil, e
	case s.Type.Read == nil || !complete || !s.Type.ListLacksFields():
		return found[0], nil
	}
	whole, err := q.Read(ctx, s, found[0].ID)
	if err != nil {
		return nil, err
	}
	if whole == nil { // deleted in the meantime
		return nil, &NotFoundError{kind, word}
	}
	return whole, nil
}

// which says how to name a resource of a type: by the field that it is known by.
func which(t *catalog.Bound) string {
	word, field := catalog.FlagWord(t.Type), t.NameField()
	if !slices.Contains(NameFields(word), field) {
		field = "name"
	}
	return fmt.Sprintf("add --%s-%s %s or --%s-id ID.", word, field, strings.ToUpper(field), word)
}
