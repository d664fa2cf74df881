package build

import (
	"fmt"
	"maps"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"
)

// empties reports whether deleting roots of a type needs a permission, because
// the configuration does not mention the type in their namespace: more likely a
// file is missing, or the namespace is shared, than all of them unwanted.
func empties(b *Draft, t *resource.Type, namespace string) bool {
	if b.MayEmpty(t) {
		return false
	}
	return !slices.ContainsFunc(b.Types.All(), func(x *resource.Type) bool {
		return x.EmptyName() == t.EmptyName() && b.Set.Mentions(x.Kind, namespace)
	})
}

// MayEmpty reports whether the last resources of a type may be deleted though the
// configuration does not mention it.
func (b *Draft) MayEmpty(t *resource.Type) bool {
	return slices.Contains(b.AllowEmpty, t.EmptyName()) || slices.Contains(b.AllowEmpty, "*")
}

// refuseEmptying lists roots that are not deleted because the configuration does
// not mention their type in their namespace. They stay, so what refers to others
// that are deleted is detached like anything else that stays.
func refuseEmptying(b *Draft, t *resource.Type, byNamespace map[string][]*resource.Object) {
	for _, ns := range slices.Sorted(maps.Keys(byNamespace)) {
		message := fmt.Sprintf("The configuration does not mention %s in the namespace %s, so %s would be deleted. If that is intended, write %s: [] in a file of that namespace or pass --allow-empty %s; otherwise pass --prune declared.",
			resource.Words(t.Key), ns, allOf(len(byNamespace[ns]), owned(b, t, ns)), t.Root, t.Kind)
		if t.Together != "" {
			message = fmt.Sprintf("Nothing is declared in %s any more, so everything there would be deleted. If that is intended, pass --allow-empty %s.", ns, t.Together)
		}
		for _, o := range byNamespace[ns] {
			b.Plan.Blocked = append(b.Plan.Blocked, plan.Blocked{
				ResourceType: t.Kind, ResourceRef: liveRef(b, t, o, nil), Action: plan.Delete, By: "allow-empty",
				Message: message,
			})
		}
	}
}

// owned counts the resources of a type that a namespace has.
func owned(b *Draft, t *resource.Type, ns string) int {
	n := 0
	for _, x := range b.objects.of(t) {
		if x.Object.Owner.Namespace == ns && !x.Object.System {
			n++
		}
	}
	return n
}

// allOf says how many are meant.
func allOf(n, of int) string {
	switch {
	case n < of:
		return fmt.Sprintf("%d of %d", n, of)
	case n == 1:
		return "the only one"
	default:
		return fmt.Sprintf("all %d", n)
	}
}
