package build

import (
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
)

// mayReplace refuses to make a resource again that others hang on, unless its
// ref is allowed by name.
func mayReplace(b *Draft, r *resource.Resource, fields []string) bool {
	if !needsPermission(r) || Permits(b, b.AllowReplace, r.Type.Kind, r.Ref) {
		return true
	}
	b.Plan.Blocked = append(b.Plan.Blocked, plan.Blocked{
		ResourceType: r.Type.Kind, ResourceRef: r.Ref, Action: plan.Delete, By: "replace",
		Message: fmt.Sprintf("%s of %s cannot be changed in place; making %q again would delete everything that belongs to it. Allow it with --allow-replace %s.",
			strings.Join(fields, ", "), diag.A(r.Type.Words), r.Ref, Named(replaceable(b), r.Type.Kind, r.Ref)),
	})
	return false
}
