package guard

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
)

// guardStranded refuses an attached change that deletes what resources refer to that the
// plan leaves alone, and that does not have permission for it.
func guardStranded(b *build.Draft) map[*plan.Change]string {
	out := map[*plan.Change]string{}
	b.EachAttached(func(j *build.Attachment, c *plan.Change) {
		lost := b.StrandedText(c)
		if on := j.On; lost != "" && !build.Permits(b.Types, b.AllowCascade, on.Type.Kind, on.Ref) {
			out[c] = fmt.Sprintf("%s would delete %s. %s %s",
				j.Type.Tool, lost, b.StrandedWhy(c), b.Ask(build.AllowCascadeFlag, on.Type.Kind, on.Ref, build.Named(build.Cascading(b), on.Type.Kind, on.Ref)))
		}
	})
	return out
}
