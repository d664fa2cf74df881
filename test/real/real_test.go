//go:build real

// Package real tests the built program as people run it: real processes, real
// signals, real files.
//
// In: the sources of this module and its examples. Out: test failures. It must
// never import the program's packages: what it sees is what a user sees.
package real

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const example = "examples/kong-airlines"

var noChanges = regexp.MustCompile(`(?i)no changes`)

// TestServer walks the example against the embedded Konnect as a process of its
// own, and ends that process in every way that there is.
func TestServer(t *testing.T) {
	m := newMachine(t)
	addr, data := freeAddr(t), t.TempDir()
	args := []string{"local", "start", "--foreground", "--addr", addr, "--data", data}
	sync := []string{"sync", "-f", example, "--base-url", "http://" + addr, "--auto-approve"}

	server := m.start(t, addr, args...)
	if status := server.status(t, "/v3/portals"); status != http.StatusUnauthorized {
		t.Errorf("a request without a token is answered with %d, want 401", status)
	}

	first := m.run(t, sync...)
	if noChanges.MatchString(first) {
		t.Fatalf("the first run changes nothing:\n%s", first)
	}
	if len(split(server.requests(t)).writes) == 0 {
		t.Fatal("the first run sent nothing that writes, so the second run proves nothing")
	}
	state := server.state(t)

	unchanged := func(t *testing.T) {
		t.Helper()
		before := server.requests(t)
		if out := m.run(t, sync...); !noChanges.MatchString(out) {
			t.Errorf("the same configuration again does not say that there are no changes:\n%s", out)
		}
		sent := split(minus(server.requests(t), before))
		if len(sent.writes) > 0 {
			t.Errorf("the same configuration again sent %v", sent.writes)
		}
		if !sent.reads {
			t.Error("the same configuration again read nothing")
		}
		if diff := cmp.Diff(state, server.state(t)); diff != "" {
			t.Errorf("state (-first run +now):\n%s", diff)
		}
	}
	t.Run("the second run changes nothing", unchanged)

	for _, end := range []struct {
		name   string
		signal syscall.Signal
		clean  bool
	}{
		{"stopped with SIGTERM", syscall.SIGTERM, true},
		{"killed", syscall.SIGKILL, false},
	} {
		server.end(t, end.signal, end.clean)
		server = m.start(t, addr, args...)
		t.Run(end.name+", the state survives", func(t *testing.T) {
			if diff := cmp.Diff(state, server.state(t)); diff != "" {
				t.Errorf("state (-before +after):\n%s", diff)
			}
			unchanged(t)
		})
	}
}

// TestLocal is the first command of the README, in a home that is empty.
func TestLocal(t *testing.T) {
	m := newMachine(t)
	sync := []string{"sync", "-f", example, "--local", "--auto-approve"}
	if out := m.run(t, sync...); noChanges.MatchString(out) {
		t.Fatalf("the first run changes nothing:\n%s", out)
	}
	if out := m.run(t, sync...); !noChanges.MatchString(out) {
		t.Errorf("the second run does not say that there are no changes:\n%s", out)
	}
}

// TestLocalUsesTheServer asserts that --local goes to the server that holds the
// data folder, and opens the folder itself once that is gone.
func TestLocalUsesTheServer(t *testing.T) {
	m := newMachine(t)
	addr := freeAddr(t)
	server := m.start(t, addr, "local", "start", "--foreground", "--addr", addr)

	sync := []string{"sync", "-f", example, "--local", "--auto-approve"}
	m.run(t, sync...)
	if len(split(server.requests(t)).writes) == 0 {
		t.Error("--local did not write through the running server")
	}
	server.end(t, syscall.SIGTERM, true)
	if out := m.run(t, sync...); !noChanges.MatchString(out) {
		t.Errorf("without the server --local sees another state:\n%s", out)
	}
}

// TestOneProcessPerFolder asserts that a second server is refused, and told why.
func TestOneProcessPerFolder(t *testing.T) {
	m := newMachine(t)
	addr, data := freeAddr(t), t.TempDir()
	m.start(t, addr, "local", "start", "--foreground", "--addr", addr, "--data", data)

	out, code := m.try(t, "local", "start", "--foreground", "--addr", freeAddr(t), "--data", data)
	if code == 0 {
		t.Error("a second server on the same data folder starts")
	}
	if !strings.Contains(out, data) {
		t.Errorf("the refusal does not name the data folder:\n%s", out)
	}
}

// counts is how often each operation was called, by "METHOD /path".
type counts map[string]int

// requests reads the request log.
func (p *process) requests(t *testing.T) counts {
	t.Helper()
	var log struct {
		Operations counts `json:"by_operation"`
	}
	body := p.body(t, "/__local/requests")
	if err := json.Unmarshal(body, &log); err != nil {
		t.Fatalf("/__local/requests: %v in %s", err, body)
	}
	if log.Operations == nil {
		t.Fatalf("/__local/requests has no operations: %s", body)
	}
	return log.Operations
}

func (p *process) state(t *testing.T) any {
	t.Helper()
	var state any
	if err := json.Unmarshal(p.body(t, "/__local/state"), &state); err != nil {
		t.Fatalf("/__local/state: %v", err)
	}
	return state
}

func minus(after, before counts) counts {
	out := counts{}
	for op, n := range after {
		if n > before[op] {
			out[op] = n - before[op]
		}
	}
	return out
}

type traffic struct {
	reads  bool
	writes []string
}

// split judges a request log; the log's own addresses do not count.
func split(c counts) traffic {
	var t traffic
	for op := range c {
		method, path, ok := strings.Cut(op, " ")
		switch {
		case strings.HasPrefix(path, "/__local/"):
		case ok && method == http.MethodGet:
			t.reads = true
		default:
			t.writes = append(t.writes, op)
		}
	}
	return t
}
