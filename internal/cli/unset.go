package cli

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
)

// unset names the variables that a run of a plan takes and that are not set, before
// anybody is asked to approve it.
func (f *factory) unset(p *plan.Plan, from *engine.Planned) error {
	var diags diag.List
	told := map[string]bool{}
	for _, c := range p.Changes {
		for _, taken := range c.Takes() {
			if _, set := f.readable(taken.Variable); set || told[taken.Variable] {
				continue
			}
			told[taken.Variable] = true
			diags.Add(diag.CfgEnvUnset, from.Written(c, taken.Field), fmt.Sprintf("The %s %q takes %s from the environment variable %s, which is not set.", c.ResourceType, c.ResourceRef, taken.Field, taken.Variable), "set it: export "+taken.Variable+"=…")
		}
	}
	return from.Quote(diags).Err()
}
