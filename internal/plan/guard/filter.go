package guard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
)

// guardLeftOut refuses a delete that would also delete what is left alone.
func guardLeftOut(b *build.Draft) map[*plan.Change]string {
	out := map[*plan.Change]string{}
	for c, lost := range b.LeftOut {
		if slices.Contains(b.Plan.Changes, c) {
			out[c] = fmt.Sprintf("Deleting it would also delete what is left alone: %s.", strings.Join(lost, ", "))
		}
	}
	return out
}
