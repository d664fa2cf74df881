package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
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
		Args:  noArgs,
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
	found, err := hasData(dir)
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
	s, e, err := o.factory.reach(ctx, dir)
	if err != nil {
		return err
	}
	var c control
	if s != nil {
		c = listening(s.url())
	} else {
		o.factory.onClose(e.close)
		c = direct(e.handler)
	}
	if err := c.reset(ctx); err != nil {
		return fmt.Errorf("reset: %w", err)
	}
	return toOutput(say(streams.out, "The embedded Konnect is empty (data %s).", dir))
}
