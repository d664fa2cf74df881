package view

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	model "github.com/kongctl/kongctl/internal/resource"
)

// Progress shows a run while it executes. Its methods are called one at a time.
type Progress interface {
	// Handle takes the next event.
	Handle(event.Event)
	// Tick redraws what changes with time alone.
	Tick()
	// Close takes away what is not meant to stay.
	Close()
}

// Lines is the progress where nothing can be redrawn: a line per change.
type Lines struct {
	out   io.Writer
	style Style
	tally tally
}

// NewLines makes the progress for files, pipes and plain terminals.
func NewLines(out io.Writer, style Style) *Lines {
	return &Lines{out: out, style: style}
}

// Handle prints the line of a finished change.
func (l *Lines) Handle(e event.Event) {
	l.tally.count(e)
	if text := l.tally.line(e, l.style); text != "" {
		// A progress that cannot be shown must not stop the run.
		_, _ = io.WriteString(l.out, text+"\n")
	}
}

// Tick does nothing: a line stays as it was printed.
func (l *Lines) Tick() {}

// Close does nothing: there is nothing to take away.
func (l *Lines) Close() {}

// tally counts what happened so far.
type tally struct {
	total, applied, failed, skipped int
	waited                          map[event.Object]bool // that a line was about
}

func (t *tally) count(e event.Event) {
	switch e := e.(type) {
	case event.RunStarted:
		*t = tally{total: e.Total}
	case event.ChangeFinished:
		t.applied++
	case event.ChangeFailed:
		t.failed++
	case event.ChangeSkipped:
		if !e.NotStarted {
			t.skipped++
		}
	}
}

func (t *tally) done() int { return t.applied + t.failed + t.skipped }

// line is what stays of an event; "" for those that leave nothing.
func (t *tally) line(e event.Event, s Style) string {
	number := func() string {
		width := len(fmt.Sprint(t.total))
		return s.paint(dim, fmt.Sprintf("[%*d/%d]", width, t.done(), t.total)) + " "
	}
	switch e := e.(type) {
	case event.ChangeFinished:
		if e.AlreadyDone {
			return number() + "unchanged " + named(e.Change) + ": up to date"
		}
		return number() + s.paint(green, past(e.Change.Action)) + " " + named(e.Change) + took(e.Took)
	case event.ChangeFailed:
		if errors.Is(e.Err, execute.ErrAborted) {
			return number() + s.paint(yellow, "aborted") + ": " + verb(e.Change.Action) + named(e.Change) + "; its outcome is unknown"
		}
		return number() + s.paint(red, "failed") + ": " + verb(e.Change.Action) + named(e.Change) + ": " + printable(errorText(e.Err)) + unsure(model.Uncertain(e.Err)) + took(e.Took)
	case event.ChangeSkipped:
		if e.NotStarted {
			return "" // the end of the run counts them
		}
		return number() + s.paint(yellow, "skipped") + " " + named(e.Change) + ": " + printable(e.Reason)
	case event.Stopping:
		return s.paint(yellow, "stopping after "+count(e.Running, "running change")+"; press again to abort")
	case event.RunFinished:
		if e.NotStarted == 0 {
			return ""
		}
		return s.paint(yellow, count(e.NotStarted, "change")+" not started") + ": " + printable(e.Why)
	case event.Observed:
		if t.waited[e.Object] || e.Status == "Current" || e.Status == "NotFound" {
			return ""
		}
		if t.waited == nil {
			t.waited = map[event.Object]bool{}
		}
		t.waited[e.Object] = true
		return s.paint(dim, "waiting for "+objectName(e.Object)+": "+printable(e.Message))
	case event.Retrying:
		if e.Wait < longWait {
			return "" // the log has it
		}
		reason := strings.TrimPrefix(e.Reason, e.Method+" "+e.Path+": ")
		return s.paint(dim, fmt.Sprintf("retrying %s %s in %s: %s", printable(e.Method), printable(e.Path), duration(e.Wait), printable(reason)))
	case event.Waiting:
		return s.paint(yellow, "waiting") + " for " + printable(e.Holder) + ", which holds the lock of " + printable(e.What) + " (--no-lock does not wait)"
	case event.Warning:
		return s.paint(yellow, "warning") + ": " + printable(e.Text)
	default:
		return ""
	}
}

func errorText(err error) string {
	if err == nil {
		return "unknown error"
	}
	return err.Error()
}

// unsure is said of a change that failed and may have been carried out all the same.
func unsure(unknown bool) string {
	if !unknown {
		return ""
	}
	return "; its outcome is unknown"
}

func named(c event.Change) string { return resource(c.Kind, c.Ref) }

// longWait is when people begin to wonder.
const longWait = 5 * time.Second

// took is silent about what nobody waits for.
func took(d time.Duration) string {
	if d < time.Second {
		return ""
	}
	return " (" + duration(d) + ")"
}

// The words for an action that was, and is being, carried out.
var (
	pastWords    = map[string]string{"CREATE": "created", "UPDATE": "updated", "DELETE": "deleted", "EXTERNAL_TOOL": "ran"}
	presentWords = map[string]string{"CREATE": "creating", "UPDATE": "updating", "DELETE": "deleting", "EXTERNAL_TOOL": "running"}
)

// verb is what an action does, before what it does it to. An external tool says it itself.
func verb(action string) string {
	if action == string(plan.ExternalTool) {
		return ""
	}
	return strings.ToLower(printable(action)) + " "
}

func past(action string) string { return word(pastWords, action) }

func present(action string) string { return word(presentWords, action) }

func word(words map[string]string, action string) string {
	if w := words[action]; w != "" {
		return w
	}
	return strings.ToLower(printable(action))
}

// phaseWords name the phases before the first change.
var phaseWords = map[event.Phase]string{
	event.Loading:   "loading the configuration",
	event.Reading:   "reading what exists",
	event.Planning:  "planning",
	event.Checking:  "checking what has changed",
	event.Executing: "carrying out the plan",
}
