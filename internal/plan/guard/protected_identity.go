package guard

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
)

// guardProtectedIdentity refuses to delete an undeclared child where a protected
// one of its type is created: it may be that one, whose identity changed.
func guardProtectedIdentity(b *build.Draft) map[*plan.Change]string {
	out := map[*plan.Change]string{}
	for r, c := range b.Making {
		if !r.Protected || r.Type.Parent == nil || c.Action != plan.Create || c.Half != nil {
			continue
		}
		for _, d := range b.Plan.Changes {
			if d.Action == plan.Delete && d.Half == nil && d.ResourceType == c.ResourceType && plan.SameParent(c, d) {
				out[d] = fmt.Sprintf("The %s is protected and would be created. This may be it, before its identity changed. Remove protected: true from the declaration first.", r.Describe())
				out[c] = fmt.Sprintf("It is protected, and its identity may have changed: the plan would delete the %s %q. Remove protected: true first.", resource.Words(d.ResourceType), d.ResourceName)
			}
		}
	}
	return out
}
