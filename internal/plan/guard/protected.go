package guard

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// Protected refuses to delete a protected resource. Of a root, what is live
// counts and what is declared: unprotecting and deleting are never in one plan.
// A child carries no label, nor do some roots, so what is declared is all there is.
func Protected(b *build.Sequence) map[*plan.Change]string {
	out := map[*plan.Change]string{}
	for _, c := range b.Plan.Changes {
		if c.Action != plan.Delete || !c.Protection {
			continue
		}
		if c.Replace && c.Half != nil && !c.Half.Protection && c.Parent == nil {
			out[c] = unprotectFirst(b, c)
			continue
		}
		first := "Remove protected: true and apply that first"
		if t := b.AllTypes.Kind(c.ResourceType); c.Parent != nil || t != nil && !t.Owned {
			first = "Remove protected: true from its declaration first"
		}
		out[c] = fmt.Sprintf("It is protected. %s; then the %s can be deleted.", first, resource.Words(c.ResourceType))
	}
	return out
}

// unprotectFirst says how to replace a resource that the configuration no longer
// protects.
func unprotectFirst(b *build.Sequence, c *plan.Change) string {
	var fields []string
	t := b.AllTypes.Kind(c.ResourceType)
	for _, x := range c.Half.FieldChanges {
		p := value.ParsePath(x.Field)
		if p[0] != "kongctl" && p[0] != "labels" && t.Immutable(p.Generic()) {
			fields = append(fields, x.Field)
		}
	}
	if len(fields) == 0 {
		fields = []string{"the fields that replace it"}
	}
	return fmt.Sprintf("It is still protected in Konnect. First apply the configuration without the change of %s, which removes the protection; then the %s can be replaced.",
		diag.Join(fields, "and"), resource.Words(c.ResourceType))
}
