package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/terminal"
)

// StepProgress shows the progress of a run of steps.
type StepProgress interface {
	Progress
	// Line shows a line that no event of a run makes.
	Line(StepLine)
	// Summary ends it: counts by action.
	Summary()
	// Failed returns why something could not be written, if so.
	Failed() error
}

// StepOptions say how steps are shown.
type StepOptions struct {
	Out   io.Writer
	Style Style
	Now   func() time.Time
	// Statuses shows each status of each object that is waited for.
	Statuses bool
	// DryRun says that nothing is changed.
	DryRun bool
	// Notes shows what is not about steps: warnings, retries, interrupts.
	Notes Progress
	// Width and Height are those of the terminal, 0 where they are not known;
	// Redraw says that the cursor can be moved.
	Width, Height func() int
	Redraw        bool
}

// stepStream shows a line for each thing that happens.
type stepStream struct {
	StepOptions
	course *course
	render func(StepLine) string
	err    error
}

// NewStepEvents shows steps as lines of text.
func NewStepEvents(s Steps, o StepOptions) StepProgress {
	text := stepText{style: o.Style, namespaces: s.spread(), dryRun: o.DryRun}
	return newStepStream(s, o, func(l StepLine) string { return terminal.Wrap(text.line(l), o.Style.Width) })
}

// NewStepJSON shows steps as JSON, one document a line.
func NewStepJSON(s Steps, o StepOptions) StepProgress {
	return newStepStream(s, o, func(l StepLine) string { return stepJSON(l, o.Now(), o.DryRun) })
}

func newStepStream(s Steps, o StepOptions, render func(StepLine) string) *stepStream {
	p := &stepStream{StepOptions: o, render: render}
	p.course = newCourse(s, o.DryRun, p.Line)
	return p
}

// Handle takes the next event.
func (p *stepStream) Handle(e event.Event) {
	if !p.course.handle(e) && p.Notes != nil {
		p.Notes.Handle(e)
	}
}

// Line shows a line.
func (p *stepStream) Line(l StepLine) {
	if l.Type == "status" && !p.Statuses {
		return
	}
	if text := p.render(l); text != "" && p.err == nil {
		_, p.err = io.WriteString(p.Out, text+"\n")
	}
}

// Tick does nothing: a line stays as it was written.
func (p *stepStream) Tick() {}

// Close does nothing: there is nothing to take away.
func (p *stepStream) Close() {}

// Summary shows the counts by action.
func (p *stepStream) Summary() {
	for _, l := range p.course.summary() {
		p.Line(l)
	}
}

// Failed returns why a line could not be written.
func (p *stepStream) Failed() error { return p.err }

// stepText renders lines for people.
type stepText struct {
	style      Style
	namespaces bool // objects are in several
	dryRun     bool
}

func (t stepText) line(l StepLine) string {
	switch l.Type {
	case "group":
		words := phaseOf(l.Action) + " phase "
		if l.Action == StepInventory {
			words = "inventory update "
		}
		return t.style.paint(dim, words+strings.ToLower(l.Status)+t.dry())
	case "summary":
		c := l.Counts
		text := fmt.Sprintf("%s result: %d attempted, %d successful, %d skipped, %d failed", phaseOf(l.Action), c.sum(), c.Successful, c.Skipped, c.Failed)
		if l.Action == stepWait {
			text += fmt.Sprintf(", %d timed out", c.Timeout)
		}
		if l.Action == StepApply && c.Unchanged >= 0 {
			text += fmt.Sprintf(", %d unchanged", c.Unchanged)
		}
		return text + t.dry()
	case "status":
		if l.Of != "" {
			return listedName(l.Of, *l.Object) + " is " + printable(l.Status) + ": " + printable(l.Message)
		}
		return t.name(*l.Object) + " is " + printable(l.Status) + ": " + printable(l.Message)
	case "apply", "prune", "delete", "wait":
		words := l.Type
		if l.Type == "wait" {
			words = "reconcile"
		}
		text := t.name(*l.Object) + " " + words + " " + t.style.paint(stepColor(l.Status), strings.ToLower(l.Status))
		if l.Error != "" {
			text += ": " + printable(l.Error)
		}
		if l.Unchecked != "" {
			text += "; not checked by the server: " + printable(l.Unchecked)
		}
		return text + t.dry()
	case "error":
		if l.Object == nil {
			return "" // standard error has it
		}
		return t.name(*l.Object) + " " + t.style.paint(red, "failed") + ": " + printable(l.Error)
	default:
		return "" // standard error has it
	}
}

func (t stepText) dry() string {
	if t.dryRun {
		return " (dry run)"
	}
	return ""
}

func (t stepText) name(o event.Object) string {
	if t.namespaces && o.Namespace != "" {
		return objectName(o) + " (namespace " + printable(o.Namespace) + ")"
	}
	return objectName(o)
}

// listedName names an object of a list: shop/deployment.apps/prod/web.
func listedName(list string, o event.Object) string {
	kind, name, _ := strings.Cut(objectName(o), "/")
	parts := []string{printable(list), kind}
	if o.Namespace != "" {
		parts = append(parts, printable(o.Namespace))
	}
	return strings.Join(append(parts, name), "/")
}

// phaseOf is the word for the part of a run that carries an action out.
func phaseOf(action string) string {
	if action == stepWait {
		return "reconcile"
	}
	return strings.ToLower(action)
}

func stepColor(status string) color {
	switch status {
	case stepSuccessful, "Current":
		return green
	case stepFailed, stepTimeout:
		return red
	default:
		return yellow
	}
}

// stepJSON renders a line for programs.
func stepJSON(l StepLine, now time.Time, dryRun bool) string {
	out := map[string]any{"timestamp": now.UTC().Format(time.RFC3339), "type": l.Type}
	set := func(key, text string) {
		if text != "" {
			out[key] = text
		}
	}
	if o := l.Object; o != nil {
		out["group"], out["kind"], out["namespace"], out["name"] = o.Group, o.Kind, o.Namespace, o.Name
	}
	set("action", l.Action)
	set("status", l.Status)
	set("error", l.Error)
	set("unchecked", l.Unchecked)
	if l.Type == "status" {
		out["message"] = l.Message
	}
	if c := l.Counts; c != nil {
		out["count"], out["successful"], out["skipped"], out["failed"] = c.sum(), c.Successful, c.Skipped, c.Failed
		if l.Action == stepWait {
			out["timeout"] = c.Timeout
		}
		if l.Action == StepApply && l.Type == "summary" && c.Unchanged >= 0 {
			out["unchanged"] = c.Unchanged
		}
	}
	if dryRun {
		out["dryRun"] = true
	}
	maps.Copy(out, l.More)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(out); err != nil {
		return "" // plain values have a JSON form
	}
	return strings.TrimSuffix(string(terminal.JSON(b.Bytes())), "\n")
}
