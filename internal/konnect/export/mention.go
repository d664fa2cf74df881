package export

import (
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

var assignedID = pattern.New(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// mentioned is the exported root whose id a text is, though the contract does not say
// that its field refers to something: a control plane in the filters of a dashboard.
// It is nil where a reference would make a circle.
func (n *names) mentioned(from *Resource, text string) *Resource {
	if !assignedID.MatchString(text) || len(n.index[text]) != 1 {
		return nil
	}
	r := n.index[text][0]
	if r.Parent != nil || r.external || r == from.Root() || r.holds(from.Root().Object.ID) {
		return nil
	}
	return r
}

// holds reports whether a resource, or what belongs to it, has a text.
func (r *Resource) holds(text string) bool {
	if holds(r.Object.Fields, text) {
		return true
	}
	for _, c := range r.children {
		if c.holds(text) {
			return true
		}
	}
	return false
}

func holds(v any, text string) bool {
	switch x := v.(type) {
	case string:
		return x == text
	case map[string]any:
		for _, y := range x {
			if holds(y, text) {
				return true
			}
		}
	case []any:
		for _, y := range x {
			if holds(y, text) {
				return true
			}
		}
	}
	return false
}

// reference is a text that refers to a resource.
func (n *names) reference(r *Resource) value.Value {
	return value.ExprAt(value.Pos{}, value.Expression{Op: value.OpRef, Name: n.refs[r], Field: "id"})
}
