package guard

import (
	"fmt"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
)

// guardSkipped refuses the deletes of a sync that skipped documents: what it
// would delete may be declared there. What decK deletes is not declared in
// documents.
func guardSkipped(b *build.Draft) map[*plan.Change]string {
	if !b.Mode.Prunes() || len(b.Set.Skipped) == 0 {
		return nil
	}
	files, exclude := b.Set.Skipped, "GLOB"
	if len(files) <= 3 {
		exclude = strings.Join(files, " --exclude ")
	}
	wayOut := fmt.Sprintf("%s. Correct them, or leave them out with --exclude %s or a line in .kongctlignore.", strings.Join(files, ", "), exclude)
	out := map[*plan.Change]string{}
	for _, c := range b.Plan.Changes {
		switch {
		case c.Action == plan.Delete && c.Replace:
			out[c] = "To replace it, it is deleted first, and files were skipped that may declare what uses it: " + wayOut
		case c.Action == plan.Delete:
			out[c] = "Files were skipped that may declare it: " + wayOut
		}
	}
	return out
}
