package view_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

func eventChange(action plan.Action, kind, ref string) event.Change {
	return event.Change{ID: "1:" + strings.ToLower(string(action[:1])) + ":" + kind + ":" + ref, Action: string(action), Kind: kind, Ref: ref, Name: ref}
}

// clock goes on by a step with every reading.
type clock struct {
	at   time.Time
	step time.Duration
}

func (c *clock) now() time.Time {
	c.at = c.at.Add(c.step)
	return c.at
}

func newClock(step time.Duration) *clock {
	return &clock{at: time.Date(2026, 11, 15, 10, 0, 0, 0, time.UTC), step: step}
}

// aRun is what happens when the second of four changes fails and takes the
// third with it.
func aRun() []event.Event {
	team, portal := eventChange(plan.Create, "team", "ops"), eventChange(plan.Update, "portal", "dev")
	page, api := eventChange(plan.Create, "portal_page", "home"), eventChange(plan.Delete, "api", "old")
	return []event.Event{
		event.PhaseStarted{Phase: event.Reading},
		event.PhaseFinished{Phase: event.Reading, Count: 3},
		event.RunStarted{Total: 4},
		event.ChangeStarted{Change: team},
		event.ChangeStarted{Change: portal},
		event.ChangeFinished{Change: team, ResourceID: "2c5e", Took: 200 * time.Millisecond},
		event.Retrying{Method: "PATCH", Path: "/v3/portals/1", Attempt: 1, Wait: 2 * time.Second, Reason: "503 Service Unavailable"},
		event.Retrying{Method: "PATCH", Path: "/v3/portals/1", Attempt: 2, Wait: 15 * time.Second, Reason: "429 Too Many Requests"},
		event.ChangeFailed{Change: portal, Err: errors.New("PATCH /v3/portals/1: 409 name in use\x1b[2J"), Took: 2500 * time.Millisecond},
		event.ChangeSkipped{Change: page, Reason: "portal dev failed"},
		event.ChangeStarted{Change: api},
		event.ChangeFinished{Change: api, AlreadyDone: true},
		event.RunFinished{Applied: 2, Failed: 1, Skipped: 1, Took: 3 * time.Second},
	}
}

func TestLines(t *testing.T) {
	var b strings.Builder
	p := view.NewLines(&b, view.Style{})
	for _, e := range aRun() {
		p.Handle(e)
		p.Tick()
	}
	p.Close()
	golden(t, "progress-lines", b.String())
}

// screen is a terminal that understands what the live display sends.
type screen struct {
	t     *testing.T
	lines []string
	row   int
}

func (s *screen) Write(raw []byte) (int, error) {
	text := string(raw)
	for text != "" {
		switch {
		case strings.HasPrefix(text, "\x1b["):
			end := strings.IndexAny(text, "AJ")
			if end < 0 {
				s.t.Fatalf("an escape sequence that this screen does not know: %q", text)
			}
			if text[end] == 'A' {
				var n int
				for _, d := range text[2:end] {
					n = n*10 + int(d-'0')
				}
				s.row -= n
				if s.row < 0 {
					s.t.Fatalf("the cursor leaves the screen")
				}
			} else {
				s.lines = s.lines[:s.row]
			}
			text = text[end+1:]
		case text[0] == '\r':
			text = text[1:]
		default:
			line, rest, _ := strings.Cut(text, "\n")
			s.lines = append(s.lines[:s.row], line)
			s.row++
			text = rest
		}
	}
	return len(raw), nil
}

// aSlowRun is one of many changes that the service slows down.
func aSlowRun() []event.Event {
	out := []event.Event{event.PhaseStarted{Phase: event.Reading}, event.Reads{Started: 40}, event.Read{Objects: 40}, event.Reads{Ended: 12}, event.Retrying{Method: "GET", Path: "/v3/apis", Attempt: 1, Wait: time.Second, Throttled: true}, event.PhaseFinished{Phase: event.Reading, Count: 3}, event.RunStarted{Total: 200}}
	for i := range 24 {
		c := eventChange(plan.Create, "api", fmt.Sprintf("a-rather-long-name-of-an-api-%02d", i))
		out = append(out, event.ChangeStarted{Change: c})
		if i == 15 {
			out = append(out, event.Retrying{Method: "POST", Path: "/v3/apis", Attempt: 1, Wait: time.Second, Throttled: true})
		}
		if i < 20 {
			out = append(out, event.ChangeFinished{Change: c})
		}
	}
	return out
}

