package build

import (
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// names are changes by where their resource is and what it is called, for fields
// that hold the names of siblings.
type names map[string]*plan.Change

func (n names) add(t *resource.Type, ancestors []string, fields map[string]any, c *plan.Change) {
	if name := t.NameIn(fields); name != "" {
		n[plan.PlaceKey(t.Kind, ancestors, name)] = c
	}
}

// each goes through the changes of what the fields of a resource name.
func (n names) each(t *resource.Type, ancestors []string, fields map[string]any, do func(*plan.Change)) {
	t.NamedIn(fields, func(kind, name string) { do(n[plan.PlaceKey(kind, ancestors, name)]) })
}
