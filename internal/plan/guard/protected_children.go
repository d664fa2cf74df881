package guard

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
)

// guardProtectedChildren refuses to delete what a protected child would be
// deleted with: its parents, and what it nests in.
func guardProtectedChildren(b *build.Draft) map[*plan.Change]string {
	lost := map[*plan.Change][]string{}
	for _, r := range b.Set.Resources {
		if !r.Protected || r.Type.Parent == nil || b.Snapshot.Object(r) == nil && b.Snapshot.Failed(r) == nil {
			continue
		}
		for _, above := range build.AboveAll(r) {
			if c := b.DeleteOf(above); c != nil {
				lost[c] = append(lost[c], "the "+r.Describe())
			}
		}
	}
	out := map[*plan.Change]string{}
	for _, c := range b.Plan.Changes {
		if children := lost[c]; len(children) > 0 {
			out[c] = fmt.Sprintf("It would also delete %s, which %s protected. Remove protected: true there first.", diag.Join(children, "and"), areOrIs(len(children)))
		}
	}
	return out
}

func areOrIs(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
