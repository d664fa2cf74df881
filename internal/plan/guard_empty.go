package plan

import (
	"fmt"
	"slices"

	"kongctl/internal/catalog"
)

// guardEmpty refuses to delete roots of a type that the configuration does not
// mention in their namespace: more likely a file is missing, or the namespace is
// shared, than all of them unwanted. What belongs to a root follows it.
func guardEmpty(b *builder) map[*Change]string {
	type place struct{ kind, namespace string }
	groups := map[place][]*Change{}
	for _, c := range b.plan.Changes {
		t := b.Catalog.Kind(c.ResourceType)
		if c.Action != Delete || c.Replace || t == nil || t.Parent != nil || b.Set.Mentions(t.Kind, c.Namespace) {
			continue
		}
		if !slices.Contains(b.AllowEmpty, t.Kind) && !slices.Contains(b.AllowEmpty, "*") {
			at := place{t.Kind, c.Namespace}
			groups[at] = append(groups[at], c)
		}
	}
	out := map[*Change]string{}
	for at, changes := range groups {
		t := b.Catalog.Kind(at.kind)
		for _, c := range changes {
			out[c] = fmt.Sprintf("The configuration does not mention %s in the namespace %s, so %s would be deleted. If that is intended, write %s: [] in a file of that namespace or pass --allow-empty %s; otherwise pass --prune declared.",
				catalog.Words(t.Key), at.namespace, allOf(len(changes)), t.Root(), t.Kind)
		}
	}
	return out
}

func allOf(n int) string {
	if n == 1 {
		return "the only one"
	}
	return fmt.Sprintf("all %d", n)
}
