package cli

import (
	"context"

	"github.com/spf13/cobra"

	"kongctl/internal/plan"
)

func newSyncCmd(f *factory, runF func(context.Context, *executeOptions) error) *cobra.Command {
	o := &executeOptions{factory: f, mode: plan.ModeSync}
	cmd := &cobra.Command{
		Use:   "sync [konnect|gateway]",
		Short: "Bring Konnect to what the configuration declares, deletes included",
		Long: `Bring Konnect to what the configuration declares, deletes included.

What is managed in the namespaces of the configuration and not declared is
deleted (--prune says how far), and fields that are not declared go back to
their defaults. The plan is shown first, and you are asked; --auto-approve goes
on without asking.`,
		Example: `  kongctl sync --dir config
  kongctl sync --dir config --prune declared
  kongctl sync --plan plan.json --auto-approve`,
		Args: f.arguments(&o.sources, &o.scope.gateway),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.start(cmd, runF) },
	}
	o.add(cmd)
	return cmd
}
