package plan

import (
	"fmt"
	"slices"
	"strings"

	"kongctl/internal/catalog"
	"kongctl/internal/config"
	"kongctl/internal/diag"
	"kongctl/internal/diff"
)

// mayReplace refuses to make a resource again that others hang on, unless its
// ref is allowed by name.
func (b *builder) mayReplace(r *config.Resource, d diff.Delta) bool {
	if r.Type.Parent != nil && len(r.Type.Children) == 0 {
		return true
	}
	if slices.Contains(b.AllowReplace, r.Ref) {
		return true
	}
	var fields []string
	for _, c := range d.Changes {
		if c.Immutable {
			fields = append(fields, c.Path.String())
		}
	}
	b.plan.Blocked = append(b.plan.Blocked, Blocked{
		ResourceType: r.Type.Kind, ResourceRef: r.Ref, Action: Delete, By: "replace",
		Message: fmt.Sprintf("%s of %s cannot be changed in place; making %q again would delete everything that belongs to it. Allow it with --allow-replace %s.",
			strings.Join(fields, ", "), diag.A(catalog.Words(r.Type.Kind)), r.Ref, r.Ref),
	})
	return false
}
