package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/kube"
	"github.com/kongctl/kongctl/internal/plan"
)

// livePlanOptions are those of plan and diff.
type livePlanOptions struct {
	planOptions
	input      liveInput
	noPrune    bool
	allowEmpty []string
}

func newLivePlanCmd(f *factory, runF func(context.Context, *livePlanOptions) error) *cobra.Command {
	o := &livePlanOptions{planOptions: planOptions{factory: f, mode: plan.ModeLive}}
	cmd := &cobra.Command{
		Use:   "plan [DIR | -]",
		Short: "Compare objects with the cluster and show what would change",
		Long: `Compare objects with the cluster and show what would change.

Nothing is changed. The plan is text on a terminal and JSON elsewhere;
--output-file saves it for live apply --plan, which refuses it in another cluster
and when an object has changed since. A plan holds no data of Secrets: it says
which file they are in. A plan with Secrets from standard input cannot be saved.`,
		Example: `  kongctl live plan
  kongctl live plan --output-file plan.json
  kustomize build overlays/prod | kongctl live plan -`,
		Args: o.input.args,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.start(cmd, runF) },
	}
	o.add(cmd)
	o.input.objects.addApply(cmd)
	o.input.objects.addDelete(cmd, "prune")
	cmd.Flags().StringVar(&o.outputFile, "output-file", "", "save the plan to a file; - is standard output")
	cmd.Flags().StringVar(&o.signKey, "sign", "", "sign the plan with this key (ed25519 private key, PEM); --verify-key checks it")
	addOutput(cmd, &o.output, "text, json or yaml (default: text on a terminal, json elsewhere)")
	return cmd
}

func newLiveDiffCmd(f *factory, runF func(context.Context, *livePlanOptions) error) *cobra.Command {
	o := &livePlanOptions{planOptions: planOptions{factory: f, mode: plan.ModeLive}}
	cmd := &cobra.Command{
		Use:   "diff [DIR | -]",
		Short: "Show how objects differ from the cluster",
		Long: `Show how objects differ from the cluster.

Nothing is changed. The API server fills in each object as if it were applied, and
the result is compared with what is there, field by field; objects that would be
deleted are shown, too. The exit status is 0 with and without differences;
--detailed-exitcode makes it 2 when there are some.`,
		Example: `  kongctl live diff
  kongctl live diff my-package --detailed-exitcode
  helm template shop ./chart | kongctl live diff -`,
		Args: o.input.args,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.output == "" {
				o.output = formText
			}
			return o.start(cmd, runF)
		},
	}
	o.add(cmd)
	o.input.objects.addFields(cmd)
	addOutput(cmd, &o.output, "text, json or yaml (default text)")
	return cmd
}

func (o *livePlanOptions) add(cmd *cobra.Command) {
	o.input.add(cmd)
	objects, flags := &o.input.objects, cmd.Flags()
	objects.addPolicy(cmd)
	flags.BoolVar(&o.noPrune, "no-prune", false, "do not delete objects that are no longer declared")
	flags.StringSliceVar(&o.allowEmpty, "allow-empty", nil, "k8s: plan an empty set, which deletes all objects of the inventory")
	flags.String("max-deletes", "", "refuse a plan with more deletes than this: a number, or a percentage such as 10% (default: no limit)")
	flags.Int("max-concurrency", 16, "maximum number of concurrent requests")
	flags.BoolVar(&o.detailedExitCode, "detailed-exitcode", false, "exit with 2 when there are changes")
}

func (o *livePlanOptions) start(cmd *cobra.Command, runF func(context.Context, *livePlanOptions) error) error {
	if err := checkOutput(o.output, formText, formJSON, formYAML); err != nil {
		return err
	}
	if err := checkAllowEmpty(o.allowEmpty); err != nil {
		return err
	}
	if err := o.input.objects.check(cmd); err != nil {
		return err
	}
	if runF == nil {
		runF = livePlanRun
	}
	return runF(cmd.Context(), o)
}

// livePlanRun makes the plan and shows it.
func livePlanRun(ctx context.Context, o *livePlanOptions) error {
	o.sources = o.input.sources
	if err := o.input.objects.prepare(o.factory, &o.sources); err != nil {
		return err
	}
	r := engine.PlanRequest{
		Sources: engine.Sources(o.sources), Scope: engine.Scope{AllowEmpty: o.allowEmpty}, Mode: o.mode,
		Targets: []string{kube.Name}, Prune: engine.PruneFull,
	}
	if o.noPrune {
		r.Prune = engine.PruneNone
	}
	return o.write(ctx, r)
}
