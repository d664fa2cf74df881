package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kongctl/internal/disk"
	"kongctl/internal/execute"
	"kongctl/internal/plan"
	"kongctl/internal/terminal"
	"kongctl/internal/view"
)

func newResumeCmd(f *factory, runF func(context.Context, *executeOptions) error) *cobra.Command {
	o := &executeOptions{factory: f}
	cmd := &cobra.Command{
		Use:   "resume [ID] | --list | --discard ID",
		Short: "Continue a run that was interrupted or failed",
		Long: `Continue a run that was interrupted or failed.

Every run keeps a journal below $XDG_STATE_HOME/kongctl until it is complete.
Without an id, the newest run is continued. A change counts as done only if its
result is found in Konnect. Shows the remaining changes and prompts before
executing them. If Konnect has changed in the meantime, nothing is done
(--on-drift).

A later sync or apply that covers the same namespaces and types discards the
journal.`,
		Example: `  kongctl resume
  kongctl resume --list
  kongctl resume --discard 20260124T103000.000000000Z`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.journal = args[0]
			}
			if len(args) == 1 && args[0] == "" {
				return usagef("the id of the run is empty").withHint(listRunsHint)
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
	cmd.Flags().StringVar(&o.sources.baseDir, "base-dir", "", "a folder that the plan's files may be in, besides its own")
	o.addExecution(cmd)
	cmd.Flags().BoolVar(&o.list, "list", false, "list unfinished runs")
	cmd.Flags().StringVar(&o.discard, "discard", "", "remove the journal of an unfinished run, which then cannot be continued")
	return cmd
}

const listRunsHint = "`kongctl resume --list` lists unfinished runs."

// checkRunID refuses what is not the id of a run: nothing else may be removed.
func checkRunID(id string) error {
	switch {
	case id == "":
		return usagef("--discard: the id of the run is empty").withHint(listRunsHint)
	case strings.ContainsAny(id, `/\`) || strings.ContainsRune(id, filepath.Separator):
		return usagef("invalid value %q for --discard: it takes the id of a run, not a path", id).withHint(listRunsHint)
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
	path, err := o.findJournal(o.journal)
	if err != nil {
		return err
	}
	x := o.newExecution()
	defer x.display.close()
	if err := x.open(); err != nil {
		return err
	}
	_, missing := os.Stat(path)
	// Nobody else may continue the run from here on.
	if err := x.locks.take(ctx, "run "+execute.JournalID(path), journalWords(path)...); err != nil {
		return err
	}
	u, err := execute.ReadJournal(path)
	if missing == nil && errors.Is(err, os.ErrNotExist) {
		return x.say(fmt.Sprintf("Another process completed or discarded the run %s.", execute.JournalID(path)))
	}
	if err != nil {
		return o.wayOut(path, err)
	}
	if err := o.trustJournal(u); err != nil {
		return o.wayOut(path, err)
	}
	if err := o.factory.validate(u.Plan); err != nil {
		return o.wayOut(path, fmt.Errorf("journal %s: %w", u.ID, err))
	}
	x.planned = &planned{plan: u.Plan, dir: u.Dir, raw: u.Document}
	if x.planned.bases, err = o.journalBases(u); err != nil {
		return err
	}
	x.unfinished, x.id = u, u.ID
	return x.resume(ctx)
}

// resume finds out what is left of a run and carries it out.
func (x *execution) resume(ctx context.Context) error {
	r, err := x.runRequest()
	if err != nil {
		return err
	}
	x.checked, err = x.engine.check(ctx, r)
	x.display.pause()
	if refused := (*planError)(nil); errors.As(err, &refused) {
		return x.wayOut(x.unfinished.File, err)
	}
	if err != nil {
		return err
	}
	if err := x.checked.drift(r); err != nil {
		return err
	}
	u, finding := x.unfinished, x.checked.finding
	moved := map[string]bool{}
	for _, m := range finding.Moved {
		moved[m.Change.ID] = true
	}
	x.remaining = u.Plan.Only(func(c *plan.Change) bool { return finding.Done[c.ID] == nil && !moved[c.ID] })
	text := fmt.Sprintf("Resuming the run of %s: %d of %s done", u.Started, len(finding.Done), plural(len(u.Plan.Changes), "change is", "changes are"))
	if len(moved) > 0 {
		text += fmt.Sprintf(", %d left out because Konnect has changed", len(moved))
	}
	if err := x.say(text + "."); err != nil {
		return err
	}
	if len(x.remaining.Changes) > 0 || x.dryRun {
		return x.carryOut(ctx)
	}
	if err := x.trust.refuses(x.remaining); err != nil {
		return err
	}
	return x.run(ctx) // it only ends the journal
}

// findJournal finds the journal of a run by its id or the beginning of it, or
// by its path; without a word it is the newest.
func (o *executeOptions) findJournal(word string) (string, error) {
	if strings.ContainsRune(word, filepath.Separator) {
		path, err := o.factory.absolute(word)
		if err == nil && !execute.IsJournal(path) {
			return "", usagef("resume: %s is not a journal", word).withHint(listRunsHint)
		}
		return path, err
	}
	names, err := o.factory.journals()
	if err != nil {
		return "", err
	}
	if word == "" {
		if len(names) == 0 {
			return "", fmt.Errorf("resume: there is no unfinished run")
		}
		return names[len(names)-1], nil
	}
	var found []string
	for _, name := range names {
		id := execute.JournalID(name)
		if id == word {
			return name, nil
		}
		if strings.HasPrefix(id, word) {
			found = append(found, name)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", fmt.Errorf("resume: %d unfinished runs have an id that starts with %s; `kongctl resume --list` lists them", len(found), word)
	}
	return "", fmt.Errorf("resume: there is no unfinished run %q; `kongctl resume --list` lists them", word)
}

// listRuns lists the unfinished runs.
func (o *executeOptions) listRuns() error {
	names, err := o.factory.journals()
	if err != nil {
		return err
	}
	locks, err := o.factory.newLocks(nil)
	if err != nil {
		return err
	}
	runs := []view.UnfinishedRun{}
	for _, name := range names {
		u, err := execute.ReadJournal(name)
		if os.IsNotExist(err) {
			continue
		}
		run := view.NewUnfinishedRun(execute.JournalID(name), u, err)
		by, running := locks.runner(name)
		run.Running, run.Process = running, by.PID
		runs = append(runs, run)
	}
	out := o.factory.world.streams.out
	switch o.output {
	case formJSON:
		err = view.WriteJSON(out, runs)
	case formYAML:
		err = view.WriteYAML(out, runs)
	default:
		err = view.WriteUnfinishedRuns(out, runs)
	}
	return toOutput(err)
}

// discardRun removes the journal of a run.
func (o *executeOptions) discardRun() error {
	path, err := o.findJournal(o.discard)
	if err != nil {
		return err
	}
	locks, err := o.factory.newLocks(nil)
	if err != nil {
		return err
	}
	if by, running := locks.runner(path); running {
		return fmt.Errorf("discard run: %s is running: %s; wait for it to end, or interrupt it", execute.JournalID(path), by)
	}
	u, rerr := execute.ReadJournal(path)
	if err := os.Remove(path); err != nil {
		return fmt.Errorf("discard run: %w", disk.Cause(err))
	}
	text := fmt.Sprintf("Discarded the run %s.", execute.JournalID(path))
	if rerr == nil {
		text = fmt.Sprintf("Discarded the run %s: %d of %s done.", u.ID, u.Done(), plural(len(u.Plan.Changes), "change was", "changes were"))
		for _, c := range u.Uncertain() {
			text += "\nIts outcome is unknown: " + view.Described(c)
		}
	}
	_, err = fmt.Fprintln(o.factory.world.streams.err, terminal.Block(text))
	return err
}
