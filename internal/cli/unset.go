package cli

import (
	"context"
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// lacks names the variables that a run takes and that it cannot read, before anybody is
// asked to approve it. What is done already takes none: for a saved plan Konnect says
// what is left.
func (x *execution) lacks(ctx context.Context, p *plan.Plan) error {
	err := x.factory.unset(p, x.runRequest().Planned)
	if err == nil || x.planFile == "" || x.restated {
		return err
	}
	if err := x.open(); err != nil {
		return err
	}
	_, err = x.engine.Rehearse(ctx, x.runRequest())
	x.display.pause()
	return engine.OfPlanFile(x.planFile, err)
}

// unset names the variables that changes take and that cannot be read.
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
			code, detail, fix := diag.Unread(fmt.Sprintf("The %s %q takes %s", resource.Words(c.ResourceType), c.ResourceRef, taken.Field), taken.Variable, why)
			diags.Add(code, from.Written(c, taken.Field), detail, fix)
		}
	}
	return from.Quote(diags).Err()
}
