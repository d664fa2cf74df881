package view

import (
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	model "github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/terminal"
)

// EventLines are the events of a run for programs: a JSON object a line, with the
// first one of type start and the last one of type end.
type EventLines struct {
	out   io.Writer
	now   func() time.Time
	ended bool
	err   error
}

// eventLine is one line.
type eventLine struct {
	Time string `json:"time"`
	Type string `json:"type"`
	// Status is how far something is.
	Status  string `json:"status,omitempty"`
	Command string `json:"command,omitempty"`
	Version string `json:"version,omitempty"`
	Phase   string `json:"phase,omitempty"`
	Count   *int   `json:"count,omitempty"`

	ChangeID     string       `json:"change_id,omitempty"`
	Action       string       `json:"action,omitempty"`
	ResourceType string       `json:"resource_type,omitempty"`
	ResourceRef  string       `json:"resource_ref,omitempty"`
	ResourceName string       `json:"resource_name,omitempty"`
	ResourceID   string       `json:"resource_id,omitempty"`
	Object       *eventObject `json:"object,omitempty"`

	Method  string `json:"method,omitempty"`
	Path    string `json:"path,omitempty"`
	Attempt int    `json:"attempt,omitempty"`
	Message string `json:"message,omitempty"`
	TookMS  *int64 `json:"took_ms,omitempty"`
	WaitMS  *int64 `json:"wait_ms,omitempty"`
	// Unknown reports that a change may have been carried out.
	Unknown bool `json:"outcome_unknown,omitempty"`

	Mode    plan.Mode    `json:"mode,omitempty"`
	Summary any          `json:"summary,omitempty"`
	Place   *Place       `json:"target,omitempty"`
	Code    *int         `json:"exit_code,omitempty"`
	Found   []Diagnostic `json:"diagnostics,omitzero"`
}

type eventObject struct {
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// NewEventLines writes the start.
func NewEventLines(out io.Writer, now func() time.Time, command, version string) *EventLines {
	l := &EventLines{out: out, now: now}
	l.line(eventLine{Type: "start", Command: command, Version: version})
	return l
}

// line writes one line. What cannot be written must not stop the run; End returns
// the error.
func (l *EventLines) line(x eventLine) {
	x.Time = l.now().UTC().Format(time.RFC3339Nano)
	raw, err := json.Marshal(x)
	if err == nil {
		_, err = l.out.Write(append(terminal.JSON(raw), '\n'))
	}
	if l.err == nil {
		l.err = err
	}
}

// Plan writes what is about to be carried out.
func (l *EventLines) Plan(p *plan.Plan, at Place) {
	l.line(eventLine{Type: "plan", Mode: p.Metadata.Mode, Summary: p.Summary, Place: &at})
}

// End writes how the run ended: as its report says.
func (l *EventLines) End(r *Report) error {
	code := 0
	x := eventLine{Type: "end", Status: r.documentStatus(), Message: r.message(), Mode: r.Mode, Summary: counts(r.Aborted, map[string]int{
		"total_changes": r.Total, "applied": r.Succeeded, "failed": r.Failed, "skipped": r.Skipped,
	})}
	if r.Error != nil {
		code, x.Message, x.Found = r.Error.ExitCode, r.Error.Message, r.Diagnostics
	}
	x.Code = &code
	return l.end(x)
}

// counts adds the changes whose outcome is unknown, where there are any.
func counts(aborted int, all map[string]int) map[string]int {
	if aborted > 0 {
		all["aborted"] = aborted
	}
	return all
}

// Fail writes why a run ended without a report, unless it ended already.
func (l *EventLines) Fail(f Failure) error {
	if l.ended || f.Error == nil {
		return l.err
	}
	return l.end(eventLine{Type: "end", Status: documentFailed, Message: f.Error.Message, Code: &f.Error.ExitCode, Found: f.Diagnostics})
}

func (l *EventLines) end(x eventLine) error {
	l.ended = true
	l.line(x)
	return l.err
}

// Handle writes an event.
func (l *EventLines) Handle(e event.Event) {
	ms := func(d time.Duration) *int64 { n := d.Milliseconds(); return &n }
	change := func(status string, c event.Change) eventLine {
		return eventLine{Type: "change", Status: status, ChangeID: c.ID, Action: c.Action, ResourceType: c.Kind, ResourceRef: c.Ref, ResourceName: c.Name}
	}
	object := func(o event.Object) *eventObject { return &eventObject{o.Group, o.Kind, o.Namespace, o.Name} }
	var x eventLine
	switch e := e.(type) {
	case event.PhaseStarted:
		x = eventLine{Type: "phase", Status: "started", Phase: string(e.Phase)}
	case event.PhaseFinished:
		x = eventLine{Type: "phase", Status: "finished", Phase: string(e.Phase), Count: &e.Count, TookMS: ms(e.Took)}
	case event.RunStarted:
		x = eventLine{Type: "run", Status: "started", Count: &e.Total}
	case event.ChangeStarted:
		x = change("started", e.Change)
	case event.ChangeWaiting:
		x = change("waiting", e.Change)
	case event.ChangeFinished:
		x = change("done", e.Change)
		if e.AlreadyDone {
			x.Status = "unchanged"
		}
		x.ResourceID, x.TookMS = e.ResourceID, ms(e.Took)
	case event.ChangeFailed:
		x = change("failed", e.Change)
		if errors.Is(e.Err, execute.ErrAborted) {
			x.Status = "aborted"
		}
		x.Unknown = x.Status == "aborted" || model.Uncertain(e.Err)
		x.Message, x.TookMS = errorText(e.Err), ms(e.Took)
	case event.ChangeSkipped:
		x = change("skipped", e.Change)
		x.Message = e.Reason
		if e.NotStarted {
			x.Status = "not_started"
		}
	case event.Observed:
		x = eventLine{Type: "object", Status: e.Status, Message: e.Message, Object: object(e.Object)}
	case event.Settled:
		x = eventLine{Type: "object", Status: "settled", Object: object(e.Object)}
		if e.Err != nil {
			x.Message = errorText(e.Err)
		}
	case event.Stopping:
		x = eventLine{Type: "run", Status: "stopping", Count: &e.Running}
	case event.Retrying:
		x = eventLine{Type: "retry", Method: e.Method, Path: e.Path, Attempt: e.Attempt, WaitMS: ms(e.Wait), Message: e.Reason}
	case event.Waiting:
		x = eventLine{Type: "lock", Status: "waiting", Message: e.Holder + " holds the lock of " + e.What}
	case event.Warning:
		x = eventLine{Type: "warning", Message: e.Text}
	case event.RunFinished:
		x = eventLine{Type: "run", Status: "finished", TookMS: ms(e.Took), Message: e.Why, Summary: counts(e.Aborted, map[string]int{
			"applied": e.Applied, "failed": e.Failed, "skipped": e.Skipped, "not_started": e.NotStarted,
		})}
	default:
		return // how many objects a list has is of no use to others
	}
	l.line(x)
}

// Tick does nothing: a line stays as it was written.
func (l *EventLines) Tick() {}

// Close does nothing: End ends the lines.
func (l *EventLines) Close() {}

// Both shows progress in two ways.
type Both struct{ First, Second Progress }

// Handle gives an event to both.
func (b Both) Handle(e event.Event) { b.First.Handle(e); b.Second.Handle(e) }

// Tick redraws both.
func (b Both) Tick() { b.First.Tick(); b.Second.Tick() }

// Close closes both.
func (b Both) Close() { b.First.Close(); b.Second.Close() }