// What is shown fits terminals of every width: counts, pace, what runs, and how long
// it will take once the service slows the run down.
func TestLiveWidths(t *testing.T) {
	for _, width := range []int{60, 80, 200} {
		s := &screen{t: t}
		p := view.NewLive(s, view.Style{}, func() int { return width }, newClock(70*time.Millisecond).now)
		var frames strings.Builder
		for i, e := range aSlowRun() {
			p.Handle(e)
			p.Tick()
			for _, line := range s.lines {
				if n := utf8.RuneCountInString(line); n >= width && !strings.HasPrefix(line, "[") {
					t.Errorf("%d columns: %d: %s", width, n, line)
				}
			}
			if i < 6 || i > 35 && i%10 == 0 {
				frames.WriteString(strings.Join(s.lines[max(0, len(s.lines)-8):], "\n") + "\n----\n")
			}
		}
		frames.WriteString(strings.Join(s.lines[max(0, len(s.lines)-8):], "\n") + "\n")
		golden(t, fmt.Sprintf("progress-live-%d", width), frames.String())
	}
}

func TestLive(t *testing.T) {
	s := &screen{t: t}
	p := view.NewLive(s, view.Style{}, func() int { return 60 }, newClock(100*time.Millisecond).now)
	var frames strings.Builder
	for _, e := range aRun() {
		p.Handle(e)
		p.Tick()
		frames.WriteString(strings.Join(s.lines, "\n") + "\n----\n")
	}
	p.Close()
	frames.WriteString(strings.Join(s.lines, "\n") + "\n")
	golden(t, "progress-live", frames.String())
}

// TestLiveStops: an interrupted run says so until it ends, and what was not sent is
// no longer shown.
func TestLiveStops(t *testing.T) {
	s := &screen{t: t}
	p := view.NewLive(s, view.Style{}, func() int { return 60 }, newClock(100*time.Millisecond).now)
	sent, held := eventChange(plan.Create, "team", "sent"), eventChange(plan.Create, "team", "held")
	for _, e := range []event.Event{
		event.RunStarted{Total: 3},
		event.ChangeStarted{Change: sent},
		event.ChangeStarted{Change: held},
		event.Stopping{Running: 1},
		event.ChangeSkipped{Change: held, NotStarted: true},
	} {
		p.Handle(e)
	}
	p.Tick()
	got := strings.Join(s.lines, "\n")
	if !strings.Contains(got, "stopping after 1 running change; press again to abort\n") || !strings.Contains(got, "\nstopping: 0 of 3 done, 1 running, ") || strings.Contains(got, "held") {
		t.Errorf("got %s", got)
	}
	p.Handle(event.ChangeFinished{Change: sent})
	p.Handle(event.RunFinished{Applied: 1, NotStarted: 2, Why: "the run was interrupted", Interrupted: true})
	p.Tick()
	want := "stopping after 1 running change; press again to abort\n[1/3] created team \"sent\"\n2 changes not started: the run was interrupted"
	if got := strings.Join(s.lines, "\n"); got != want {
		t.Errorf("got %s", got)
	}
}

// TestLiveCutsNames: a name that does not fit is cut, and the time behind it stays.
func TestLiveCutsNames(t *testing.T) {
	s := &screen{t: t}
	p := view.NewLive(s, view.Style{}, func() int { return 60 }, newClock(0).now)
	p.Handle(event.RunStarted{Total: 2})
	p.Handle(event.ChangeStarted{Change: eventChange(plan.Create, "api", strings.Repeat("long-", 12))})
	p.Handle(event.ChangeStarted{Change: eventChange(plan.Create, "api", "short")})
	want := "⠋ creating api \"long-long-long-long-long-long-long-l…\" 0.0s\n⠋ creating api \"short\" 0.0s\n"
	if got := strings.Join(s.lines, "\n"); !strings.HasPrefix(got, want) {
		t.Errorf("got %s", got)
	}
}

