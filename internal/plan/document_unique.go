package plan

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/resource"
)

// Freed returns the changes of a plan after which a live resource does not have
// the value of a field any more: it is deleted, or gets another value.
func Freed(p *Plan, x resource.Part, field string) []*Change {
	var out []*Change
	for _, c := range p.Changes {
		place := map[string]bool{PlaceKey(c.ResourceType, AncestorsOf(c), c.ResourceID): true}
		_, changes := c.ChangedFields[field]
		switch {
		case c.Action == Delete && Within(place, x):
			out = append(out, c)
		case c.Action == Update && changes && place[PlaceKey(x.Type.Kind, x.Ancestors, x.Object.ID)]:
			out = append(out, c)
		}
	}
	return out
}

// HolderName names a live resource by its own name, or by that of its parent.
func HolderName(x resource.Part, parent *resource.Object) string {
	if parent == nil {
		return x.Type.Describe(x.Object)
	}
	return fmt.Sprintf("%s of the %s", x.Type.Words, x.Type.Parent.Describe(parent))
}
