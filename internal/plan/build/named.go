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

// namer is a resource that is there after the plan, with what it may say then.
type namer struct {
	t         *resource.Type
	ancestors []string
	fields    map[string]any
	who       string             // in a sentence
	r         *resource.Resource // nil where it is an object that stays as it is
}

// namers are all that may name others after the plan: what is declared, as it is
// declared, and what exists and is neither written nor deleted.
func namers(b *Draft, goes func(resource.Part) bool) []namer {
	var out []namer
	seen := map[string]bool{}
	for _, r := range b.Set.Resources {
		if len(r.Type.Namings) == 0 || r.External != nil {
			continue
		}
		ancestors := b.KnownAncestors(r)
		if o := b.Snapshot.Object(r); o != nil && b.writes(r) && !b.refused[r] {
			seen[ObjectKey(r.Type, o.ID, ancestors)] = true
		}
		if b.Mode.Brings() {
			out = append(out, namer{r.Type, ancestors, b.resolve(r).Plain, r.Describe(), r})
		}
	}
	for _, x := range namingParts(b) {
		if key := ObjectKey(x.Type, x.Object.ID, x.Ancestors); !seen[key] && !goes(x) {
			seen[key] = true
			out = append(out, namer{x.Type, x.Ancestors, x.Object.Fields, described(b, x.Type, x.Object, x.Ancestors), nil})
		}
	}
	return out
}

// namingParts are the objects that were read and may name others: for the plan, or
// because something with their parent is deleted.
func namingParts(b *Draft) []resource.Part {
	var out []resource.Part
	for _, t := range b.Types.All() {
		if len(t.Namings) > 0 {
			out = append(out, b.objects.of(t)...)
		}
	}
	return append(out, b.Users.Naming()...)
}

// tellStillNamed names the resources that stay and have the name of one that the plan
// deletes in a field where a name may also come from elsewhere.
func tellStillNamed(b *Draft) {
	deleted := names{}
	for _, c := range b.Plan.Changes {
		if o := b.gone[c]; o != nil && c.Action == plan.Delete && !c.Replace && !b.staying(c) {
			deleted.add(b.Types.Kind(c.ResourceType), plan.AncestorsOf(c), o.Fields, c)
		}
	}
	if len(deleted) == 0 {
		return
	}
	for _, x := range namers(b, func(x resource.Part) bool { return deletedBy(b, x) != nil }) {
		type saying struct {
			c     *plan.Change
			field string
		}
		said := map[saying]bool{}
		x.t.NamesIn(x.fields, func(n resource.Naming, at value.Path, v any) {
			name, _ := v.(string)
			s := saying{deleted[plan.PlaceKey(n.Kind, x.ancestors, name)], at.Generic().String()}
			if !n.Open || s.c == nil || said[s] {
				return
			}
			said[s] = true
			what := b.Types.Kind(n.Kind)
			b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{Message: fmt.Sprintf("the %s is deleted, and the %s still names it in %s: remove the name, or declare the %s", what.Describe(b.gone[s.c]), x.who, s.field, what.Words)})
		})
	}
}
