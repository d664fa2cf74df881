package plan

import (
	"fmt"

	"kongctl/internal/resource"
)

// guardCascade refuses a delete that also deletes what is protected, and one
// that deletes what others own and does not have permission for.
func guardCascade(b *Draft) map[*Change]string {
	out := map[*Change]string{}
	for _, c := range b.plan.Changes {
		would, protected, others := c.cascades(b.Set.Namespaces)
		switch {
		case protected:
			out[c] = would + fmt.Sprintf(" What is protected must stop using this %s first.", resource.Words(c.ResourceType))
		case others && !permits(b, b.AllowCascade, c.ResourceType, c.ResourceRef):
			out[c] = would + fmt.Sprintf(" Others own that. Allow it with --allow-cascade %s.", named(cascading(b), c.ResourceType, c.ResourceRef))
		}
	}
	return out
}
