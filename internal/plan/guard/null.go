package guard

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
)

// guardNull refuses the deletes of a sync of types that a document has a
// collection of without a value: its items may be commented out, and null is no
// empty list.
func guardNull(b *build.Draft) map[*plan.Change]string {
	if !b.Mode.Prunes() || len(b.Set.Null) == 0 {
		return nil
	}
	out := map[*plan.Change]string{}
	for _, c := range b.Plan.Changes {
		at, null := b.Set.Null[c.ResourceType]
		if !null || c.Action != plan.Delete || c.Replace || c.With != nil || b.MayEmpty(b.AllTypes.Kind(c.ResourceType)) {
			continue
		}
		out[c] = fmt.Sprintf("The collection %s at %s is null and may have declared it. If the delete is intended, write an empty list there, %s: [], or remove the key.", at.Key, at.Pos, at.Key)
	}
	return out
}
