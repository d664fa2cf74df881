package build

import (
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// Forgetful is a proposer whose targets have values that a plan never holds.
type Forgetful interface {
	// Forgets lists what the plan does not keep of a resource: the fields without which
	// it cannot be made again, and the secrets that it has or may have.
	Forgets(t *resource.Type, o *resource.Object, kept map[string]any) (needed, secrets []string)
}

// Variables finds the fields of live objects that declarations take from the
// environment: no plan holds their values.
func Variables(in Input) func(resource.Part) []plan.Expression {
	b := newDraft(in)
	declared := declaredObjects(b)
	return func(x resource.Part) []plan.Expression {
		r := declared[ObjectKey(x.Type, x.Object.ID, x.Ancestors)]
		if r == nil {
			return nil
		}
		return b.resolve(r).Env
	}
}
