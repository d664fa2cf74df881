package plan

import (
	"fmt"
	"strings"
)

// guardSkipped refuses the deletes of a sync that skipped documents: what it
// would delete may be declared there. What decK deletes is not declared in
// documents.
func guardSkipped(b *builder) map[*Change]string {
	if b.Mode != ModeSync || len(b.Set.Skipped) == 0 {
		return nil
	}
	files, exclude := b.Set.Skipped, "GLOB"
	if len(files) <= 3 {
		exclude = strings.Join(files, " --exclude ")
	}
	message := fmt.Sprintf("Files were skipped that may declare it: %s. Correct them, or leave them out with --exclude %s or a line in .kongctlignore.",
		strings.Join(files, ", "), exclude)
	out := map[*Change]string{}
	for _, c := range b.plan.Changes {
		if c.Action == Delete {
			out[c] = message
		}
	}
	return out
}