// TestLiveEstimate: how long the rest takes is said by the last changes, so a run that
// Konnect slows down does not promise what was true before.
func TestLiveEstimate(t *testing.T) {
	s, c := &screen{t: t}, newClock(0)
	p := view.NewLive(s, view.Style{}, func() int { return 200 }, c.now)
	p.Handle(event.RunStarted{Total: 140})
	for i := range 120 {
		c.at = c.at.Add(10 * time.Millisecond)
		if i >= 100 {
			c.at = c.at.Add(990 * time.Millisecond)
		}
		p.Handle(event.ChangeFinished{Change: eventChange(plan.Create, "api", fmt.Sprint(i))})
	}
	p.Tick()
	if got := s.lines[len(s.lines)-1]; !strings.Contains(got, "about 20s left") {
		t.Errorf("got %s", got)
	}
	c.at = c.at.Add(19 * time.Second) // the next one takes long
	p.Tick()
	if got := s.lines[len(s.lines)-1]; !strings.Contains(got, "about 40s left") {
		t.Errorf("got %s", got)
	}
}

func TestLiveCountsWhatIsRead(t *testing.T) {
	s := &screen{t: t}
	p := view.NewLive(s, view.Style{}, func() int { return 60 }, newClock(time.Second).now)
	for _, e := range []event.Event{event.PhaseStarted{Phase: event.Reading}, event.Read{Objects: 40}, event.Read{}, event.Read{Objects: 2}} {
		p.Handle(e)
	}
	p.Tick()
	if got := strings.Join(s.lines, "\n"); !strings.HasSuffix(got, "reading what exists… 42 resources") {
		t.Errorf("got %q", got)
	}
	for _, e := range []event.Event{event.Reads{Started: 17}, event.Reads{Ended: 1}, event.Reads{Ended: 1}, event.Reads{Started: 3}} {
		p.Handle(e) // what was found leads to others
	}
	p.Tick()
	if got := strings.Join(s.lines, "\n"); !strings.Contains(got, "reading what exists… 2/20, 42 resources") {
		t.Errorf("got %q", got)
	}
	p.Handle(event.PhaseStarted{Phase: event.Planning})
	if got := strings.Join(s.lines, "\n"); strings.Contains(got, "42") || strings.Contains(got, "20") {
		t.Errorf("the next phase still says %q", got)
	}
	p.Close()
}

