package cli

import (
	"context"

	"github.com/spf13/cobra"
)

type localStopOptions struct {
	factory *factory
}

func newLocalStopCmd(f *factory, runF func(context.Context, *localStopOptions) error) *cobra.Command {
	o := &localStopOptions{factory: f}
	return &cobra.Command{
		Use:   "stop",
		Short: "Stop the server of the embedded Konnect",
		Example: `  kongctl local stop
  kongctl local stop --data ./rehearsal
  kongctl local stop && kongctl local start`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if runF == nil {
				runF = localStopRun
			}
			return runF(cmd.Context(), o)
		},
	}
}

func localStopRun(ctx context.Context, o *localStopOptions) error {
	out := o.factory.world.streams.out
	dir, err := o.factory.dataDir()
	if err != nil {
		return err
	}
	s, err := o.factory.local().Stop(ctx, dir)
	switch {
	case err != nil:
		return err
	case s == nil:
		return toOutput(say(out, "Konnect is not running (data %s).", dir))
	default:
		return toOutput(say(out, "Konnect at %s is stopped.", s.URL()))
	}
}
