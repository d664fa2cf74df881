package view

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/terminal"
)

// maxRunning bounds the lines of the live display.
const maxRunning = 8

var spinner = []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

// Live is the progress on a terminal: finished changes scroll by, and below
// them stand the running ones and the counters, redrawn in place.
type Live struct {
	out     io.Writer
	style   Style
	width   func() int
	now     func() time.Time
	tally   tally
	phase   event.Phase
	running []runningChange
	retries int
	// throttled reports that the service wants fewer requests, and so that people
	// will wait.
	throttled bool
	stopping  bool    // nothing new starts
	reading   reading // of this phase
	drawn     int     // lines below which the cursor stands
	frame     int
	started   time.Time
	ends      []time.Time // of the last changes
}

// lately is how many changes say how fast a run goes at the moment.
const lately = 20

type runningChange struct {
	change  event.Change
	since   time.Time
	waiting bool // it was sent, and its resource is not ready yet
}

// doing is what happens with a change.
func (r runningChange) doing() string {
	if r.waiting {
		return "waiting for"
	}
	return present(r.change.Action)
}

// NewLive makes the progress for a terminal that can move its cursor. width is
// asked before each drawing, as people resize; 0 means unknown.
func NewLive(out io.Writer, style Style, width func() int, now func() time.Time) *Live {
	return &Live{out: out, style: style, width: width, now: now}
}

// Handle takes the next event and redraws.
func (l *Live) Handle(e event.Event) {
	l.tally.count(e)
	switch e := e.(type) {
	case event.PhaseStarted:
		l.phase, l.started, l.throttled = e.Phase, l.now(), false
		l.reading = reading{started: l.started}
	case event.PhaseFinished:
		l.phase = ""
	case event.RunStarted:
		l.started, l.stopping, l.ends = l.now(), false, nil
	case event.Stopping:
		l.stopping = true
	case event.ChangeStarted:
		l.running = append(l.running, runningChange{change: e.Change, since: l.now()})
	case event.ChangeWaiting:
		for i, r := range l.running {
			l.running[i].waiting = r.waiting || r.change.ID == e.Change.ID
		}
	case event.ChangeFinished:
		l.ended(e.Change)
	case event.ChangeFailed:
		l.ended(e.Change)
	case event.ChangeSkipped:
		l.ended(e.Change)
	case event.Read:
		l.reading.objects += e.Objects
		return // drawn with the next tick: many come at once
	case event.Answered:
		l.reading.answered(l.now())
		return
	case event.Reads:
		l.reading.moved(e.Started, e.Ended, l.now())
		return
	case event.Retrying:
		// Many may come at once: they are counted, not listed.
		l.retries++
		l.throttled = l.throttled || e.Throttled
		l.draw("")
		return
	case event.RunFinished:
		l.running, l.phase, l.tally = nil, "", tally{}
	}
	l.draw(l.tally.line(e, l.style))
}

// Tick turns the wheel.
func (l *Live) Tick() {
	l.frame++
	if l.drawn > 0 {
		l.draw("")
	}
}

// Close takes the status lines away.
func (l *Live) Close() {
	l.running, l.phase, l.tally = nil, "", tally{}
	l.draw("")
}

func (l *Live) ended(c event.Change) {
	if l.ends = append(l.ends, l.now()); len(l.ends) > lately {
		l.ends = l.ends[1:]
	}
	for i, r := range l.running {
		if r.change.ID == c.ID {
			l.running = append(l.running[:i:i], l.running[i+1:]...)
			return
		}
	}
}

// draw replaces the status lines, after a line that stays.
func (l *Live) draw(stays string) {
	var b strings.Builder
	if l.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA\r\x1b[J", l.drawn)
	}
	if stays != "" {
		b.WriteString(stays + "\n")
	}
	status, most := l.status(), l.width()-1
	for _, line := range status {
		b.WriteString(fit(line, most) + "\n")
	}
	l.drawn = len(status)
	if b.Len() > 0 {
		// A progress that cannot be shown must not stop the run.
		_, _ = io.WriteString(l.out, b.String())
	}
}

