//go:build real

package real

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// runner is a command that runs in the background; its lines of standard error
// come one by one.
type runner struct {
	t      *testing.T
	cmd    *exec.Cmd
	lines  chan string
	output strings.Builder
}

func (m *machine) background(t *testing.T, args ...string) *runner {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	c := &runner{t: t, cmd: m.command(ctx, args...), lines: make(chan string, 1000)}
	out, err := c.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(c.lines)
		for in := bufio.NewScanner(out); in.Scan(); {
			c.lines <- in.Text()
		}
	}()
	return c
}

// await reads lines until one holds a text.
func (c *runner) await(text string) {
	c.t.Helper()
	for line := range c.lines {
		c.output.WriteString(line + "\n")
		if strings.Contains(line, text) {
			return
		}
	}
	c.t.Fatalf("no %q in\n%s", text, c.output.String())
}

func (c *runner) signal(sig syscall.Signal) {
	c.t.Helper()
	if err := c.cmd.Process.Signal(sig); err != nil {
		c.t.Fatal(err)
	}
}

// end waits for the end and returns everything that was printed.
func (c *runner) end(status int) string {
	c.t.Helper()
	for line := range c.lines {
		c.output.WriteString(line + "\n")
	}
	err := c.cmd.Wait()
	var exit *exec.ExitError
	if got := c.cmd.ProcessState.ExitCode(); !errors.As(err, &exit) && err != nil || got != status {
		c.t.Errorf("exit status %d, want %d (%v)\n%s", got, status, err, c.output.String())
	}
	return c.output.String()
}

