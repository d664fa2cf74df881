package cli

import (
	"context"

	"github.com/spf13/cobra"
)

func newLiveDestroyCmd(f *factory, runF func(context.Context, *liveRunOptions) error) *cobra.Command {
	o := newLiveRunOptions(f)
	o.input.objects.destroy = true
	o.scope.allowEmpty = []string{kubeTypes} // that is what it is for
	cmd := &cobra.Command{
		Use:   "destroy [DIR | -]",
		Short: "Delete all objects of an inventory, and the inventory",
		Long: `Delete all objects of an inventory, and the inventory.

What is deleted is what the inventory in the cluster lists, not what the files
declare: they only say which inventory. Objects go in reverse order, and those with
an annotation that keeps them stay. The inventory is deleted last, when everything
that it lists is gone. There is no prompt; --dry-run shows what would happen.`,
		Example: `  kongctl live destroy
  kongctl live destroy --dry-run
  kongctl live destroy my-package --delete-timeout 2m`,
		Args: o.input.args,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.start(cmd, runF) },
	}
	o.input.add(cmd)
	o.input.objects.addPolicy(cmd)
	o.input.objects.addDelete(cmd, "delete")
	o.addRun(cmd)
	return cmd
}
