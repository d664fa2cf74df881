package guard

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
)

// guardShielded refuses an attached change that deletes what others use below a root that
// they protect. There is no permission for that.
func guardShielded(b *build.Draft) map[*plan.Change]string {
	out := map[*plan.Change]string{}
	for _, j := range b.Attached {
		c := b.AttachedBy[j.On]
		if roots := b.ShieldedRoots(c); len(roots) > 0 && slices.Contains(b.Plan.Changes, c) {
			out[c] = fmt.Sprintf("%s would delete what is used below %s, which %s protected. What is protected must stop using it first.",
				j.Type.Tool, diag.Join(roots, "and"), areOrIs(len(roots)))
		}
	}
	return out
}
