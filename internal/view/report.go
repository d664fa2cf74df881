package view

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
)

// The ways a run may end.
const (
	StatusDone        = "done"
	StatusFailed      = "failed"
	StatusPartial     = "partial"
	StatusInterrupted = "interrupted"
	StatusDryRun      = "dry_run"
)

// planned is the status of a change that a dry run leaves alone.
const planned execute.Status = "planned"

// Report is the execution report: how a run ended, and how each of its changes.
type Report struct {
	Status string
	DryRun bool
	execute.Report
	Place
	// Plan is the document that was carried out; nil leaves it out.
	Plan []byte
	// Pending is what waits for others and was not planned.
	Pending []plan.Pending
	// Blocked is what guards refuse, Unread what could not be planned: both were
	// left out of the run.
	Blocked []plan.Blocked
	Unread  []plan.Problem
	// Error is why the command fails, where it does, and Diagnostics what that is
	// made of.
	Error       *Error
	Diagnostics []Diagnostic
	// along counts what was deleted with deleted resources.
	along plan.Summary
}

// NewReport judges the run of a plan. A run that leaves something out is
// partial, whatever became of the rest.
func NewReport(p *plan.Plan, r *execute.Report) *Report {
	out := &Report{Report: *r, Place: PlaceOf(p.Metadata), Pending: p.Pending, Blocked: p.Blocked, Unread: p.Errors}
	var made []*plan.Change
	for _, c := range r.Results {
		if x := p.Change(c.ChangeID); x != nil && c.Status == execute.Succeeded && !c.AlreadyDone {
			made = append(made, x)
		}
	}
	out.along.TakenAlong, out.along.Cascaded = plan.TakenAlong(made)
	switch {
	case r.Interrupted && r.Succeeded < r.Total:
		out.Status = StatusInterrupted
	case out.leftOut() > 0:
		out.Status = StatusPartial
	case r.Succeeded == r.Total && r.FinishErr == nil:
		out.Status = StatusDone
	case r.Succeeded > 0, out.InPart():
		out.Status = StatusPartial
	default:
		out.Status = StatusFailed
	}
	return out
}

// InPart reports whether a failed change did something all the same.
func (r *Report) InPart() bool {
	return slices.ContainsFunc(r.Results, func(c *execute.Result) bool {
		return (c.Status == execute.Failed || c.Status == execute.Aborted) && len(c.GatewayChanges) > 0
	})
}

// leftOut counts what the run did not try.
func (r *Report) leftOut() int { return len(r.Blocked) + len(r.Unread) + r.LeftOut }

// NotRun is the report on a plan that was not carried out: a dry run, or a plan
// without changes.
func NotRun(p *plan.Plan, dryRun bool, now time.Time) *Report {
	at := now.UTC().Format(time.RFC3339)
	out := &Report{Status: StatusDone, Place: PlaceOf(p.Metadata), Pending: p.Pending, Blocked: p.Blocked, Unread: p.Errors, Report: execute.Report{
		Mode: p.Metadata.Mode, StartedAt: at, FinishedAt: at, Total: len(p.Changes), Results: []*execute.Result{},
	}}
	switch {
	case dryRun:
		out.Status, out.DryRun = StatusDryRun, true
	case out.leftOut() > 0:
		out.Status = StatusPartial
	}
	for _, c := range ordered(p) {
		out.Results = append(out.Results, &execute.Result{
			ChangeID: c.ID, Action: c.Action, ResourceType: c.ResourceType, ResourceRef: c.ResourceRef,
			ResourceName: c.ResourceName, ResourceID: c.ResourceID, Status: planned,
		})
	}
	return out
}

// Refused is the report on a plan that guards keep from being carried out.
func Refused(p *plan.Plan, dryRun bool, now time.Time) *Report {
	out := NotRun(p, dryRun, now)
	out.Status = StatusFailed
	return out
}

// WriteSummary renders the end of a run for people: what could not be done, and
// last the counts of what was.
func WriteSummary(w io.Writer, r *Report, style Style) error {
	out := style.writer(w)
	line := func(text string) { _, _ = out.WriteString(text + "\n") } // Flush returns the error
	section := func(title string, lines []string) {
		if len(lines) > 0 {
			line(title + "\n" + strings.Join(lines, "\n"))
		}
	}
	var failed, unknown []string
	for _, c := range r.Results {
		text := "  " + verb(string(c.Action)) + resource(c.ResourceType, c.ResourceRef)
		switch c.Status {
		case execute.Aborted:
			unknown = append(unknown, text)
		case execute.Failed:
			failed = append(failed, text+": "+printable(c.Error)+unsure(c.Unknown))
		case execute.Succeeded, execute.Skipped: // counted
		}
	}
	if r.FinishError != "" {
		failed = append(failed, "  finish: "+printable(r.FinishError))
	}
	section(style.paint(red, "Failed")+":", failed)
	section(style.paint(yellow, "Outcome unknown")+", because the run was aborted:", unknown)
	for _, p := range r.Pending {
		line(pendingLine(p))
	}
	switch r.Status {
	case StatusDryRun:
		line("Dry run: nothing was changed.")
	case StatusDone:
		line(style.paint(green, "Done") + ": " + r.actions() + ".")
	case StatusPartial:
		line(style.paint(yellow, "Partial") + ": " + r.actions() + r.undone() + ".")
	case StatusInterrupted:
		line(style.paint(yellow, "Interrupted") + ": " + r.actions() + r.undone() + ".")
	default: // the error that ends the command says that nothing was done
	}
	for _, text := range r.lines() {
		line(text)
	}
	return out.Flush()
}

// undone counts what was not done, or may not have been.
func (r *Report) undone() string {
	var b strings.Builder
	add := func(n int, word string) {
		if n > 0 {
			fmt.Fprintf(&b, ", %d %s", n, word)
		}
	}
	leftOut, skipped, skippedWord := len(r.Blocked)+len(r.Unread), r.Skipped, "skipped"
	if r.Interrupted {
		skippedWord = "not done"
	}
	if r.Failed == 0 && !r.Interrupted { // they were skipped because Konnect has changed
		leftOut, skipped = leftOut+skipped, 0
	}
	add(r.Failed, "failed")
	add(r.Aborted, "unknown")
	add(skipped, skippedWord)
	add(leftOut, "left out")
	return b.String()
}

// actions counts what was done by what it did.
func (r *Report) actions() string {
	by, parts := map[plan.Action]int{}, map[plan.Action]int{}
	already, ran, tool := 0, 0, ""
	for _, c := range r.Results {
		for _, p := range c.GatewayChanges {
			parts[p.Action]++
		}
		switch {
		case c.AlreadyDone:
			already++
		case c.Action == plan.ExternalTool && (c.Status == execute.Succeeded || len(c.GatewayChanges) > 0):
			tool = plan.Tool(c.ResourceType)
			ran++
		case c.Status == execute.Succeeded:
			by[c.Action]++
		}
	}
	text := fmt.Sprintf("%d created, %d updated, %d deleted", by[plan.Create], by[plan.Update], by[plan.Delete]) + alongCount(r.along)
	if already > 0 {
		text += fmt.Sprintf(", %d up to date", already)
	}
	if ran > 0 {
		text += fmt.Sprintf(", %s ran on %s (%d created, %d updated, %d deleted)", tool, count(ran, "control plane"), parts[plan.Create], parts[plan.Update], parts[plan.Delete])
	}
	return text
}
