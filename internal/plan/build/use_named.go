package build

import (
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// settleNamed deals with what names something that the plan deletes, as with other
// uses. What a sync would delete for not being declared stays where it is named; here
// are those that are deleted because somebody asked for it.
func settleNamed(b *Draft, u used, del *plan.Change) {
	switch {
	case del != nil:
		goFirst(b, del, u.by)
	case u.user.Use.OnDelete == resource.Keeps: // the plan says so
	case b.refused[u.r]:
		refuseWith(b, u)
	case b.writes(u.r): // it names it no more
	default:
		hinder(b, u)
	}
}
