package language

import (
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
	for above := t.Parent.Parent; above != nil; above = above.Parent {
		if key == above.Kind || key == above.Kind+"_id" {
			return above
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
		if e := a.name.Expr(); e != nil && e.Op == value.OpRef {
			name, isText = e.Name, true
		}
		if !isText || owner == nil || name != owner.Ref && name != owner.Name && (owner.External == nil || name != owner.External.ID) {
			return false
		}
	}
	return true
}
