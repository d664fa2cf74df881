package build

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
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

// tellStillNamed names the resources that stay and have the name of one that the plan
// deletes in a field: Konnect deletes it all the same.
func tellStillNamed(b *Draft) {
	deleted := names{}
	for _, c := range b.Plan.Changes {
		if o := b.gone[c]; o != nil && c.Action == plan.Delete && !c.Replace {
			deleted.add(b.Types.Kind(c.ResourceType), plan.AncestorsOf(c), o.Fields, c)
		}
	}
	if len(deleted) == 0 {
		return
	}
	declared := map[string]bool{}
	for _, r := range b.Set.Resources {
		if len(r.Type.Namings) == 0 || !plannable(b, r) {
			continue
		}
		ancestors := b.KnownAncestors(r)
		if o := b.Snapshot.Object(r); o != nil {
			declared[ObjectKey(r.Type, o.ID, ancestors)] = true
		}
		deleted.tell(b, r.Type, ancestors, b.resolve(r).Plain, r.Describe())
	}
	for _, t := range b.Types.All() {
		if len(t.Namings) == 0 {
			continue
		}
		for _, x := range b.Snapshot.Objects(t) {
			if key := ObjectKey(t, x.Object.ID, x.Ancestors); !declared[key] && b.Deletes[key] == nil {
				deleted.tell(b, t, x.Ancestors, x.Object.Fields, t.Describe(x.Object))
			}
		}
	}
}

// tell warns of each of the changes, which are deletes, whose resource a field of
// another one names.
func (n names) tell(b *Draft, t *resource.Type, ancestors []string, fields map[string]any, by string) {
	for _, naming := range t.Namings {
		if naming.Inside != "" {
			continue
		}
		for _, field := range naming.Fields {
			said := map[*plan.Change]bool{}
			for _, name := range value.TextsAt(fields, value.ParsePath(field)) {
				c := n[plan.PlaceKey(naming.Kind, ancestors, name)]
				if c == nil || said[c] {
					continue
				}
				said[c] = true
				what := b.Types.Kind(naming.Kind)
				b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{Message: fmt.Sprintf("the %s is deleted, and the %s still names it in %s: remove the name, or declare the %s", what.Describe(b.gone[c]), by, field, what.Words)})
			}
		}
	}
}
