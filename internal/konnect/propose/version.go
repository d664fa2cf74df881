package propose

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
)

// ByVersion is the rule that refuses changes of versions that Konnect keeps as they
// are.
const ByVersion = "version"

// guardVersion refuses to change a version that is no draft any more, and to delete
// one that is in use.
func guardVersion(s build.Subject, out *build.Proposal) {
	t := catalog.OfType(s.Type)
	if t.Versions == nil || s.Live == nil || out.Refused != "" {
		return
	}
	v, name := t.Versions, s.Type.Describe(s.Live)
	state, _ := s.Live.Fields[v.State].(string)
	switch {
	case state == "" || state == v.Draft:
	case out.Action == plan.Update:
		out.RefusedBy = ByVersion
		out.Refused = fmt.Sprintf("The %s is %s, and only a %s can be changed. Create its next version, a %s with the same %s and labels (%s %s), then plan again: the plan changes that one.",
			name, state, v.Draft, v.Draft, t.Identity[0], t.Create.Method, t.Create.Path)
	case out.Action == plan.Delete && slices.Contains(v.Held, state):
		out.RefusedBy = ByVersion
		out.Refused = fmt.Sprintf("The %s is %s and cannot be deleted. Archive it first, or keep it declared.", name, state)
	}
}
