package plan

import "github.com/kongctl/kongctl/internal/resource"

// Mark finds the changes whose root carries no mark of a namespace. What the types
// are is not part of a document.
func (p *Plan) Mark(types *resource.Types) {
	for _, c := range p.Changes {
		t := types.Kind(c.ResourceType)
		if t == nil || t.Attached {
			continue
		}
		c.Unmarked = !t.Top().Owned
	}
}

// Space is the namespace to show people, "" where it has no meaning.
func (c *Change) Space() string {
	if c.Unmarked {
		return ""
	}
	return c.Namespace
}
