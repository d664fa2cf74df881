package cli

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
)

// fromPlanFlags say which plans a plan is made from, instead of a
// configuration.
type fromPlanFlags struct {
	inverse string
	report  string
	merge   []string
}

func (p *fromPlanFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&p.inverse, "inverse", "", "create the plan that undoes this executed plan; execute it with sync --plan")
	flags.StringVar(&p.report, "report", "", "execution report of the plan to undo; it lists the executed changes and the ids of new resources")
	flags.StringArrayVar(&p.merge, "merge", nil, "merge this plan with the plans given as arguments")
	addVerifyKey(cmd)
}

// args takes the names of plans to join from what stands after the verb.
func (p *fromPlanFlags) args(_ *cobra.Command, args []string) error {
	if len(args) > 0 && args[0] == "konnect" {
		args = args[1:]
	}
	p.merge = append(p.merge, args...)
	return nil
}

// check refuses flags that do not go with making a plan from plans.
func (p *fromPlanFlags) check(cmd *cobra.Command) error {
	flags := cmd.Flags()
	from := ""
	for _, name := range []string{"inverse", "merge"} {
		if !flags.Changed(name) {
			continue
		}
		if from != "" {
			return usagef("--%s and --%s exclude each other", from, name)
		}
		from = name
	}
	switch {
	case from != "inverse" && flags.Changed("report"):
		return usagef("--report is of a plan to undo").WithHint("name the plan with --inverse.")
	case from == "" && flags.Changed("verify-key"):
		return usagef("--verify-key checks a saved plan").WithHint("name it with --inverse or --merge.")
	case from == "inverse" && p.inverse == "":
		return usagef("--inverse: no file is named")
	case from == "merge" && len(p.merge) < 2:
		return usagef("--merge joins two plans or more").WithHint("write them one after the other: --merge a.json b.json")
	case from == "":
		return nil
	}
	for _, name := range slices.Concat([]string{"base-dir"}, boundsOfPlan, excludedByPlan) {
		if from == "inverse" && name == "allow-replace" {
			continue
		}
		if flag := flags.Lookup(name); flag != nil && flag.Changed {
			return usagef("--%s and --%s exclude each other", from, name).WithHint("the plan is made from plans, not from a configuration.")
		}
	}
	return nil
}

// make makes the plan that was asked for.
func (o *planOptions) make(ctx context.Context, r engine.PlanRequest) (*engine.Planned, error) {
	switch {
	case o.from.inverse != "":
		return o.makeInverse(ctx, r.Dir)
	case len(o.from.merge) > 0:
		return o.factory.host().Merge(o.from.merge, r.Dir, o.factory.verifyKey)
	default:
		return o.factory.makePlan(ctx, o.connect, r)
	}
}

func (o *planOptions) makeInverse(ctx context.Context, dir string) (*engine.Planned, error) {
	host := o.factory.host()
	source, err := host.LoadInto(o.from.inverse, dir, o.factory.verifyKey)
	if err != nil {
		return nil, err
	}
	report, err := host.ReadReport(o.from.report, source.Plan)
	if err != nil {
		return nil, err
	}
	d := newDisplay(o.factory)
	defer d.close()
	e, err := o.factory.newEngine(engineOptions{local: o.connect.local, sink: d.sink})
	if err != nil {
		return nil, err
	}
	return e.Inverse(ctx, engine.InverseRequest{Source: source, Report: report, AllowReplace: o.scope.allowReplace})
}
