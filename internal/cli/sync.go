package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/plan"
)

func newSyncCmd(f *factory, runF func(context.Context, *executeOptions) error) *cobra.Command {
	o := &executeOptions{factory: f, mode: plan.ModeSync}
	cmd := &cobra.Command{
		Use:   "sync [konnect|gateway]",
		Short: "Make Konnect match the configuration, including deletes",
		Long: `Make Konnect match the configuration, including deletes.

Managed resources in the namespaces of the configuration that are not declared
are deleted (--prune limits this), and fields that are not declared are reset to
their defaults. Shows the plan and prompts before changing anything;
--auto-approve skips the prompt.

Kubernetes objects next to Konnect resources are part of the plan. They need one
ResourceGroup (kongctl live init writes one). Objects that its inventory lists and
that are no longer declared are deleted.`,
		Example: `  kongctl sync --dir config
  kongctl sync --dir config --prune declared
  kongctl sync --plan plan.json --auto-approve`,
		Args: f.arguments(&o.sources, &o.scope.gateway),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.start(cmd, runF) },
	}
	o.add(cmd)
	addGenerated(cmd, &o.generatedFile)
	o.objects.addTo(cmd)
	return cmd
}
