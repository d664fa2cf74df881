package query

import (
	"context"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Names are what tells apart what was found: names, else ids, else what they are
// known by; of what a parent has one of, its words.
func (a *Answer) Names() []string {
	fields := []string{"name", "email", "key", "id"}
	if a.Type != nil {
		fields = append([]string{nameColumn(a.Type)}, "name", "email", "id")
	}
	out := make([]string, 0, len(a.Bodies))
	for _, body := range a.Bodies {
		name := ""
		for _, field := range fields {
			if name == "" && field != "" {
				name = cell(body, field)
			}
		}
		if name == "" && a.Type != nil {
			name = identity(a.Type, body)
		}
		out = append(out, name)
	}
	return out
}

// identity is what a resource without a name is known by: the values that tell it
// apart, else the words of its type.
func identity(t *catalog.Bound, body map[string]any) string {
	var parts []string
	for _, f := range append([]string{t.KeyIn + t.IDField}, t.Identity...) {
		if part := cell(t.Fields(body), f); part != "" && f != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return catalog.Words(t.Kind)
	}
	return strings.Join(parts, "-")
}

// byReference are the objects that a word means where they are known by what they
// refer to: by the name of that, such as the portal of a publication, or by all that
// they are known by, as plans print it.
func (q *query) byReference(ctx context.Context, s remote.Scope, word string, objects []*resource.Object) ([]*resource.Object, error) {
	names := map[string]map[string]string{} // by field, then by id
	for _, f := range s.Type.Identity {
		reference, ok := s.Type.Reference(value.ParsePath(f))
		if !ok {
			continue
		}
		above, ok := within(q.cat.Kind(reference.Kind), s)
		if !ok {
			continue
		}
		list, err := q.list(ctx, above)
		if err != nil {
			return nil, err
		}
		names[f] = map[string]string{}
		for _, o := range list {
			names[f][o.ID] = above.Type.Neutral().Name(o)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	var out []*resource.Object
	for _, o := range objects {
		var parts, referred []string
		for _, f := range s.Type.Identity {
			v, _ := value.Get(o.Fields, value.ParsePath(f))
			text, _ := v.(string)
			if name := names[f][text]; name != "" {
				text = name
				referred = append(referred, name)
			}
			if text != "" {
				parts = append(parts, resource.ShortName(text))
			}
		}
		if strings.Join(parts, "-") == word || slices.Contains(referred, word) {
			out = append(out, o)
		}
	}
	return out, nil
}

// within is where resources of a type are that those of a scope refer to: at the
// root, or below what the scope is below.
func within(t *catalog.Bound, s remote.Scope) (remote.Scope, bool) {
	out := remote.Scope{Type: t}
	if t == nil || t.Depth() == 0 {
		return out, t != nil
	}
	if t.Top() != s.Type.Top() || t.Depth() > len(s.Ancestors) {
		return out, false
	}
	for p, own := t.Parent, s.Type; p != nil; p = p.Parent {
		for own != nil && own != p {
			own = own.Parent
		}
		if own == nil {
			return out, false
		}
	}
	out.Ancestors = s.Ancestors[:t.Depth()]
	return out, true
}
