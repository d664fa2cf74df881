package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/terminal"
	"github.com/kongctl/kongctl/internal/view"
)

func newResumeCmd(f *factory, runF func(context.Context, *executeOptions) error) *cobra.Command {
	o := &executeOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "resume [ID] | --list | --discard ID",
		Short: "Continue a run that was interrupted or failed",
		Long: `Continue a run that was interrupted or failed.

Every run keeps a journal below $XDG_STATE_HOME/kongctl until it is complete.
Without an id, the newest run of the organization that the profile and the flags
lead to is continued. A change counts as done only if its result is found in
Konnect. Shows the remaining changes and prompts before executing them. If
Konnect has changed in the meantime, nothing is done (--on-drift).

A later sync or apply that covers the same namespaces and types discards the
journal.`,
		Example: `  kongctl resume
  kongctl resume --list
  kongctl resume --discard 20260124T103000.000000000Z`,
		Args:              oneArgument("the id of one run", false),
		ValidArgsFunction: runs(f),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.journal = args[0]
			}
			if len(args) == 1 && args[0] == "" {
				return usagef("the id of the run is empty").WithHint(engine.ListRunsHint)
			}
			if cmd.Flags().Changed("discard") {
				if err := checkRunID(o.discard); err != nil {
					return err
				}
			}
			if n := len(args) + given(o.list) + given(o.discard != ""); n > 1 {
				return usagef("ID, --list and --discard exclude each other")
			}
			if runF == nil {
				runF = resumeRun
			}
			return o.start(cmd, runF)
		},
	}
	addVerifyKey(cmd)
	addMaxAge(cmd)
	cmd.Flags().StringVar(&o.sources.BaseDir, "base-dir", "", "another folder that the plan may read files from")
	o.addExecution(cmd)
	addGenerated(cmd, &o.generatedFile)
	o.objects.addReconcileTimeout(cmd)
	addKube(cmd.Flags())
	cmd.Flags().BoolVar(&o.list, "list", false, "list unfinished runs")
	cmd.Flags().StringVar(&o.discard, "discard", "", "remove the journal of an unfinished run; it can then no longer be resumed")
	return cmd
}

// checkRunID refuses what is not the id of a run: nothing else may be removed.
func checkRunID(id string) error {
	switch {
	case id == "":
		return usagef("--discard: the id of the run is empty").WithHint(engine.ListRunsHint)
	case strings.ContainsAny(id, `/\`) || strings.ContainsRune(id, filepath.Separator):
		return usagef("invalid value %q for --discard: it takes the id of a run, not a path", id).WithHint(engine.ListRunsHint)
	}
	return nil
}

func given(flag bool) int {
	if flag {
		return 1
	}
	return 0
}

func resumeRun(ctx context.Context, o *executeOptions) error {
	switch {
	case o.list:
		return o.listRuns()
	case o.discard != "":
		return o.discardRun()
	}
	path := ""
	if o.journal != "" {
		var err error
		if path, err = o.factory.host().FindRun(o.journal); err != nil {
			return err
		}
	}
	if err := o.objects.prepare(o.factory, &o.sources); err != nil {
		return err
	}
	x := o.newExecution()
	defer x.display.close()
	if err := x.open(); err != nil {
		return err
	}
	c, err := x.engine.Continue(ctx, engine.ContinueRequest{
		Journal: path, Trust: o.factory.trust(), BaseDir: o.sources.BaseDir,
		SkipMoved: o.trust.onDrift == driftSkip, GoOnAfterGateway: o.onGatewayFailure == gatewayContinue,
	})
	x.display.pause()
	if err != nil {
		return err
	}
	if c.Gone != "" {
		return errors.Join(x.say(fmt.Sprintf("Another process completed or discarded the run %s.", c.Gone)), x.streams.document(x.output, view.EndedRun{ID: c.Gone, Status: view.StatusGone}))
	}
	x.continued, x.planned, x.id = c, c.Run.Planned, c.Run.Unfinished.ID
	return x.resume(ctx)
}

// resume carries out what is left of a run.
func (x *execution) resume(ctx context.Context) error {
	c := x.continued
	u := c.Run.Unfinished
	text := fmt.Sprintf("Resuming the run of %s: %d of %s done", u.Started, c.Done, plural(len(u.Plan.Changes), "change is", "changes are"))
	if n := c.Done - u.Done(); n > 0 {
		text += fmt.Sprintf(", %d of them to be confirmed", n)
	}
	if c.Moved > 0 {
		text += fmt.Sprintf(", %d left out because Konnect has changed", c.Moved)
	}
	if err := x.say(text + "."); err != nil {
		return err
	}
	if len(c.Remaining.Changes) > 0 || x.dryRun {
		return x.carryOut(ctx)
	}
	if err := x.trust.refuses(c.Remaining); err != nil {
		return err
	}
	return x.run(ctx) // it only ends the journal
}

// listRuns lists the unfinished runs.
func (o *executeOptions) listRuns() error {
	found, err := o.factory.host().Runs()
	if err != nil {
		return err
	}
	runs := []view.UnfinishedRun{}
	for _, f := range found {
		run := view.NewUnfinishedRun(f.ID, f.Run, f.Err)
		run.Running, run.Process = f.Running, f.Process
		runs = append(runs, run)
	}
	s := o.factory.world.streams
	if err := checkOutput(o.output, formText, formJSON, formYAML); err != nil {
		return err
	}
	if isDocument(o.output) {
		return s.document(o.output, runs)
	}
	return toOutput(view.WriteUnfinishedRuns(s.out, runs, s.tableWidth()))
}

// discardRun removes the journal of a run.
func (o *executeOptions) discardRun() error {
	r, err := o.factory.host().Discard(o.discard)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("Discarded the run %s.", r.ID)
	if u := r.Run; r.Err == nil {
		text = fmt.Sprintf("Discarded the run %s: %d of %s done.", u.ID, u.Done(), plural(len(u.Plan.Changes), "change was", "changes were"))
		for _, c := range u.Uncertain() {
			text += "\nIts outcome is unknown: " + view.Described(c)
		}
	}
	if _, err = fmt.Fprintln(o.factory.world.streams.err, terminal.Block(text)); err != nil {
		return err
	}
	return o.factory.world.streams.document(o.output, view.EndedRun{ID: r.ID, Status: view.StatusDiscarded})
}
