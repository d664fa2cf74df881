package build

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// pruned is a child that a sync deletes because nothing declares it.
type pruned struct {
	resource.Part
	parent *resource.Resource
}

func (x pruned) key() string { return ObjectKey(x.Type, x.Object.ID, x.Ancestors) }

// keepNamed leaves those out that a field of something that stays names: what is named
// there must exist. The plan says so. What stays may name others in turn.
func keepNamed(b *Draft, all []pruned) []pruned {
	if !slices.ContainsFunc(all, func(x pruned) bool { return len(b.Types.NamedBy(x.Type.Kind)) > 0 }) {
		return all
	}
	for {
		why := namedStill(b, all)
		if len(why) == 0 {
			return all
		}
		all = slices.DeleteFunc(all, func(x pruned) bool {
			text := why[x.key()]
			if text != "" {
				b.Plan.Warnings = append(b.Plan.Warnings, plan.Warning{Message: fmt.Sprintf("the %s is not declared and stays, because %s", described(b, x.Type, x.Object, x.Ancestors), text)})
			}
			return text != ""
		})
	}
}

// namedStill says of the objects which of them something that stays names.
func namedStill(b *Draft, all []pruned) map[string]string {
	going, called := map[string]bool{}, map[string]pruned{}
	for _, x := range all {
		going[x.key()], called[x.key()] = true, x
		if name := x.Type.NameIn(x.Object.Fields); name != "" {
			called[plan.PlaceKey(x.Type.Kind, x.Ancestors, name)] = x
		}
	}
	goes := func(x resource.Part) bool {
		return going[ObjectKey(x.Type, x.Object.ID, x.Ancestors)] || deletedBy(b, x) != nil
	}
	why := map[string]string{}
	keep := func(x pruned, text string) {
		if why[x.key()] == "" {
			why[x.key()] = text
		}
	}
	for _, by := range namers(b, goes) {
		by.t.NamesIn(by.fields, func(n resource.Naming, at value.Path, v any) {
			if n.Open {
				return
			}
			if name, isText := v.(string); isText {
				if x, named := called[plan.PlaceKey(n.Kind, by.ancestors, name)]; named {
					keep(x, fmt.Sprintf("the %s names it", by.who))
				}
				return
			}
			for _, x := range all {
				if mayName(b, by, n, at, v) && x.Type.Kind == n.Kind && slices.Equal(x.Ancestors, by.ancestors) {
					keep(x, fmt.Sprintf("the %s may name it: its %s is known only when the plan runs", by.who, at))
				}
			}
		})
	}
	return why
}

// mayName reports whether a value that is known when the plan runs may be the name of
// any resource of the kind: a reference to one of them is no other's.
func mayName(b *Draft, by namer, n resource.Naming, at value.Path, v any) bool {
	if _, unknown := v.(value.Unknown); !unknown || by.r == nil {
		return false
	}
	link, ok := b.Links.At(by.r, at)
	return !ok || link.Target.Type.Kind != n.Kind || link.Field != "id" && !link.Target.Type.IsIdentity(value.ParsePath(link.Field))
}
