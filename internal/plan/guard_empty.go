package plan

import (
	"fmt"
	"slices"

	"kongctl/internal/catalog"
	"kongctl/internal/diag"
)

// guardEmpty refuses to delete every resource of a type that the configuration
// never mentions: more likely a file is missing than all of them unwanted.
func guardEmpty(b *builder) map[*Change]string {
	mentioned := map[string]bool{}
	for kind := range b.Set.Roots {
		mentioned[kind] = true
	}
	for _, r := range b.Set.Resources {
		mentioned[r.Type.Kind] = true
		for _, t := range r.Type.Children {
			if r.Written[t.Key] {
				mentioned[t.Kind] = true
			}
		}
	}
	byKind := map[string][]*Change{}
	for _, c := range b.plan.Changes {
		if c.Action == Delete && !c.Replace && !mentioned[c.ResourceType] {
			byKind[c.ResourceType] = append(byKind[c.ResourceType], c)
		}
	}
	out := map[*Change]string{}
	for kind, changes := range byKind {
		if len(changes) < 2 || slices.Contains(b.AllowEmpty, kind) || slices.Contains(b.AllowEmpty, "*") {
			continue
		}
		for _, c := range changes {
			out[c] = fmt.Sprintf("The configuration never mentions %s, and all %d would be deleted. If that is meant, add --allow-empty %s.", diag.A(catalog.Words(kind)), len(changes), kind)
		}
	}
	return out
}
