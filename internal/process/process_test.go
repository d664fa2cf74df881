package process_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"kongctl/internal/process"
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