// slowly starts a server that takes its time, and a configuration of many teams.
func slowly(t *testing.T, flags ...string) (*machine, *process, []string) {
	t.Helper()
	m := newMachine(t)
	addr := freeAddr(t)
	server := m.start(t, addr, append([]string{"local", "start", "--foreground", "--addr", addr, "--data", t.TempDir()}, flags...)...)
	file := filepath.Join(t.TempDir(), "teams.yaml")
	var b strings.Builder
	b.WriteString("teams:\n")
	for i := range 12 {
		b.WriteString("- name: team-" + strconv.Itoa(i) + "\n")
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return m, server, []string{"apply", "-f", file, "--base-url", "http://" + addr, "--auto-approve", "--max-concurrency", "4"}
}

// once fails unless every team exists exactly once.
func once(t *testing.T, p *process) {
	t.Helper()
	state := string(p.body(t, "/__local/state"))
	for i := range 12 {
		if n := strings.Count(state, `"name":"team-`+strconv.Itoa(i)+`"`); n != 1 {
			t.Errorf("there are %d of team-%d", n, i)
		}
	}
}

// busy waits until the second round of changes is on its way: those of the first
// end together, and between two rounds there is nothing to interrupt.
func busy(c *runner) {
	c.t.Helper()
	c.await("[ 4/12] created organization_team")
	time.Sleep(100 * time.Millisecond)
}

func TestInterruptOnce(t *testing.T) {
	m, server, args := slowly(t, "--latency", "400ms")
	c := m.background(t, args...)
	busy(c)
	c.signal(syscall.SIGINT)
	began := time.Now()
	c.await("press again to abort")
	if took := time.Since(began); took > 300*time.Millisecond {
		t.Errorf("the answer took %s", took)
	}
	out := c.end(130)
	for _, want := range []string{"stopping after ", "not started: the run was interrupted", "Run `kongctl resume " + strings.Join(args[3:5], " ") + "` to continue.", "interrupted: "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	m.run(t, append([]string{"resume", "--auto-approve"}, args[3:5]...)...)
	once(t, server)
}

func TestInterruptTwice(t *testing.T) {
	m, server, args := slowly(t, "--latency", "1s")
	c := m.background(t, args...)
	busy(c)
	c.signal(syscall.SIGTERM)
	c.await("press again to abort")
	c.signal(syscall.SIGINT)
	began := time.Now()
	out := c.end(130)
	if took := time.Since(began); took > time.Second {
		t.Errorf("the end took %s", took)
	}
	for _, want := range []string{"Outcome unknown, because the run was aborted:\n  create organization_team ", "Run `kongctl resume " + strings.Join(args[3:5], " ") + "` to check these changes and continue."} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	m.run(t, args...)
	once(t, server)
	if out := m.run(t, "resume", "--list"); !strings.Contains(out, "There is no unfinished run.") {
		t.Error(out)
	}
}

// manyServices starts a server that takes its time, and a gateway of many services.
func manyServices(t *testing.T) (*machine, *process, []string) {
	t.Helper()
	m, server, args := slowly(t, "--latency", "150ms")
	var b strings.Builder
	b.WriteString("control_planes: [{name: cp, _deck: {state: {services: [")
	for i := range 40 {
		b.WriteString("{name: shop-" + strconv.Itoa(i) + ", host: h},")
	}
	b.WriteString("]}, flags: [--parallelism=2]}}]\n")
	if err := os.WriteFile(args[2], []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return m, server, args
}

// writing waits until decK has written something.
func writing(t *testing.T, p *process) {
	t.Helper()
	for !strings.Contains(string(p.body(t, "/__local/state")), `"name":"shop-`) {
		select {
		case <-time.After(20 * time.Millisecond):
		case <-t.Context().Done():
			t.Fatal("decK wrote nothing")
		}
	}
}

// services counts those that exist.
func services(t *testing.T, p *process) int {
	t.Helper()
	return strings.Count(string(p.body(t, "/__local/state")), `"name":"shop-`)
}

// TestInterruptDeck: a run of decK that is under way finishes, and another interrupt
// aborts it.
func TestInterruptDeck(t *testing.T) {
	m, server, args := manyServices(t)
	c := m.background(t, args...)
	writing(t, server)
	c.signal(syscall.SIGINT)
	c.await("press again to abort")
	if out := c.end(0); !strings.Contains(out, `ran decK on "cp"`) {
		t.Error(out)
	}
	if n := services(t, server); n != 40 {
		t.Errorf("%d services exist", n)
	}
}

func TestAbortDeck(t *testing.T) {
	m, server, args := manyServices(t)
	c := m.background(t, args...)
	writing(t, server)
	c.signal(syscall.SIGINT)
	c.await("press again to abort")
	c.signal(syscall.SIGINT)
	if out := c.end(130); !strings.Contains(out, "Outcome unknown, because the run was aborted:\n  decK on \"cp\"") {
		t.Error(out)
	}
	if n := services(t, server); n == 40 {
		t.Error("it was not aborted")
	}
	m.run(t, append([]string{"resume", "--auto-approve"}, args[3:5]...)...)
	if n := services(t, server); n != 40 {
		t.Errorf("%d services exist", n)
	}
}

// TestInterruptedRead: there is nothing to wait for while reading.
func TestInterruptedRead(t *testing.T) {
	m, server, args := slowly(t, "--latency", "5s")
	c := m.background(t, args...)
	for len(server.requests(t)) == 0 {
		select {
		case <-time.After(20 * time.Millisecond):
		case <-t.Context().Done():
			t.Fatal("nothing was read")
		}
	}
	c.signal(syscall.SIGINT)
	began := time.Now()
	if out := c.end(130); !strings.Contains(out, "interrupted: nothing was changed") {
		t.Error(out)
	}
	if took := time.Since(began); took > time.Second {
		t.Errorf("the end took %s", took)
	}
}

// TestKilledRun: a plain sync after kill -9 creates nothing twice, although
// reads are behind.
func TestKilledRun(t *testing.T) {
	m, server, args := slowly(t, "--latency", "300ms", "--lag", "4s", "--fault", "no-unique")
	c := m.background(t, args...)
	c.await("created organization_team")
	c.signal(syscall.SIGKILL)
	c.end(-1)
	out := m.run(t, args...)
	if !strings.Contains(out, "Discarded the journal of the unfinished run") {
		t.Error(out)
	}
	once(t, server)
}
