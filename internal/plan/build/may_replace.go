package build

import (
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
)

// mayReplace refuses to make a resource again that others hang on, unless its
// ref is allowed by name. It has fields that cannot be changed, or holds on to
// what is replaced.
func mayReplace(b *Draft, r *resource.Resource, fields, held []string) bool {
	if !NeedsPermission(r.Type) || Permits(b.Types, b.AllowReplace, r.Type.Kind, r.Ref) {
		return true
	}
	why := fmt.Sprintf("%s of %s cannot be changed in place", strings.Join(fields, ", "), diag.A(r.Type.Words))
	if len(fields) == 0 {
		why = fmt.Sprintf("%s of %s refers to what this plan replaces, and the %s cannot drop the reference in the meantime", strings.Join(held, ", "), diag.A(r.Type.Words), r.Type.Words)
	}
	b.Plan.Blocked = append(b.Plan.Blocked, refusedReplace(b, r, why))
	return false
}
