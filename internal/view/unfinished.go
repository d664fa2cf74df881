package view

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/terminal"
)

// UnfinishedRun is what a list of unfinished runs says of one.
type UnfinishedRun struct {
	ID           string    `json:"id"`
	StartedAt    string    `json:"started_at,omitempty"`
	Mode         plan.Mode `json:"mode,omitempty"`
	Namespaces   []string  `json:"namespaces,omitempty"`
	Organization string    `json:"organization,omitempty"`
	BaseURL      string    `json:"base_url,omitempty"`
	// Target is where it belongs, in words.
	Target string `json:"target,omitempty"`
	Done   int    `json:"succeeded"`
	Total  int    `json:"total_changes"`
	// Unknown lists the changes that were sent and not answered.
	Unknown []string `json:"outcome_unknown,omitempty"`
	// Running reports whether a process carries it out, and Process which, where
	// that is known.
	Running bool `json:"running,omitempty"`
	Process int  `json:"process,omitempty"`
	// Error is why its journal cannot be read.
	Error string `json:"error,omitempty"`
}

// The ways in which there is nothing left of an unfinished run.
const (
	StatusDiscarded = "discarded"
	// StatusGone says that another process completed or discarded it.
	StatusGone = "gone"
)

// EndedRun is an unfinished run of which nothing is left, for programs.
type EndedRun struct {
	ID     string `json:"id"`
	Status string `json:"status"`
}

// NewUnfinishedRun describes a run by its journal, or by why that cannot be
// read.
func NewUnfinishedRun(id string, u *execute.Unfinished, err error) UnfinishedRun {
	if err != nil {
		return UnfinishedRun{ID: id, Error: err.Error()}
	}
	m := u.Plan.Metadata
	out := UnfinishedRun{
		ID: id, StartedAt: u.Started, Mode: m.Mode, Namespaces: m.SyncScope.Namespaces,
		Organization: m.Organization.ID, BaseURL: m.Organization.BaseURL, Target: PlaceOf(m).Words(),
		Done: u.Done(), Total: len(u.Plan.Changes),
	}
	for _, c := range u.Uncertain() {
		out.Unknown = append(out.Unknown, c.ID)
	}
	return out
}

// WriteUnfinishedRuns renders a list of unfinished runs for people: as a table, or, where
// that is wider than the terminal, as some lines for each. Ids are never cut: resume takes
// them. 0 stands for no bound.
func WriteUnfinishedRuns(w io.Writer, runs []UnfinishedRun, width int) error {
	if len(runs) == 0 {
		_, err := fmt.Fprintln(w, "There is no unfinished run.")
		return err
	}
	var table, blocks strings.Builder
	out := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(out, "ID\tSTARTED\tMODE\tNAMESPACES\tDONE\tTARGET") // a Builder takes all
	for _, r := range runs {
		id := printable(r.ID)
		if r.Error != "" {
			_, _ = fmt.Fprintf(out, "%s\t%s\n", id, printable(r.Error))
			_, _ = fmt.Fprintf(&blocks, "%s\n  %s\n", id, printable(r.Error))
			continue
		}
		started, mode, namespaces, target := printable(r.StartedAt), printable(string(r.Mode)), printable(strings.Join(r.Namespaces, ",")), printable(r.Target)
		_, _ = fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\n", id, started, mode, namespaces, r.done(), target)
		blocks.WriteString(id + "\n")
		for _, x := range [][2]string{{"started", started}, {"mode", mode}, {"namespaces", namespaces}, {"done", r.done()}, {"target", target}} {
			if x[1] != "" {
				blocks.WriteString("  " + x[0] + ": " + x[1] + "\n")
			}
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	text := table.String()
	wide := func(line string) bool { return terminal.Columns(line) > width }
	if width > 0 && slices.ContainsFunc(strings.Split(text, "\n"), wide) {
		lines := strings.Split(blocks.String(), "\n")
		for i, line := range lines {
			lines[i] = terminal.Wrap(line, width)
		}
		text = strings.Join(lines, "\n")
	}
	_, err := io.WriteString(w, text)
	return err
}

// done says how far the run came.
func (r UnfinishedRun) done() string {
	done := fmt.Sprintf("%d of %d", r.Done, r.Total)
	if n := len(r.Unknown); n > 0 {
		done += fmt.Sprintf(", %d unknown", n)
	}
	if r.Running {
		done += ", running"
	}
	if r.Process > 0 {
		done += fmt.Sprintf(" (process %d)", r.Process)
	}
	return done
}
