package build

import (
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// Forgetful is a proposer whose targets have values that a plan never holds.
type Forgetful interface {
	// Forgets lists what the plan does not keep of a resource.
	Forgets(t *resource.Type, o *resource.Object, kept map[string]any) Forgotten
}

// Forgotten are the fields of a resource that a plan does not keep.
type Forgotten struct {
	// Needed are those without which it cannot be made again, secrets among them.
	Needed []string
	// Variable are others whose values come from the environment.
	Variable []string
	// Secrets are the secrets that it has or may have.
	Secrets []string
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
