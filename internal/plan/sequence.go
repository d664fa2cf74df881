package plan

import (
	"kongctl/internal/diag"
	"kongctl/internal/resource"
)

// Sequence is the changes of a plan that is being made, and what waits for what.
type Sequence struct {
	plan     *Plan
	allTypes *resource.Types
	diags    diag.List
	// needs are the changes that each change waits for.
	needs []need
	// together are changes that make sense only when others are carried out that
	// they do not wait for.
	together []need
}

func newSequence(types *resource.Types) *Sequence {
	return &Sequence{plan: &Plan{Changes: []*Change{}, ExecutionOrder: []string{}, ExecutionGroups: [][]string{}}, allTypes: types}
}

// need says that one change waits for another.
type need struct{ change, before *Change }

func (b *Sequence) need(c, before *Change) {
	if c != nil && before != nil && c != before {
		b.needs = append(b.needs, need{c, before})
	}
}