func (l *Live) status() []string {
	wheel := spinner[l.frame%len(spinner)]
	if l.tally.total == 0 {
		if l.phase == "" {
			return nil
		}
		now := l.now()
		return []string{l.fitted([]string{
			wheel + " " + phaseWords[l.phase] + "…" + l.reading.counted(), l.reading.left(l.throttled, now), l.reading.pace(now), l.slowed(), l.repeated(),
		})}
	}
	var lines []string
	for i, r := range l.running {
		if i == maxRunning {
			lines = append(lines, fmt.Sprintf("  … and %d more", len(l.running)-maxRunning))
			break
		}
		lines = append(lines, l.line(wheel+" "+r.doing()+" ", named(r.change), " "+duration(l.now().Sub(r.since))))
	}
	took := l.now().Sub(l.started)
	parts := []string{fmt.Sprintf("%d of %d done", l.tally.done(), l.tally.total)}
	if l.stopping {
		parts[0] = "stopping: " + parts[0]
	}
	number := func(n int, word string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, word))
		}
	}
	number(l.tally.failed, "failed")
	number(l.tally.skipped, "skipped")
	number(len(l.running), "running")
	parts = append(parts, duration(took), l.left(took), pace(l.tally.done(), took), l.slowed(), l.repeated())
	return append(lines, l.fitted(parts))
}

// line names a change between two texts. Where that does not fit, the name is cut.
func (l *Live) line(before, name, after string) string {
	most := l.width() - 1
	if most < 1 || fits(before+name+after, most) {
		return before + name + after
	}
	end := "…"
	if strings.HasSuffix(name, `"`) {
		end += `"`
	}
	for cut := name; cut != ""; {
		_, size := utf8.DecodeLastRuneInString(cut)
		cut = cut[:len(cut)-size]
		if fits(before+cut+end+after, most) {
			return before + cut + end + after
		}
	}
	return before + name + after // the terminal is too narrow for anything
}

// fits reports whether a text has no more than so many columns.
func fits(text string, most int) bool { return fit(text, most) == text }

// fitted is one line of those parts that the terminal has room for, the first ones
// first.
func (l *Live) fitted(parts []string) string {
	line, most := "", l.width()-1
	for _, part := range parts {
		if part == "" {
			continue
		}
		longer := part
		if line != "" {
			longer = line + ", " + part
		}
		if line != "" && most > 0 && !fits(longer, most) {
			break
		}
		line = longer
	}
	return line
}

// pace is how fast something goes, where that can be said.
func pace(done int, took time.Duration) string {
	if done < 10 || took < time.Second {
		return ""
	}
	perSecond := float64(done) / took.Seconds()
	if perSecond < 10 {
		return fmt.Sprintf("%.1f/s", perSecond)
	}
	return fmt.Sprintf("%.0f/s", perSecond)
}

// left is how long the rest will take at the pace of the last changes, the wait for
// the next one included. It is silent until that can be said, and where nobody will
// wait.
func (l *Live) left(took time.Duration) string {
	done, todo := l.tally.done(), l.tally.total-l.tally.done()
	if done < 10 || todo == 0 || l.stopping || !l.throttled && took < longWait {
		return ""
	}
	n := len(l.ends) - 1
	if n < 5 {
		return ""
	}
	rest := time.Duration(float64(l.now().Sub(l.ends[0])) / float64(n) * float64(todo))
	if rest < time.Second {
		return ""
	}
	return "about " + duration(rest.Round(time.Second)) + " left"
}

// slowed says why it takes long.
func (l *Live) slowed() string {
	if !l.throttled {
		return ""
	}
	return "rate limited"
}

// repeated tells that requests are being asked again, and so why it takes long.
func (l *Live) repeated() string {
	switch l.retries {
	case 0:
		return ""
	case 1:
		return "1 request repeated"
	default:
		return fmt.Sprintf("%d requests repeated", l.retries)
	}
}

// fit keeps a line from wrapping: a wrapped one could not be redrawn.
func fit(line string, most int) string {
	if most < 1 || terminal.Columns(line) <= most {
		return line
	}
	return terminal.Cut(line, most)
}
