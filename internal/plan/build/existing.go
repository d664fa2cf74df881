package build

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/plan"
)

// Existing counts the live resources that the plan is about: what is declared, what is
// deleted, and what goes with that.
func Existing(b *Draft) int {
	keys := map[string]bool{}
	for _, r := range b.Set.Resources {
		if o := b.Snapshot.Object(r); o != nil {
			keys[ObjectKey(r.Type, o.ID, b.KnownAncestors(r))] = true
		}
	}
	for key, c := range b.Deletes {
		keys[key] = true
		for _, x := range c.Cascades {
			keys[fmt.Sprint(x.Type, x.Ancestors(), x.ID)] = true
		}
		for _, x := range Parts(b, c) {
			keys[ObjectKey(x.Type, x.Object.ID, x.Ancestors)] = true
		}
	}
	n := len(keys)
	for _, c := range b.Plan.Changes {
		if c.Action != plan.Delete {
			n += c.Deletes()
		}
	}
	for r := range b.AttachedBy {
		n += b.AttachedTo(r).Size // what the files hold is there, by and large
	}
	return n
}
