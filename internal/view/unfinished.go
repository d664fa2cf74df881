package view

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
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

// WriteUnfinishedRuns renders a list of unfinished runs for people.
func WriteUnfinishedRuns(w io.Writer, runs []UnfinishedRun) error {
	if len(runs) == 0 {
		_, err := fmt.Fprintln(w, "There is no unfinished run.")
		return err
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(out, "ID\tSTARTED\tMODE\tNAMESPACES\tDONE\tTARGET") // Flush reports
	for _, r := range runs {
		if r.Error != "" {
			_, _ = fmt.Fprintf(out, "%s\t%s\n", printable(r.ID), printable(r.Error))
			continue
		}
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
		_, _ = fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\n", printable(r.ID), printable(r.StartedAt), printable(string(r.Mode)),
			printable(strings.Join(r.Namespaces, ",")), done, printable(r.Target))
	}
	return out.Flush()
}
