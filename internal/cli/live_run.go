package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/kube"
	"github.com/kongctl/kongctl/internal/plan"
)

// liveRunOptions are those of the verbs that change a cluster.
type liveRunOptions struct {
	executeOptions
	input   liveInput
	steps   stepOutput
	dry     string // none, client or server
	noPrune bool
}

func newLiveRunOptions(f *factory) *liveRunOptions {
	return &liveRunOptions{executeOptions: executeOptions{factory: f, mode: plan.ModeLive, autoApprove: true, targets: []string{kube.Name}, prune: engine.PruneFull}}
}

// addRun adds the flags that apply and destroy have.
func (o *liveRunOptions) addRun(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&o.dry, "dry-run", "none", "change nothing: with server, the API server validates all objects; with client, objects are only compared (without a value: server)")
	flags.Lookup("dry-run").NoOptDefVal = "server"
	choose(flags, "dry-run", "server", "client", "none")
	flags.BoolVar(&o.steps.showDiff, "show-diff", false, "show the changes of each object on standard error")
	addDiff(cmd)
	flags.BoolVar(&o.steps.statuses, "show-status-events", false, "show each status of the objects that are waited for (a table always shows it)")
	o.steps.add(cmd)
	flags.String("max-deletes", "", "refuse to delete more objects than this: a number, or a percentage such as 10% (default: no limit)")
	o.trust.add(cmd, "the cluster")
	addPolicy(cmd)
	flags.BoolVar(&o.noLock, "no-lock", false, "do not wait for other runs on this machine with the same inventory")
	flags.StringVar(&o.reportFile, "execution-report-file", "", "write the execution report as JSON to a file")
	flags.Int("max-concurrency", 16, "maximum number of concurrent changes")
}

// start checks the flags and runs the verb, or what a test put in its place.
func (o *liveRunOptions) start(cmd *cobra.Command, runF func(context.Context, *liveRunOptions) error) (err error) {
	if o.dry, err = oneOf("dry-run", o.dry, "none", "client", "server"); err != nil {
		return err
	}
	o.dryRun, o.input.objects.client = o.dry != "none", o.dry == "client"
	if o.noPrune {
		o.prune = engine.PruneNone
	}
	if n, err := cmd.Flags().GetInt("max-concurrency"); err == nil && n < 1 {
		return usagef("--max-concurrency %d: must be at least 1", n)
	}
	if err := o.steps.choose(o.factory); err != nil {
		return err
	}
	if err := o.trust.check(); err != nil {
		return err
	}
	if o.trust.verify && o.input.objects.stdin {
		return usagef("--verify and - exclude each other: standard input cannot be read again").WithHint("run live diff with the same input afterwards.")
	}
	if err := checkPlanFlag(cmd, o.planFile); err != nil {
		return err
	}
	if o.planFile != "" && o.input.given {
		return usagef("--plan and a folder or - exclude each other").WithHint("a saved plan is carried out as it is.")
	}
	if err := checkAllowEmpty(o.scope.allowEmpty); err != nil {
		return err
	}
	if err := o.input.objects.check(cmd); err != nil {
		return err
	}
	if runF == nil {
		runF = liveRun
	}
	return runF(cmd.Context(), o)
}

// liveRun plans, runs and reports.
func liveRun(ctx context.Context, o *liveRunOptions) error {
	o.sources = o.input.sources
	if err := o.input.objects.prepare(o.factory, &o.sources); err != nil {
		return err
	}
	x := o.newExecution()
	x.steps = &o.steps
	defer x.display.close()
	if err := x.prepare(ctx); err != nil {
		return err
	}
	return x.carryOut(ctx)
}
