package plan

import (
	"fmt"

	"kongctl/internal/catalog"
	"kongctl/internal/config"
)

// guardProtected refuses to delete a protected resource or what belongs to it.
// What counts is what is live and what is declared: unprotecting and deleting
// are never in one plan.
func guardProtected(b *builder) map[*Change]string {
	out := map[*Change]string{}
	for _, c := range b.plan.Changes {
		if c.Action != Delete || !c.Protection {
			continue
		}
		what := "It"
		if c.Parent != nil {
			what = "What it belongs to"
		}
		out[c] = fmt.Sprintf("%s is protected. Remove protected: true and apply that first; then the %s can be deleted.", what, catalog.Words(c.ResourceType))
	}
	return out
}

// protected tells whether a root is protected, live or declared.
func (b *builder) protected(root *config.Resource) bool {
	if root == nil {
		return false
	}
	o := b.Snapshot.Object(root)
	return root.Protected || (o != nil && o.Labels[ProtectedLabel] == "true")
}
