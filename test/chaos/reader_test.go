//go:build unix

package chaos

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// unread is the exit status of a command whose output nobody reads to its end: what
// a shell says of a program that SIGPIPE ended.
const unread = 141

// pipe is a pipe with a reader that leaves after some lines.
func pipe(t *testing.T, lines int) *os.File {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = writer.Close() }) // it may be closed
	if lines == 0 {
		_ = reader.Close() // it was not used
		return writer
	}
	go func() {
		defer func() { _ = reader.Close() }() // it was only read
		for in := bufio.NewReader(reader); lines > 0; lines-- {
			if _, err := in.ReadString('\n'); err != nil {
				return
			}
		}
	}()
	return writer
}

// status runs a command and returns how it ended, a signal included.
func status(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if !cmd.ProcessState.Exited() {
		t.Errorf("kongctl %s: %s", strings.Join(cmd.Args[1:], " "), cmd.ProcessState)
	}
	return cmd.ProcessState.ExitCode()
}

// A run is carried out to its end, whoever leaves while it says how far it is: all
// changes are made, the report is written, no journal is left, the status is its own.
func TestRunOutlivesItsReader(t *testing.T) {
	for name, tc := range map[string]struct {
		lines    int
		out, err bool // goes to that reader
		args     []string
	}{
		"both streams, from the start":          {0, true, true, nil},
		"both streams, after a line":            {1, true, true, nil},
		"both streams, after some progress":     {14, true, true, nil},
		"standard output":                       {0, true, false, nil},
		"standard error":                        {1, false, true, nil},
		"a report on standard output":           {0, true, false, []string{"-o", "json"}},
		"events on standard output":             {2, true, false, []string{"-o", "jsonl"}},
		"the log, which has a line per request": {1, false, true, []string{"--log-level", "debug"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			server := start(t, home, "--data", filepath.Join(home, "data"), "--latency", "20ms")
			var text strings.Builder
			for i := range 4 {
				fmt.Fprintf(&text, "- {ref: p%d, name: p%d, pages: [{ref: g%d, slug: a, title: T, content: c}]}\n", i, i, i)
			}
			file, report := filepath.Join(home, "a.yaml"), filepath.Join(home, "report.json")
			if err := os.WriteFile(file, []byte("portals:\n"+text.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			args := []string{"sync", "-f", file, "--base-url", server.url, "--pat", "x", "--auto-approve", "--max-concurrency", "1", "--execution-report-file", report}
			cmd := command(t, home, append(args, tc.args...)...)
			to := pipe(t, tc.lines)
			if tc.out {
				cmd.Stdout = to
			}
			if tc.err {
				cmd.Stderr = to
			}
			if got := status(t, cmd); got != 0 {
				t.Errorf("exit status %d", got)
			}
			if portals := server.state(t)["portal"]; len(portals) != 4 {
				t.Errorf("%d portals, want 4", len(portals))
			}
			var written struct {
				Summary struct {
					Status  string
					Applied int
				}
			}
			raw, err := os.ReadFile(report)
			if err == nil {
				err = json.Unmarshal(raw, &written)
			}
			if err != nil || written.Summary.Status != "success" || written.Summary.Applied != 8 {
				t.Errorf("report %+v, %v", written, err)
			}
			var runs bytes.Buffer
			list := command(t, home, "resume", "--list", "-o", "json")
			list.Stdout = &runs
			if got := status(t, list); got != 0 || strings.TrimSpace(runs.String()) != "[]" {
				t.Errorf("exit status %d, unfinished runs %s", got, &runs)
			}
		})
	}
}

// A command that only prints ends quietly where nobody reads what it prints.
func TestPrintingEndsWithItsReader(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	file := filepath.Join(home, "a.yaml")
	if err := os.WriteFile(file, []byte("portals: [{name: p}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	data := []string{"--local", "--data", filepath.Join(home, "data")}
	on := func(args ...string) []string { return append(args, data...) }
	for _, args := range [][]string{
		{"explain", "portal"},
		{"explain", "portal", "-o", "json"},
		{"schema"},
		{"scaffold", "portal"},
		{"version", "--full"},
		{"get", "--help"},
		{"help", "plans"},
		{"completion", "bash"},
		on("get", "portals", "-o", "yaml"), on("get", "portals", "--jq", "."), on("api", "get", "/v3/portals"), on("export"),
		on("plan", "-f", file), on("plan", "-f", file, "-o", "text"), on("plan", "-f", file, "-o", "html"), on("diff", "-f", file), on("drift", "-f", file, "-o", "json"),
		on("sync", "-f", file, "--dry-run"),
		{"validate", "-f", file, "-o", "json"},
		{"graph", "-f", file},
		{"profile", "show"},
	} {
		cmd := command(t, home, args...)
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = pipe(t, 0), &said
		if got := status(t, cmd); got != unread {
			t.Errorf("kongctl %s: exit status %d, want %d", strings.Join(args, " "), got, unread)
		}
		if text := said.String(); strings.Contains(text, "error") || strings.Contains(text, "pipe") || strings.Contains(text, "interrupted") {
			t.Errorf("kongctl %s: standard error:\n%s", strings.Join(args, " "), text)
		}
	}
}

// A server serves on when nobody reads what it prints.
func TestServerOutlivesItsReader(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	cmd := command(t, home, "local", "start", "--foreground", "--addr", "127.0.0.1:0", "--data", filepath.Join(home, "data"))
	said, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = said.Close() // nobody reads
	cmd.Stdout, cmd.Stderr = to, io.Discard
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = to.Close() // the process has it
	p := &process{cmd: cmd}
	t.Cleanup(p.kill)
	for range 100 {
		out, err := command(t, home, "local", "status", "--data", filepath.Join(home, "data"), "-o", "json").Output()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(out), `"running": true`) {
			return
		}
	}
	t.Error("the server ended")
}
