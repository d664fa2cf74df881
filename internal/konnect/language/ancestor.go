package language

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// ancestor is what the parent of a flat resource belongs to, as people name it.
type ancestor struct {
	t    *catalog.Bound
	name value.Value
}

// ancestorType is the type above the parent that a key names.
func ancestorType(t *catalog.Bound, key string) *catalog.Bound {
	if t.Parent == nil || t.Write().At([]string{key}, nil) != nil {
		return nil
	}
	for below := t.Parent; below.Parent != nil; below = below.Parent {
		if slices.Contains(below.ParentKeys(), key) {
			return below.Parent
		}
	}
	return nil
}

// fits reports whether a possible parent belongs to what a resource names
// besides it.
func fits(b *state, r, parent *resource.Resource) bool {
	for _, a := range b.above[r] {
		owner := parent.Parent
		for owner != nil && catalog.Of(owner) != a.t {
			owner = owner.Parent
		}
		name, isText := a.name.Text()
		switch e := a.name.Expr(); {
		case e != nil && e.Op == value.OpRef:
			name, isText = e.Name, true
		case e != nil && e.Op == value.OpLookup && owner != nil:
			if !says(e.Args, owner) {
				return false
			}
			continue
		}
		if !isText || owner == nil || name != owner.Ref && name != owner.Name && (owner.External == nil || name != owner.External.ID) {
			return false
		}
	}
	return true
}

// says reports whether what a lookup says of a resource, its name or id, is that of a
// declared one.
func says(args *value.Value, r *resource.Resource) bool {
	for _, e := range args.Entries() {
		text, _ := e.Value.Text()
		isID := e.Key == keyID && r.External != nil && oneID(text) == r.External.ID
		isName := slices.Contains(r.Type.NameFields(), e.Key) && text != "" && text == r.Name
		if !isID && !isName {
			return false
		}
	}
	return true
}

// beyond is how a flat resource names what its parent belongs to, beside its parent.
func beyond(b *state, r *resource.Resource) (*resource.Resource, value.Value) {
	for _, a := range b.above[r] {
		if a.t == catalog.Of(r).Parent.Parent {
			return nil, a.name
		}
	}
	return noParent()
}
