package view

import (
	"encoding/json"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
)

// The statuses of a report as programs read it.
const (
	documentDone    = "success"
	documentPartial = "partial_success"
	documentFailed  = "error"
)

// reportDocument is a report as programs read it: what was to be done, how it
// ended in short, and how each change ended.
type reportDocument struct {
	Plan      json.RawMessage `json:"plan,omitempty"`
	Summary   reportSummary   `json:"summary"`
	Execution reportExecution `json:"execution"`
	Place
	Error       *Error       `json:"error,omitempty"`
	Diagnostics []Diagnostic `json:"diagnostics,omitzero"`
}

type reportSummary struct {
	Status       string         `json:"status"`
	Message      string         `json:"message"`
	Mode         plan.Mode      `json:"mode"`
	TotalChanges int            `json:"total_changes"`
	Applied      int            `json:"applied"`
	Failed       int            `json:"failed"`
	Aborted      int            `json:"aborted,omitempty"`
	Skipped      int            `json:"skipped"`
	LeftOut      int            `json:"left_out,omitempty"`
	Pending      []plan.Pending `json:"pending,omitempty"`
	Blocked      []plan.Blocked `json:"blocked,omitempty"`
	Errors       []plan.Problem `json:"errors,omitempty"`
}

type reportExecution struct {
	DryRun            bool              `json:"dry_run"`
	AppliedChanges    []*execute.Result `json:"applied_changes"`
	Errors            []*execute.Result `json:"errors"`
	SkippedChanges    []*execute.Result `json:"skipped_changes"`
	ValidationResults []validation      `json:"validation_results"`
	StartedAt         string            `json:"started_at"`
	FinishedAt        string            `json:"finished_at"`
	Interrupted       bool              `json:"interrupted"`
	Stopped           string            `json:"stopped,omitempty"`
	FinishError       string            `json:"finish_error,omitempty"`
}

// validation is what a dry run says of a change.
type validation struct {
	ChangeID     string      `json:"change_id"`
	Action       plan.Action `json:"action"`
	ResourceType string      `json:"resource_type"`
	ResourceRef  string      `json:"resource_ref"`
	ResourceName string      `json:"resource_name"`
	ResourceID   string      `json:"resource_id,omitempty"`
	Status       string      `json:"status"`
	Validation   string      `json:"validation"`
}

// MarshalJSON is the document that programs read.
func (r *Report) MarshalJSON() ([]byte, error) {
	doc := reportDocument{
		Plan: r.Plan, Place: r.Place, Error: r.Error, Diagnostics: r.Diagnostics,
		Summary: reportSummary{
			Status: r.documentStatus(), Message: r.message(), Mode: r.Mode, TotalChanges: r.Total, Applied: r.Succeeded,
			Failed: r.Failed, Aborted: r.Aborted, Skipped: r.Skipped, LeftOut: r.LeftOut, Pending: r.Pending, Blocked: r.Blocked, Errors: r.Unread,
		},
		Execution: reportExecution{
			DryRun: r.DryRun, AppliedChanges: []*execute.Result{}, Errors: []*execute.Result{}, SkippedChanges: []*execute.Result{},
			ValidationResults: []validation{}, StartedAt: r.StartedAt, FinishedAt: r.FinishedAt, Interrupted: r.Interrupted,
			Stopped: r.Stopped, FinishError: r.FinishError,
		},
	}
	x := &doc.Execution
	for _, c := range r.Results {
		switch c.Status {
		case execute.Succeeded:
			x.AppliedChanges = append(x.AppliedChanges, c)
		case execute.Failed, execute.Aborted:
			x.Errors = append(x.Errors, c)
		case planned:
			skipped := *c
			skipped.Status = execute.Skipped
			x.SkippedChanges = append(x.SkippedChanges, &skipped)
			if r.Status != StatusDryRun {
				continue
			}
			x.ValidationResults = append(x.ValidationResults, validation{
				c.ChangeID, c.Action, c.ResourceType, c.ResourceRef, c.ResourceName, c.ResourceID, "would_succeed", "passed",
			})
		default:
			x.SkippedChanges = append(x.SkippedChanges, c)
		}
	}
	if r.DryRun || r.Succeeded+r.Failed+r.Aborted == 0 {
		doc.Summary.Skipped = len(x.SkippedChanges)
	}
	return json.Marshal(doc)
}

// ended is the status of a report that agrees with the error that the command ends
// with: a run that did all there was to do may fail for another reason.
func (r *Report) ended() string {
	switch {
	case r.Error == nil, r.Status != StatusDone && r.Status != StatusDryRun:
		return r.Status
	case r.Succeeded > 0, r.leftOut() > 0:
		return StatusPartial
	default:
		return StatusFailed
	}
}

func (r *Report) documentStatus() string {
	switch r.ended() {
	case StatusDone, StatusDryRun:
		return documentDone
	case StatusPartial:
		return documentPartial
	case StatusInterrupted:
		if r.Succeeded > 0 {
			return documentPartial
		}
	}
	return documentFailed
}

// message is the end of a run in one sentence.
func (r *Report) message() string {
	switch {
	case r.Status == StatusFailed && r.Failed == 0:
		return "Refused: nothing was changed."
	case r.DryRun:
		return "Dry run: nothing was changed."
	case r.Total == 0 && r.leftOut() == 0:
		return "No changes."
	}
	return r.actions() + r.undone() + "."
}
