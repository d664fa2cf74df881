package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/plan"
)

func newApplyCmd(f *factory, runF func(context.Context, *executeOptions) error) *cobra.Command {
	o := &executeOptions{factory: f, mode: plan.ModeApply}
	cmd := &cobra.Command{
		Use:   "apply [konnect|gateway]",
		Short: "Create and update what the configuration declares; delete nothing",
		Long: `Create and update what the configuration declares; delete nothing.

Only declared fields are sent. Shows the plan and prompts before changing
anything; --auto-approve skips the prompt. --plan executes a saved plan that was
created with plan --apply-only.

Kubernetes objects next to Konnect resources are part of the plan. They need one
ResourceGroup (kongctl live init writes one). No object is deleted.`,
		Example: `  kongctl apply -f portal.yaml
  kongctl apply -f portal.yaml --dry-run
  kongctl apply --plan plan.json --auto-approve`,
		Args: f.arguments(&o.sources, &o.scope.gateway),
		RunE: func(cmd *cobra.Command, _ []string) error { return o.start(cmd, runF) },
	}
	o.add(cmd)
	addGenerated(cmd, &o.generatedFile)
	o.objects.addTo(cmd)
	return cmd
}
