package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
)

type diffOptions struct {
	factory          *factory
	sources          sourceFlags
	scope            scopeFlags
	connect          connectFlags
	objects          objectFlags
	mode             plan.Mode
	planFile         string
	against          string
	output           string
	detailedExitCode bool
}

func newDiffCmd(f *factory, runF func(context.Context, *diffOptions) error) *cobra.Command {
	o := &diffOptions{factory: f}
	var mode modeFlags
	cmd := &cobra.Command{
		Use:   "diff [konnect|gateway]",
		Short: "Show what differs between the configuration and Konnect, or what a saved plan would do",
		Example: `  kongctl diff -f portal.yaml
  kongctl diff --plan plan.json
  kongctl diff --plan old.json --against new.json
  kongctl diff -f portal.yaml -o yaml`,
		Args: f.arguments(&o.sources, &o.scope.gateway),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.mode, err = mode.plan(cmd); err != nil {
				return err
			}
			if err := checkForm(cmd, o.output); err != nil {
				return err
			}
			if err := checkPlanFlag(cmd, o.planFile, append(boundsOfPlan, "base-dir")...); err != nil {
				return err
			}
			if err := checkAgainst(cmd, o.planFile, o.against, o.output); err != nil {
				return err
			}
			if err := o.connect.check(cmd); err != nil {
				return err
			}
			if err := o.scope.check(); err != nil {
				return err
			}
			if err := o.scope.checkMode(o.mode, "add --mode delete."); err != nil {
				return err
			}
			if err := o.objects.check(cmd); err != nil {
				return err
			}
			if runF != nil {
				return runF(cmd.Context(), o)
			}
			return diffRun(cmd.Context(), o)
		},
	}
	o.sources.add(cmd)
	mode.add(cmd)
	o.scope.add(cmd)
	cmd.Flags().StringVar(&o.planFile, "plan", "", "show a saved plan (- for standard input), without calling Konnect")
	cmd.Flags().StringVar(&o.against, "against", "", "compare the saved plan with this plan")
	addVerifyKey(cmd)
	addPolicy(cmd)
	addDiff(cmd)
	offer(cmd, &o.output, " (default text)", planForms)
	cmd.Flags().BoolVar(&o.detailedExitCode, "detailed-exitcode", false, "exit with 2 when there are changes")
	addGateway(cmd)
	o.connect.add(cmd)
	o.objects.addTo(cmd)
	return cmd
}

func diffRun(ctx context.Context, o *diffOptions) error {
	if _, err := o.factory.policy(); err != nil {
		return err
	}
	if o.planFile != "" {
		p, err := o.factory.host().LoadAny(o.planFile, o.factory.verifyKey)
		if err != nil {
			return err
		}
		if o.against != "" {
			return o.compare(p)
		}
		if err := errors.Join(showPlan(o.factory, p, o.output, p.Document), noteForeign(o.factory, p), engine.OfPlanFile(o.planFile, validateOwn(o.factory, p)), askPolicy(o.factory, p)); err != nil {
			return err
		}
		if o.detailedExitCode && !p.Plan.Empty() {
			return errChanges
		}
		return nil
	}
	if err := o.objects.prepare(o.factory, &o.sources); err != nil {
		return err
	}
	p, err := o.factory.makePlan(ctx, o.connect, shownPlan(o.sources, o.scope, o.mode))
	if err != nil {
		return err
	}
	return showJudged(o.factory, p, o.output, p.Document, o.detailedExitCode, askPolicy(o.factory, p))
}
