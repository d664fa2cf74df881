package guard

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"

	"github.com/kongctl/kongctl/internal/resource"
)

// guardCascade refuses a delete that also deletes what is protected, and one
// that deletes what others own and does not have permission for.
func guardCascade(b *build.Draft) map[*plan.Change]string {
	out := map[*plan.Change]string{}
	for _, c := range b.Plan.Changes {
		would, protected, others := c.CascadeText(b.Set.Namespaces)
		switch {
		case protected:
			out[c] = would + fmt.Sprintf(" What is protected must stop using this %s first.", resource.Words(c.ResourceType))
		case others && !build.Permits(b.Types, b.AllowCascade, c.ResourceType, c.ResourceRef):
			out[c] = would + fmt.Sprintf(" %s %s", owners(b, c), b.Ask(build.AllowCascadeFlag, c.ResourceType, c.ResourceRef, build.Named(build.Cascading(b), c.ResourceType, c.ResourceRef)))
		}
	}
	return out
}

// owners says who owns what a delete would also delete: nothing tells of resources
// that carry no mark of ownership.
func owners(b *build.Draft, c *plan.Change) string {
	for _, x := range c.Cascades {
		t := b.Types.Kind(x.Type)
		if x.Managed && !slices.Contains(b.Set.Namespaces, x.Namespace) || !x.Managed && (t == nil || t.Parent != nil || t.Owned) {
			return "Others own that."
		}
	}
	return "Others may own that: it carries no mark of ownership."
}
