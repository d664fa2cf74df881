//go:build real

package kube

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/test/kubetest"
)

// newTestMachine is a machine for a Go test, in a namespace of its own.
func newTestMachine(t *testing.T, server *kubetest.Server, files map[string]string) *machine {
	t.Helper()
	namespace, err := server.Namespace("t")
	if err != nil {
		t.Fatal(err)
	}
	m, err := newMachine(server, t.TempDir(), namespace)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.gate.Close)
	m.write(t, files)
	return m
}

// write writes files, with $NS replaced by the namespace.
func (m *machine) write(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(m.dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, "$NS", m.namespace)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// run runs a command that must succeed and returns all that it printed.
func (m *machine) run(t *testing.T, args ...string) string {
	t.Helper()
	out, code := m.try(t, args...)
	if code != 0 {
		t.Fatalf("%s: exit status %d\n%s", strings.Join(args, " "), code, end(out))
	}
	return out
}

func (m *machine) command(ctx context.Context, args ...string) *exec.Cmd {
	// env looks programs up where the machine has them.
	cmd := exec.CommandContext(ctx, "/usr/bin/env", args...)
	cmd.Dir, cmd.Env = m.dir, m.env
	return cmd
}

// try runs a command and returns all that it printed, and its exit status.
func (m *machine) try(t *testing.T, args ...string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()
	out, err := m.command(ctx, args...).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		t.Fatalf("%s does not end\n%s", strings.Join(args, " "), end(string(out)))
	case errors.As(err, &exit):
		return string(out), exit.ExitCode()
	case err != nil:
		t.Fatalf("%s: %v", strings.Join(args, " "), err)
	}
	return string(out), 0
}

// end is the last part of what a command printed.
func end(out string) string { return out[max(0, len(out)-3000):] }
