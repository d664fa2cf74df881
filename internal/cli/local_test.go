package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// standIn is a server that says it is a process.
func standIn(t *testing.T, pid int) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/__local/health" {
			_, _ = fmt.Fprintf(w, `{"status":"ok","pid":%d}`, pid)
			return
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

func deadAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return l.Addr().String()
}

func TestFindServer(t *testing.T) {
	record := func(pid int, address string) string { return fmt.Sprintf(`{"pid":%d,"address":%q}`, pid, address) }
	for name, tt := range map[string]struct {
		file  string
		found bool
	}{
		"no file":                         {"", false},
		"not JSON":                        {"x", false},
		"a server that answers":           {record(42, standIn(t, 42)), true},
		"another process at that address": {record(42, standIn(t, 43)), false},
		"nobody at that address":          {record(42, deadAddress(t)), false},
		"an address of all the world":     {record(42, strings.Replace(standIn(t, 42), "127.0.0.1", "0.0.0.0", 1)), false},
		"no address":                      {record(42, ""), false},
	} {
		dir := t.TempDir()
		if tt.file != "" {
			if err := os.WriteFile(filepath.Join(dir, local.ServerFile), []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s, err := local.Find(t.Context(), dir)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if (s != nil) != tt.found {
			t.Errorf("%s: found %v, want %v", name, s, tt.found)
		}
	}
}

// machine runs "processes": command lines of their own in goroutines.
type machine struct {
	t       *testing.T
	console *console
	stop    map[string]context.CancelFunc // by data folder
	spawned [][]string
}

type goroutine struct {
	done   chan struct{}
	cancel context.CancelFunc
}

func (g goroutine) Ended() <-chan struct{} { return g.done }
func (g goroutine) Number() int            { return os.Getpid() }
func (g goroutine) End() error             { g.cancel(); return nil }

func newMachine(t *testing.T) *machine {
	m := &machine{t: t, console: newConsole(t), stop: map[string]context.CancelFunc{}}
	t.Cleanup(func() {
		for _, stop := range m.stop {
			stop()
		}
	})
	return m
}

// command is a new command line on this machine.
func (m *machine) command() *console {
	m.t.Helper()
	c := m.console.again().real()
	c.factory.world.spawn = func(args []string, output *os.File) (local.Process, error) {
		m.spawned = append(m.spawned, args)
		child := m.console.again().real()
		log, err := os.OpenFile(output.Name(), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		child.factory.world.streams.out, child.factory.world.streams.err = log, log
		ctx, cancel := context.WithCancel(context.Background())
		g := goroutine{make(chan struct{}), cancel}
		go func() {
			defer close(g.done)
			run(ctx, child.factory, args)
			_ = log.Close()
		}()
		m.stop[argument(args, "--data")] = func() { cancel(); <-g.done }
		return g, nil
	}
	c.factory.world.terminate = func(pid int) error {
		if pid != os.Getpid() {
			return errors.New("no such process")
		}
		dir, err := c.factory.dataDir()
		if err != nil {
			return err
		}
		go m.stop[dir]()
		return nil
	}
	return c
}

func argument(args []string, name string) string {
	for i, a := range args {
		if a == name {
			return args[i+1]
		}
	}
	return ""
}

const portals = "portals:\n- name: dev\n  display_name: Developers\n"

func TestLocalCommands(t *testing.T) {
	m := newMachine(t)
	m.console.write("portals.yaml", portals)
	data := filepath.Join(m.console.dir, "home/.local/share/kongctl")
	do := func(status int, line string, parts ...string) {
		t.Helper()
		c := m.command()
		c.want(status, strings.Fields(line)...)
		all := &buffer{}
		_, _ = fmt.Fprint(all, c.out, c.err)
		contains(t, line, all, parts...)
	}

	do(exitDone, "local stop", "not running", data)
	do(exitDone, "local reset", "nothing to reset")
	do(exitDone, "sync -f portals.yaml --local --auto-approve", "Done: 1 created")
	do(exitDone, "local status", "Running:    no", "1  portal")

	do(exitDone, "local start --addr 127.0.0.1:0", "Konnect is running at http://127.0.0.1:", "kongctl sync -f FILE --local", data)
	do(exitDone, "local start", "running already at http://127.0.0.1:", data)
	do(exitFailed, "local start --seed portals.yaml", "running already", "the seed was not applied", "run kongctl local stop and start again")
	do(exitFailed, "local start --addr 127.0.0.1:1", "--addr 127.0.0.1:1 has no effect", "run kongctl local stop and start again")
	do(exitFailed, "local start --foreground", "a server runs on it already", data)
	do(exitDone, "sync -f portals.yaml --local --auto-approve", "No changes.")
	do(exitDone, "local status", "Running:    yes, at http://127.0.0.1:", "1  portal", "GET /v3/portals")
	do(exitUsage, "local reset", "cannot prompt")
	do(exitDone, "local reset --yes", "is empty")
	do(exitDone, "plan -f portals.yaml --local -o text", "Plan: 1 to create")
	do(exitDone, "local stop", "is stopped")
	do(exitDone, "local stop", "not running")
	do(exitDone, "local reset --auto-approve", "is empty")

	if len(m.spawned) != 1 {
		t.Errorf("%d servers were started, want 1", len(m.spawned))
	}
	left, err := os.ReadDir(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range left {
		if e.Name() == local.ServerFile {
			t.Error("the stopped server is still on record")
		}
	}
}

func TestLocalStatusForPrograms(t *testing.T) {
	m := newMachine(t)
	m.command().want(exitDone, "local", "start", "--addr", "127.0.0.1:0", "--data", "d")
	c := m.command()
	c.want(exitDone, "local", "status", "-o", "json", "--data", "d")
	var status struct {
		Running   bool           `json:"running"`
		Address   string         `json:"address"`
		PID       int            `json:"pid"`
		Data      string         `json:"data"`
		Resources map[string]int `json:"resources"`
		Requests  map[string]int `json:"requests"`
	}
	if err := json.Unmarshal([]byte(c.out.String()), &status); err != nil {
		t.Fatal(err)
	}
	if !status.Running || status.PID != os.Getpid() || status.Data != filepath.Join(c.dir, "d") || status.Resources == nil || status.Requests == nil {
		t.Errorf("status %+v", status)
	}
	m.command().want(exitDone, "local", "stop", "--data", "d")
}

func TestSeed(t *testing.T) {
	m := newMachine(t)
	m.console.write("portals.yaml", portals)
	m.command().want(exitDone, "local", "start", "--addr", ":0", "--seed", "portals.yaml")
	c := m.command()
	c.want(exitDone, "local", "status")
	contains(t, "standard output", c.out, "1  portal")
	if strings.Contains(c.out.String(), "notification_configuration") {
		t.Errorf("what Konnect has by itself is counted: %s", c.out)
	}
	m.command().want(exitDone, "local", "stop")
}

func TestServerThatDoesNotStart(t *testing.T) {
	m := newMachine(t)
	m.console.write("bad.yaml", "portals:\n- colour: dev\n")
	c := m.command()
	c.want(exitFailed, "local", "start", "--addr", "127.0.0.1:0", "--seed", "bad.yaml")
	contains(t, "standard error", c.err, "error: start server: it ended before it answered:", "bad.yaml:2:")

	busy := standIn(t, 1)
	c = m.command()
	c.want(exitFailed, "local", "start", "--addr", busy)
	contains(t, "standard error", c.err, "address already in use", "--addr")
}

// TestChildInheritsNoSecret: what stands in a command line is seen by all.
func TestChildInheritsNoSecret(t *testing.T) {
	c := newConsole(t)
	c.env["KONGCTL_KONNECT_PAT"] = "kpat_canary"
	var got []string
	c.factory.world.spawn = func(args []string, _ *os.File) (local.Process, error) {
		got = args
		return nil, errors.New("enough")
	}
	c.want(exitFailed, "local", "start", "--seed", "s.yaml", "-p", "mine", "--config-file", c.write("c.yaml", "mine: {}"), "--log-level", "debug")
	line := strings.Join(got, " ")
	want := fmt.Sprintf("local start --foreground --addr %s --data %s --seed s.yaml --profile mine --config-file %s --log-level debug",
		defaultAddress, filepath.Join(c.dir, "home/.local/share/kongctl"), filepath.Join(c.dir, "c.yaml"))
	if line != want {
		t.Errorf("arguments\n%s, want\n%s", line, want)
	}
}

// TestFolderInUse: a folder that another process holds is told, once waiting
// has not helped.
func TestFolderInUse(t *testing.T) {
	m := newMachine(t)
	m.console.write("portals.yaml", portals)
	dir := filepath.Join(m.console.dir, "d")
	kept, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	impatient := func(d time.Duration) <-chan time.Time {
		if d == local.BusyPatience {
			return time.After(time.Millisecond)
		}
		return time.After(d)
	}
	c := m.command()
	c.factory.world.after = impatient
	c.want(exitFailed, "sync", "-f", "portals.yaml", "--local", "--data", "d", "--auto-approve")
	contains(t, "standard error", c.err, "data folder "+dir, "another process uses it")
	c = m.command()
	c.want(exitFailed, "local", "start", "--foreground", "--data", "d", "--addr", "127.0.0.1:0")
	contains(t, "standard error", c.err, "data folder "+dir, "another process uses it")
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
	m.command().want(exitDone, "sync", "-f", "portals.yaml", "--local", "--data", "d", "--auto-approve")
}
