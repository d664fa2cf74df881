package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
)

type localResetOptions struct {
	factory     *factory
	autoApprove bool
}

func newLocalResetCmd(f *factory, runF func(context.Context, *localResetOptions) error) *cobra.Command {
	o := &localResetOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "reset",
		Short: "Delete everything that the embedded Konnect holds",
		Example: `  kongctl local reset
  kongctl local reset --auto-approve
  kongctl local reset --data ./rehearsal --auto-approve`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if runF == nil {
				runF = localResetRun
			}
			return runF(cmd.Context(), o)
		},
	}
	addApproval(cmd, &o.autoApprove)
	return cmd
}

func localResetRun(ctx context.Context, o *localResetOptions) error {
	streams := o.factory.world.streams
	dir, err := o.factory.dataDir()
	if err != nil {
		return err
	}
	found, err := local.HasData(dir)
	if err != nil {
		return err
	}
	if !found {
		return toOutput(say(streams.out, "There is nothing to reset (data %s).", dir))
	}
	if !o.autoApprove {
		question := fmt.Sprintf("Do you want to delete everything in the embedded Konnect (data %s)?", dir)
		if err := streams.confirm(ctx, question, false); err != nil {
			return err
		}
	}
	if err := o.factory.local().Reset(ctx, dir); err != nil {
		return err
	}
	return toOutput(say(streams.out, "The embedded Konnect is empty (data %s).", dir))
}
