package process_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/process"
)

// With this variable the test binary is a program that does not end.
const hang = "PROCESS_TEST_HANG"

func TestMain(m *testing.M) {
	if os.Getenv(hang) != "" {
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run()) //nolint:forbidigo // it is the end of the tests
}

func TestRun(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), self, "-test.list", "^TestRun$")
	cmd.Stdout = &out
	if err := process.Run(t.Context(), cmd, time.Second); err != nil || !bytes.HasPrefix(out.Bytes(), []byte("TestRun\n")) {
		t.Errorf("%v: %s", err, &out)
	}

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	cmd = exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), hang+"=1")
	began := time.Now()
	if err := process.Run(ctx, cmd, time.Second); err == nil {
		t.Error("a program that does not end has ended well")
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it was waited for %s", took)
	}

	if err := process.Run(t.Context(), exec.CommandContext(t.Context(), self+"-missing"), time.Second); err == nil {
		t.Error("a program that is not there was run")
	}
}

// waiter is written to when the command has ended, as on a machine where reading
// gets no turn before.
type waiter struct {
	cmd *exec.Cmd
	got bytes.Buffer // not embedded: it would read by itself
}

func (w *waiter) Write(p []byte) (int, error) {
	for !errors.Is(w.cmd.Process.Signal(syscall.Signal(0)), os.ErrProcessDone) {
		runtime.Gosched()
	}
	for range 10_000 {
		runtime.Gosched() // longer than the grace time
	}
	return w.got.Write(p)
}

// The grace time is for a command that is asked to end. What one that ended by
// itself wrote is read whole, however late.
func TestRunReadsAll(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signal asks whether a process is there")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.list", "^TestRun$")
	out := &waiter{cmd: cmd}
	cmd.Stdout = out
	if err := process.Run(t.Context(), cmd, time.Nanosecond); err != nil || out.got.String() != "TestRun\n" {
		t.Errorf("%v: %q", err, out.got.String())
	}
}