// TestLiveReadingRate: the rate is that of the last seconds and of requests, so it stays
// while requests go on at one speed, whatever they find; what is left is said once the
// service slows reading down, and grows with what is found.
func TestLiveReadingRate(t *testing.T) {
	s, c := &screen{t: t}, newClock(0)
	p := view.NewLive(s, view.Style{}, func() int { return 200 }, c.now)
	p.Handle(event.PhaseStarted{Phase: event.Reading})
	p.Handle(event.Reads{Started: 1000})
	read := func(seconds, objects int) {
		for range seconds * 20 {
			c.at = c.at.Add(50 * time.Millisecond)
			p.Handle(event.Answered{})
			p.Handle(event.Read{Objects: objects})
			p.Handle(event.Reads{Ended: 1})
		}
		p.Tick()
	}
	shows := func(want string) {
		t.Helper()
		if got := s.lines[len(s.lines)-1]; !strings.HasSuffix(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	read(2, 10)
	shows("… 40/1000, 400 resources, 20 requests/s")
	p.Handle(event.Retrying{Method: "GET", Path: "/v3/apis", Attempt: 1, Throttled: true})
	shows("… 40/1000, 400 resources, about 48s left, 20 requests/s, rate limited, 1 request repeated")
	read(20, 0)
	shows("… 440/1000, 400 resources, about 28s left, 20 requests/s, rate limited, 1 request repeated")
	p.Handle(event.Reads{Started: 1000})
	p.Tick()
	shows("… 440/2000, 400 resources, about 1m18s left, 20 requests/s, rate limited, 1 request repeated")
	c.at = c.at.Add(time.Minute)
	p.Tick()
	shows("… 440/2000, 400 resources, 0.0 requests/s, rate limited, 1 request repeated")
}

func TestLiveKeepsToItsPlace(t *testing.T) {
	s := &screen{t: t}
	const width = 30
	p := view.NewLive(s, view.Style{}, func() int { return width }, newClock(time.Second).now)
	p.Handle(event.RunStarted{Total: 20})
	for i := range 20 {
		p.Handle(event.ChangeStarted{Change: eventChange(plan.Create, "portal_page", strings.Repeat("長い", 20)+string(rune('a'+i)))})
	}
	if len(s.lines) > 10 {
		t.Errorf("%d lines for the running changes, want at most 10", len(s.lines))
	}
	for _, line := range s.lines {
		columns := 0
		for _, r := range line {
			columns++
			if r > 0x2fff {
				columns++
			}
		}
		if columns >= width {
			t.Errorf("%q has %d columns and would wrap", line, columns)
		}
	}
	p.Close()
	if len(s.lines) != 0 {
		t.Errorf("left on the screen: %q", s.lines)
	}
}

func runPlan() *plan.Plan {
	var changes []*plan.Change
	for _, c := range []event.Change{
		eventChange(plan.Create, "team", "ops"), eventChange(plan.Update, "portal", "dev"),
		eventChange(plan.Create, "portal_page", "home"), eventChange(plan.Delete, "api", "old"),
	} {
		changes = append(changes, &plan.Change{ID: c.ID, Action: plan.Action(c.Action), ResourceType: c.Kind, ResourceRef: c.Ref})
	}
	return newPlan(plan.ModeSync, changes...)
}

func TestReport(t *testing.T) {
	result := func(i int, status execute.Status, err string) *execute.Result {
		c := runPlan().Changes[i]
		return &execute.Result{ChangeID: c.ID, Action: c.Action, ResourceType: c.ResourceType, ResourceRef: c.ResourceRef, Status: status, Error: err}
	}
	done := func(i int) *execute.Result { return result(i, execute.Succeeded, "") }
	failed := result(1, execute.Failed, "PATCH /v3/portals/1: 409 name in use\x1b[2J")
	unsure := result(1, execute.Failed, "PATCH /v3/portals/1: EOF")
	unsure.Unknown = true
	skipped := result(2, execute.Skipped, "waits for portal dev, which failed")
	aborted := result(1, execute.Aborted, execute.ErrAborted.Error())
	aborted.Unknown = true
	at := time.Date(2026, 11, 15, 10, 0, 0, 0, time.UTC)
	blocked := newPlan(plan.ModeSync)
	blocked.Blocked = []plan.Blocked{{ResourceType: "portal", ResourceRef: "prod", Action: plan.Delete, By: "protected", Message: "It is protected."}}
	for name, tt := range map[string]struct {
		report *view.Report
		status string
	}{
		"report-partial":      {view.NewReport(newPlan(plan.ModeSync), &execute.Report{Mode: plan.ModeSync, Total: 4, Succeeded: 2, Failed: 1, Skipped: 1, Results: []*execute.Result{done(0), failed, skipped, done(3)}}), view.StatusPartial},
		"report-done":         {view.NewReport(newPlan(plan.ModeSync), &execute.Report{Total: 4, Succeeded: 4, Results: []*execute.Result{done(0), done(1), done(2), done(3)}}), view.StatusDone},
		"report-interrupted":  {view.NewReport(newPlan(plan.ModeSync), &execute.Report{Total: 2, Succeeded: 1, Skipped: 1, Interrupted: true, Results: []*execute.Result{done(0), skipped}}), view.StatusInterrupted},
		"report-aborted":      {view.NewReport(newPlan(plan.ModeSync), &execute.Report{Total: 3, Succeeded: 1, Aborted: 1, Skipped: 1, Interrupted: true, Results: []*execute.Result{done(0), aborted, skipped}}), view.StatusInterrupted},
		"report-too-late":     {view.NewReport(newPlan(plan.ModeSync), &execute.Report{Total: 1, Succeeded: 1, Interrupted: true, Results: []*execute.Result{done(0)}}), view.StatusDone},
		"report-failed":       {view.NewReport(newPlan(plan.ModeSync), &execute.Report{Total: 2, Failed: 1, Skipped: 1, Results: []*execute.Result{failed, skipped}}), view.StatusFailed},
		"report-unsure":       {view.NewReport(newPlan(plan.ModeSync), &execute.Report{Total: 2, Failed: 1, Skipped: 1, Results: []*execute.Result{unsure, skipped}}), view.StatusFailed},
		"report-dry-run":      {view.NotRun(runPlan(), true, at), view.StatusDryRun},
		"report-left-out":     {view.NewReport(blocked, &execute.Report{Total: 1, Succeeded: 1, Results: []*execute.Result{done(0)}}), view.StatusPartial},
		"report-changed":      {view.NewReport(newPlan(plan.ModeSync), &execute.Report{Total: 2, Failed: 1, Skipped: 1, LeftOut: 1, Results: []*execute.Result{failed, skipped}}), view.StatusPartial},
		"report-only-blocked": {view.NotRun(blocked, false, at), view.StatusPartial},
		"report-empty":        {view.NotRun(newPlan(plan.ModeApply), false, at), view.StatusDone},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.report.Status != tt.status {
				t.Errorf("status %s, want %s", tt.report.Status, tt.status)
			}
			var b strings.Builder
			if err := view.WriteSummary(&b, tt.report, view.Style{}); err != nil {
				t.Fatal(err)
			}
			if err := view.WriteJSON(&b, tt.report); err != nil {
				t.Fatal(err)
			}
			golden(t, name, b.String())
		})
	}
}

