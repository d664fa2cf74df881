package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/plan"
)

func newDeleteCmd(f *factory, runF func(context.Context, *executeOptions) error) *cobra.Command {
	o := &executeOptions{factory: f, mode: plan.ModeDelete}
	cmd := &cobra.Command{
		Use:   "delete [konnect|gateway]",
		Short: "Delete what the configuration declares",
		Long: `Delete what the configuration declares.

Only resources that exist and are managed in the declared namespace are deleted.
Dependents are deleted before what they refer to, children together with their
parent. Shows the plan and prompts before deleting anything; --auto-approve skips
the prompt. --plan executes a saved plan that was created with plan --mode delete.

delete pat and delete spat delete an access token, by name or id.`,
		Example: `  kongctl delete -f portal.yaml
  kongctl delete --dir config --dry-run
  kongctl delete --dir config --ignore-refs type:control_plane`,
		Args: f.arguments(&o.sources, &o.scope.gateway),
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, name := range notInDelete {
				if cmd.Flags().Changed(name) {
					return usagef("--%s means nothing to a delete", name)
				}
			}
			return o.start(cmd, runF)
		},
	}
	o.add(cmd)
	o.objects.addTo(cmd)
	for _, name := range notInDelete {
		_ = cmd.Flags().MarkHidden(name) // it was added just above
	}
	addTokenCmds(cmd, func(kind engine.TokenKind) *cobra.Command { return deleteTokenCmd(f, kind, nil) })
	cmd.Flags().BoolVar(&o.failOnNoMatch, "fail-on-no-match", false, "exit with 1 when there is nothing to delete")
	return cmd
}

// notInDelete are flags of the scope that a delete has no use for.
var notInDelete = []string{"prune", "allow-replace", "allow-empty", "write-secret", "write-secrets"}

var errNoMatch = errors.New("nothing matched: nothing was deleted")

// noMatch is the error of a delete that finds nothing, where one was asked for.
func (o *executeOptions) noMatch(p *plan.Plan) error {
	if o.failOnNoMatch && p.Empty() && len(p.Blocked) == 0 {
		return errNoMatch
	}
	return nil
}
