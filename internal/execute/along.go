package execute

import (
	"context"
	"strings"

	"kongctl/internal/live"
	"kongctl/internal/plan"
	"kongctl/internal/target"
)

// along tells what somebody made or changed since the plan and would go with a
// deleted resource; "" is nothing.
func (k *checker) along(ctx context.Context, c *plan.Change, s target.Scope) (string, error) {
	if c.Action != plan.Delete || (len(s.Type.Children) == 0 && s.Type.Tree == nil) {
		return "", nil
	}
	now, err := live.ReadBelow(ctx, k.run.Target, s.Type, s.Ancestors, c.ResourceID, k.lists[scopeKey(s)])
	if err != nil {
		if len(k.run.Plan.Errors) > 0 && ctx.Err() == nil && !target.Fatal(err) {
			return "", nil // it could not be read for the plan, either, and that was allowed
		}
		return "", err
	}
	strangers := plan.Strangers(k.run.Plan, c, now)
	if len(strangers) == 0 {
		return "", nil
	}
	return "deleting it would take along what the plan does not know: " + strings.Join(strangers, ", "), nil
}
