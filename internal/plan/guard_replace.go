package plan

import (
	"fmt"
	"strings"

	"kongctl/internal/resource"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/diff"
)

// mayReplace refuses to make a resource again that others hang on, unless its
// ref is allowed by name.
func (b *builder) mayReplace(r *resource.Resource, fields []string) bool {
	if !needsPermission(r) || b.permits(b.AllowReplace, catalog.Of(r).Kind, r.Ref) {
		return true
	}
	b.plan.Blocked = append(b.plan.Blocked, Blocked{
		ResourceType: catalog.Of(r).Kind, ResourceRef: r.Ref, Action: Delete, By: "replace",
		Message: fmt.Sprintf("%s of %s cannot be changed in place; making %q again would delete everything that belongs to it. Allow it with --allow-replace %s.",
			strings.Join(fields, ", "), diag.A(catalog.Words(catalog.Of(r).Kind)), r.Ref, named(b.replaceable(), catalog.Of(r).Kind, r.Ref)),
	})
	return false
}

// immutable lists the changed fields that a resource must be replaced for.
func immutable(d diff.Delta) []string {
	var out []string
	for _, c := range d.Changes {
		if c.Immutable {
			out = append(out, c.Path.String())
		}
	}
	return out
}