func TestLocalStatus(t *testing.T) {
	var b strings.Builder
	for _, s := range []view.LocalStatus{
		{Running: true, Address: "http://127.0.0.1:8787", PID: 42, Data: "/data", Resources: map[string]int{"portal": 1, "api": 12}, Requests: map[string]int{"GET /v3/apis": 3}},
		{Running: true, Address: "http://127.0.0.1:8787", PID: 42, Data: "/data", Intercept: &view.LocalIntercept{Proxy: "http://127.0.0.1:8787", Certificate: "/data/ca.pem"}},
		{Data: "/data"},
	} {
		if err := view.WriteLocalStatus(&b, s); err != nil {
			t.Fatal(err)
		}
		b.WriteString("\n")
	}
	golden(t, "local-status", b.String())
}

// unanswered is an error after which nobody knows whether the change was made.
type unanswered struct{ error }

func (unanswered) Uncertain() bool { return true }

// TestInterruptedProgress: an interrupt is answered, and what did not start is
// counted in one line.
func TestInterruptedProgress(t *testing.T) {
	var b strings.Builder
	p := view.NewLines(&b, view.Style{})
	team := func(ref string) event.Change { return event.Change{ID: ref, Action: "CREATE", Kind: "team", Ref: ref} }
	for _, e := range []event.Event{
		event.RunStarted{Total: 6},
		event.Stopping{Running: 2},
		event.ChangeSkipped{Change: team("c"), Reason: "the run was interrupted", NotStarted: true},
		event.ChangeSkipped{Change: team("d"), Reason: "the run was interrupted", NotStarted: true},
		event.ChangeFinished{Change: team("a")},
		event.ChangeFailed{Change: team("b"), Err: execute.ErrAborted},
		event.ChangeFailed{Change: team("e"), Err: unanswered{errors.New("EOF")}},
		event.ChangeFailed{Change: team("f"), Err: errors.New("409")},
		event.RunFinished{Interrupted: true, NotStarted: 2, Why: "the run was interrupted"},
	} {
		p.Handle(e)
	}
	want := `stopping after 2 running changes; press again to abort
[1/6] created team "a"
[2/6] aborted: create team "b"; its outcome is unknown
[3/6] failed: create team "e": EOF; its outcome is unknown
[4/6] failed: create team "f": 409
2 changes not started: the run was interrupted
`
	if b.String() != want {
		t.Errorf("got:\n%s", b.String())
	}
}

// A run whose changes are all done is not done when a target could not finish.
func TestRunThatCouldNotBeFinished(t *testing.T) {
	done := &execute.Result{Action: plan.Create, ResourceType: "team", ResourceRef: "a", Status: execute.Succeeded}
	r := view.NewReport(&plan.Plan{}, &execute.Report{
		Total: 1, Succeeded: 1, Results: []*execute.Result{done}, FinishErr: errors.New("no space"), FinishError: "no space",
	})
	var b strings.Builder
	if err := view.WriteSummary(&b, r, view.Style{}); err != nil {
		t.Fatal(err)
	}
	if want := "Failed:\n  finish: no space\nPartial: 1 created, 0 updated, 0 deleted.\n"; r.Status != view.StatusPartial || b.String() != want {
		t.Errorf("%s: %q, want %q", r.Status, b.String(), want)
	}
}
