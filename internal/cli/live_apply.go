package cli

import (
	"context"

	"github.com/spf13/cobra"
)

func newLiveApplyCmd(f *factory, runF func(context.Context, *liveRunOptions) error) *cobra.Command {
	o := newLiveRunOptions(f)
	var serverSide bool
	cmd := &cobra.Command{
		Use:   "apply [DIR | -]",
		Short: "Apply objects, wait until they are ready, and delete those no longer declared",
		Long: `Apply objects, wait until they are ready, and delete those no longer declared.

The objects come from a folder, read with all below it, or from standard input.
One ResourceGroup among them, or in the file that --rg-file names, says which
inventory they belong to; live init writes one. All objects are applied on the
server (server-side apply), each after those that it depends on. Objects that the
inventory lists and that are not declared any more are deleted. There is no
prompt; --dry-run shows what would happen.

Exit status: 7 if a rule refuses the plan (--inventory-policy, --max-deletes), 5 if
some changes failed, 6 if the cluster has changed since a saved plan was created.`,
		Example: `  kongctl live apply
  kustomize build overlays/prod | kongctl live apply -
  helm template shop ./chart | kongctl live apply - --rg-file resourcegroup.yaml
  kongctl live apply --dry-run --show-diff
  kongctl live apply --plan plan.json`,
		Args: o.input.args,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !serverSide {
				return usagef("--server-side=false: objects are always applied on the server").WithHint("leave the flag out.")
			}
			return o.start(cmd, runF)
		},
	}
	o.input.add(cmd)
	objects, flags := &o.input.objects, cmd.Flags()
	objects.addPolicy(cmd)
	objects.addApply(cmd)
	flags.BoolVar(&serverSide, "server-side", true, "use server-side apply; always on, accepted for existing scripts")
	flags.BoolVar(&o.noPrune, "no-prune", false, "do not delete objects that are no longer declared")
	objects.addDelete(cmd, "prune")
	objects.addInstall(cmd)
	flags.StringSliceVar(&o.scope.allowEmpty, "allow-empty", nil, "k8s: apply an empty set, which deletes all objects of the inventory")
	o.addRun(cmd)
	flags.StringVar(&o.planFile, "plan", "", "execute a saved plan (- for standard input)")
	addVerifyKey(cmd)
	addMaxAge(cmd)
	flags.StringVar(&o.input.sources.BaseDir, "base-dir", "", "with --plan, another folder that the plan may read files from")
	return cmd
}
