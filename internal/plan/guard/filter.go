package guard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
)

// guardLeftOut refuses a change that would also delete what is left alone.
func guardLeftOut(b *build.Draft) map[*plan.Change]string {
	out := map[*plan.Change]string{}
	for c, lost := range b.LeftOut {
		if slices.Contains(b.Plan.Changes, c) {
			how := "Deleting"
			if c.Action == plan.Update {
				how = "Updating"
			}
			out[c] = fmt.Sprintf("%s it would also delete what is left alone: %s.", how, strings.Join(lost, ", "))
		}
	}
	return out
}
