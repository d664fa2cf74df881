package live

import (
	"context"

	"kongctl/internal/catalog"
	"kongctl/internal/config"
	"kongctl/internal/target"
)

// Find reads the roots of a type and returns those with an id or a name.
func Find(ctx context.Context, t target.Target, of *catalog.Bound, word string) (*Snapshot, []*target.Object, error) {
	s := &Snapshot{objects: map[*config.Resource]*target.Object{}, scopes: map[string][]*target.Object{}, read: map[string]bool{of.Kind: true}, taken: map[*target.Object]bool{}}
	scope := target.Scope{Type: of}
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

// byWord finds one object by its id, else all that have the name.
func byWord(t *catalog.Bound, word string, objects []*target.Object) []*target.Object {
	var found []*target.Object
	for _, o := range objects {
		if o.ID == word {
			return []*target.Object{o}
		}
		if len(t.Identity) == 1 && SameIdentity(t, map[string]any{t.Identity[0]: word}, o) {
			found = append(found, o)
		}
	}
	return found
}
