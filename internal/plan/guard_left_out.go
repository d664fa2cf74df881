package plan

import (
	"fmt"
	"slices"
	"strings"
)

// guardLeftOut refuses a delete that would also delete what is left alone.
func guardLeftOut(b *Draft) map[*Change]string {
	out := map[*Change]string{}
	for c, lost := range b.leftOut {
		if slices.Contains(b.plan.Changes, c) {
			out[c] = fmt.Sprintf("Deleting it would also delete what is left alone: %s.", strings.Join(lost, ", "))
		}
	}
	return out
}
