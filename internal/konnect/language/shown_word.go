package language

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// word reports whether a path leads to a word of the language that holds a name, a
// ref, an id or a choice, and no text of another kind.
func (f *Fields) word(path []string) bool {
	if len(path) < 2 {
		return false
	}
	switch path[0] {
	case keyDefaults:
		return path[1] == keyMeta && inMeta(path[2:]) || path[1] == keyPrune && len(path) == 2
	case keyMoved:
		return len(path) == 2 && slices.Contains([]string{keyType, keyFrom, keyTo}, path[1])
	case keyExternals:
		return len(path) == 2 && slices.Contains([]string{keyRef, keyResourceType}, path[1]) || inParent(f.parents, path[1:]) || f.inSelector(nil, path[1:])
	}
	t, rest := f.holder(path)
	if t == nil || len(rest) == 0 {
		return false
	}
	switch key := rest[0]; {
	case key == keyMeta:
		return inMeta(rest[1:])
	case key == keyExternal:
		return f.inSelector(t, rest[1:])
	case inParent(t.ParentKeys(), rest):
		return true
	case len(rest) > 1:
		return false
	case ancestorType(t, key) != nil, slices.ContainsFunc(catalog.LoadedKeys(t), func(l catalog.Loaded) bool { return l.Field == key }):
		return true
	}
	sides := slices.ContainsFunc(f.cat.All(), func(of *catalog.Bound) bool {
		return slices.ContainsFunc(f.cat.Sides(of), func(s catalog.Side) bool { return s.Type == t && s.List == rest[0] })
	})
	return sides || slices.Contains([]string{keyRef, keyID, t.MapKey}, rest[0]) || t.Tree != nil && rest[0] == t.Tree.Parent
}

// inMeta reports whether keys lead to the name in a kongctl block.
func inMeta(rest []string) bool { return len(rest) == 1 && rest[0] == "namespace" }

// inParent reports whether keys lead to what names a parent.
func inParent(keys, rest []string) bool {
	return slices.Contains(keys, rest[0]) && (len(rest) == 1 || len(rest) == 2 && slices.Contains([]string{keyRef, keyID, "name"}, rest[1]))
}

// inSelector reports whether keys lead to what an external is found by: an id, or a
// field that is no secret. What matchExpressions compare with is not known by the
// keys.
func (f *Fields) inSelector(t *catalog.Bound, rest []string) bool {
	switch {
	case len(rest) == 1:
		return rest[0] == keyID
	case len(rest) != 3 || rest[0] != keySelector:
		return false
	case rest[1] == keyMatchExpressions:
		return rest[2] == keyField || rest[2] == keyOperator || rest[2] == keyKey
	case rest[1] != keyMatchFields:
		return false
	case t != nil:
		at := t.ReturnedAt([]string{rest[2]})
		return at.OK && !at.Secret
	}
	return f.plain[rest[2]] && !f.secret[rest[2]]
}
