package live

import (
	"context"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/remote"
)

// Find reads the roots of a type and returns those with an id or a name.
func Find(ctx context.Context, t remote.Target, of *catalog.Bound, word string) (*Snapshot, []*resource.Object, error) {
	s := &Snapshot{objects: map[*resource.Resource]*resource.Object{}, scopes: map[string][]*resource.Object{}, read: map[string]bool{of.Kind: true}, taken: map[*resource.Object]bool{}}
	scope := remote.Scope{Type: of}
	objects, err := t.List(ctx, scope)
	if err != nil {
		return nil, nil, err
	}
	s.scopes[scopeKey(of, nil)] = objects
	found := byWord(of, word, objects)
	if !of.ListLacksFields() {
		return s, found, nil
	}
	for i, o := range found {
		whole, err := t.Read(ctx, scope, o.ID)
		if err != nil {
			return nil, nil, err
		}
		if whole != nil {
			found[i] = whole
		}
	}
	return s, found, nil
}

// byWord finds one object by its id, else all that have the name, else those that
// get would find.
func byWord(t *catalog.Bound, word string, objects []*resource.Object) []*resource.Object {
	var found []*resource.Object
	for _, o := range objects {
		if o.ID == word {
			return []*resource.Object{o}
		}
		if len(t.Identity) == 1 && resource.SameIdentity(t.Neutral(), map[string]any{t.Identity[0]: word}, o) {
			found = append(found, o)
		}
	}
	if len(found) == 0 {
		found = catalog.Matching(t, word, objects)
	}
	found, _ = catalog.Latest(t, found)
	return found
}
