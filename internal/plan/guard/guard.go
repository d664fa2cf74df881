// Package guard refuses changes that are more than a configuration may have meant.
//
// In: a draft of a plan. Out: the changes that are refused, and why; one guard per
// file. It must never import a target.
package guard

import (
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
)

// All are the guards. They are asked in this order; a change is refused once.
func All() []build.Guard {
	named := func(by string, check func(*build.Draft) map[*plan.Change]string) build.Guard {
		return func(b *build.Draft) (string, map[*plan.Change]string) { return by, check(b) }
	}
	return []build.Guard{
		named("protected", func(b *build.Draft) map[*plan.Change]string { return Protected(b.Sequence) }),
		named("protected", guardProtectedChildren),
		named("protected", guardProtectedIdentity),
		named("cascade", guardCascade),
		named("cascade", guardShielded),
		named("cascade", guardStranded),
		named("filter", guardLeftOut),
		named("skipped-document", guardSkipped),
		named("null-collection", guardNull),
		guardUnbounded,
		named("max-deletes", guardMaxDeletes),
	}
}
