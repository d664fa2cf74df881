package cli

import (
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
)

// slow holds back the answers to creates until released, and says when some
// are in flight.
func (s *service) slow(n int) (inFlight <-chan struct{}, release func()) {
	reached, held := make(chan struct{}), make(chan struct{})
	count := 0
	s.before = func(r *http.Request) {
		if r.Method != http.MethodPost {
			return
		}
		s.mutex.Lock()
		count++
		if count == n {
			close(reached)
		}
		s.mutex.Unlock()
		<-held
	}
	return reached, sync.OnceFunc(func() { close(held) })
}

const fourTeams = "teams: [{name: a}, {name: b}, {name: c}, {name: d}]\n"

// TestInterrupt: it answers at once, finishes what runs and counts the rest.
func TestInterrupt(t *testing.T) {
	c := newConsole(t).real()
	s := newService(t, c)
	c = s.console(c)
	c.write("a.yaml", fourTeams)
	inFlight, release := s.slow(2)
	defer release()
	signals := make(chan os.Signal, 1)
	ctx, heard := listen(t.Context(), signals, func() {})
	c.factory.world.interrupts = heard
	c.factory.world.streams.err = &trigger{buffer: c.err, on: "stopping after 2 running changes; press again to abort\n", do: release}
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, c.factory, []string{"apply", "-f", "a.yaml", "--auto-approve", "--max-concurrency", "2"})
	}()
	<-inFlight
	signals <- os.Interrupt
	if got := <-status; got != exitInterrupted {
		t.Errorf("exit status %d", got)
	}
	contains(t, "standard error", c.err, "2 changes not started: the run was interrupted\n", "Run `kongctl resume` to continue.", "interrupted: 2 of 4 changes done")
	c = s.console(c)
	c.want(exitDone, "resume", "--auto-approve")
	contains(t, "standard error", c.err, "2 of 4 changes are done")
	contains(t, "standard output", c.out, "Plan: 2 to create")
}

// TestAbort: a second signal ends the run while requests are in flight, and
// says which. They may have been carried out, and are not sent again then.
func TestAbort(t *testing.T) {
	for name, args := range map[string][]string{
		"resume":       {"resume", "--auto-approve"},
		"a plain sync": {"apply", "-f", "a.yaml", "--auto-approve"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t).real()
			s := newService(t, c)
			c = s.console(c)
			c.write("a.yaml", fourTeams)
			inFlight, release := s.slow(2)
			defer release()
			s.answered = make(chan struct{}, 4)
			signals := make(chan os.Signal, 1)
			ctx, heard := listen(t.Context(), signals, func() {})
			c.factory.world.interrupts = heard
			c.factory.world.streams.err = &trigger{buffer: c.err, on: "press again to abort", do: func() { signals <- syscall.SIGTERM }}
			status := make(chan int, 1)
			go func() {
				status <- run(ctx, c.factory, []string{"apply", "-f", "a.yaml", "--auto-approve", "--max-concurrency", "2", "-o", "json"})
			}()
			<-inFlight
			signals <- syscall.SIGTERM
			if got := <-status; got != exitInterrupted {
				t.Errorf("exit status %d", got)
			}
			contains(t, "standard error", c.err, "Outcome unknown, because the run was aborted:\n  create organization_team \"a\"\n  create organization_team \"b\"\n",
				"Run `kongctl resume` to check these changes and continue.", "interrupted: 0 of 4 changes done")
			contains(t, "the report", c.out, `"message": "0 created, 0 updated, 0 deleted, 2 unknown, 2 not done."`, `"failed": 0`, `"aborted": 2`, `"status": "aborted"`, `"outcome_unknown": true`)
			u, err := execute.ReadJournal(c.journals()[0])
			if err != nil || len(u.Uncertain()) != 2 {
				t.Fatalf("uncertain %v, %v", u.Uncertain(), err)
			}
			// Konnect carries them out late, and reads are behind.
			s.send(http.MethodPut, "/__local/faults", `{"lag":"5s","fault":"no-unique"}`)
			release()
			<-s.answered
			<-s.answered
			s.counted()
			c = s.console(c)
			c.want(exitDone, args...)
			contains(t, "standard error", c.err, `created organization_team "c"`, `created organization_team "d"`)
			if strings.Contains(c.err.String(), `created organization_team "a"`) {
				t.Errorf("it was created again:\n%s", c.err)
			}
			if _, writes := s.counted(); writes != 2 {
				t.Errorf("%d writes", writes)
			}
			if left := c.journals(); len(left) > 0 {
				t.Errorf("journals %v", left)
			}
		})
	}
}

// TestInterruptWhileRateLimited: what waits for its turn was not started, and resume
// has no doubt about it.
func TestInterruptWhileRateLimited(t *testing.T) {
	c := newConsole(t).real()
	s := newService(t, c)
	c = s.console(c)
	c.write("a.yaml", fourTeams)
	s.send(http.MethodPut, "/__local/faults", `{"fault":"429:1","on":["POST /v3/teams"]}`)
	c.atTerminal("")
	signals := make(chan os.Signal, 1)
	ctx, heard := listen(t.Context(), signals, func() {})
	c.factory.world.interrupts = heard
	c.factory.world.streams.err = &trigger{buffer: c.err, on: "rate limited", do: sync.OnceFunc(func() { signals <- os.Interrupt })}
	if got := run(ctx, c.factory, []string{"apply", "-f", "a.yaml", "--auto-approve"}); got != exitInterrupted {
		t.Errorf("exit status %d", got)
	}
	contains(t, "standard error", c.err, "4 changes not started", "Run `kongctl resume` to continue.", "interrupted: 0 of 4 changes done")
	if strings.Contains(c.err.String(), "failed") {
		t.Errorf("something failed:\n%s", c.err)
	}
	u, err := execute.ReadJournal(c.journals()[0])
	if err != nil || len(u.Uncertain()) != 0 {
		t.Fatalf("uncertain %v, %v", u.Uncertain(), err)
	}
	s.send(http.MethodPut, "/__local/faults", `{}`)
	c = s.console(c)
	c.want(exitDone, "resume", "--auto-approve")
	contains(t, "standard output", c.out, "Plan: 4 to create")
}
