package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"kongctl/internal/execute"
	"kongctl/internal/plan"
)

func newResumeCmd(f *factory, runF func(context.Context, *executeOptions) error) *cobra.Command {
	o := &executeOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "resume [JOURNAL]",
		Short: "Go on with a run that was interrupted or failed",
		Long: `Go on with a run that was interrupted or failed.

Every run keeps a journal below $XDG_STATE_HOME/kongctl until all of it is done.
Without a name the newest one is taken. What was done is not done again, and
what moved since then is refused (--on-drift).`,
		Example: `  kongctl resume
  kongctl resume ~/.local/state/kongctl/journal/20260124T103000.000000000Z.journal`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.journal = args[0]
			}
			if runF == nil {
				runF = resumeRun
			}
			return o.start(cmd, runF)
		},
	}
	addVerifyKey(cmd, &o.verifyKey)
	o.addExecution(cmd)
	return cmd
}

func resumeRun(ctx context.Context, o *executeOptions) error {
	if o.journal == "" {
		folder, err := o.factory.journalFolder()
		if err != nil {
			return err
		}
		if o.journal, err = execute.LatestJournal(folder); err != nil {
			return fmt.Errorf("resume: %w", err)
		}
	}
	path, err := o.factory.absolute(o.journal)
	if err != nil {
		return err
	}
	u, err := execute.ReadJournal(path)
	if err != nil {
		return err
	}
	key, err := o.factory.verifyKey(o.verifyKey)
	if err != nil {
		return err
	}
	if err := plan.Verify(u.Document, key); err != nil {
		return &planError{fmt.Errorf("journal %s: %w", o.journal, err)}
	}
	if _, err := fmt.Fprintf(o.factory.world.streams.err, "Going on with the run that started at %s.\n", u.Started); err != nil {
		return fmt.Errorf("write standard error: %w", cause(err))
	}
	x := &execution{executeOptions: o, streams: o.factory.world.streams, display: newDisplay(o.factory)}
	defer x.display.close()
	x.planned = &planned{plan: u.Plan, dir: u.Dir, raw: u.Document}
	x.unfinished, x.journal = u, path
	return x.carryOut(ctx)
}
