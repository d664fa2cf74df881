package cli

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
)

// unset names the variables that a run of a plan takes and that it cannot read, before
// anybody is asked to approve it.
func (f *factory) unset(p *plan.Plan, from *engine.Planned) error {
	var diags diag.List
	told := map[string]bool{}
	for _, c := range p.Changes {
		for _, taken := range c.Takes() {
			why, set := f.readable(taken.Variable)
			if set || told[taken.Variable] {
				continue
			}
			told[taken.Variable] = true
			code, detail, fix := diag.Unread(fmt.Sprintf("The %s %q takes %s", c.ResourceType, c.ResourceRef, taken.Field), taken.Variable, why)
			diags.Add(code, from.Written(c, taken.Field), detail, fix)
		}
	}
	return from.Quote(diags).Err()
}
