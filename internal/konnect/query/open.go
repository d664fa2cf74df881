package query

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
)

// openError is about words that ask for what a resource has, and no flag says which
// resource: one of a scope.
type openError struct {
	WordError
	of remote.Scope
}

// belong says that a part, or a group of children, belongs to a resource.
func belong(what string, s remote.Scope) *openError {
	says := fmt.Sprintf("the %s belong to %s: which one?", catalog.Words(what), diag.A(catalog.Words(s.Type.Kind)))
	return &openError{WordError{says, which(s.Type)}, s}
}

// orName reads the resource whose name is the word that was taken for what resources
// of its type have. Where that does not exist, or a flag named the child, the question
// stays open which resource is meant.
func (q *query) orName(ctx context.Context, open *openError, selected bool) (*Answer, error) {
	or := q.request.Or
	if or == nil || selected || or.Type != open.of.Type.Type {
		return nil, q.choices(ctx, open)
	}
	out, err := q.one(ctx, open.of, Selection{Name: or.Name})
	var missing *NotFoundError
	var several *AmbiguousError
	switch {
	case err == nil, errors.As(err, &several), ctx.Err() != nil:
		return out, err
	case errors.As(err, &missing):
		return nil, q.choices(ctx, open)
	}
	flag := catalog.FlagWord(or.Type)
	open.Hint += fmt.Sprintf(" For the %s %q write --%s-name %s in its place.", catalog.Words(or.Type.Kind), or.Name, flag, or.Name)
	return nil, &open.WordError
}

// mostChoices is how many resources a question names.
const mostChoices = 5

// choices adds what there is to the question which resource is meant, where that can be
// read.
func (q *query) choices(ctx context.Context, open *openError) *WordError {
	objects, err := q.list(ctx, open.of)
	if err != nil {
		return &open.WordError
	}
	t := q.shown(open.of.Type)
	there := &Answer{Type: t}
	for _, o := range objects {
		there.Bodies = append(there.Bodies, Masked(t, catalog.Body(o)))
	}
	names, more := there.Names(), 0
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > mostChoices {
		names, more = names[:mostChoices], len(names)-mostChoices
	}
	for i, name := range names {
		names[i] = strconv.Quote(name)
	}
	if more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	if len(names) == 0 {
		names = []string{"none"}
	}
	open.Hint += " Konnect has " + diag.Join(names, "and") + "."
	return &open.WordError
}
