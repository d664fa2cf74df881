package script

import (
	"bufio"
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
)

// gate is an embedded Konnect that answers no create until it is opened.
type gate struct {
	t    *testing.T
	url  string
	home string
	// arrived has an entry for each create that was carried out; release lets the
	// answers out.
	arrived chan struct{}
	open    chan struct{}
	release func()
	creates atomic.Int32
}

func newGate(t *testing.T) *gate {
	t.Helper()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	srv, err := emulator.New(cat, emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{t: t, home: t.TempDir(), arrived: make(chan struct{}, 100), open: make(chan struct{})}
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			srv.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		srv.ServeHTTP(answer, r)
		g.creates.Add(1)
		g.arrived <- struct{}{}
		<-g.open
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes()) // whoever asked may be gone
	}))
	g.release = sync.OnceFunc(func() { close(g.open) })
	t.Cleanup(func() { g.release(); ts.Close() })
	g.url = ts.URL
	return g
}

// file writes a configuration with one portal that has a page.
func (g *gate) file(namespace string) string {
	name := filepath.Join(g.home, namespace+".yaml")
	text := "portals:\n  - name: " + namespace + "\n    kongctl: {namespace: " + namespace + "}\n    pages: [{slug: one, content: One}]\n"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		g.t.Fatal(err)
	}
	return name
}

// program is a kongctl that runs.
type program struct {
	t   *testing.T
	cmd *exec.Cmd
	err *bufio.Reader
	log bytes.Buffer
}

func (g *gate) start(args ...string) *program {
	g.t.Helper()
	p := &program{t: g.t, cmd: exec.CommandContext(context.WithoutCancel(g.t.Context()), "kongctl", args...)}
	p.cmd.Env = []string{"HOME=" + g.home, "PATH=" + os.Getenv("PATH"), "KONGCTL_KONNECT_BASE_URL=" + g.url, "KONGCTL_KONNECT_PAT=kpat_lock"}
	pipe, err := p.cmd.StderrPipe()
	if err != nil {
		g.t.Fatal(err)
	}
	p.err = bufio.NewReader(pipe)
	if err := p.cmd.Start(); err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	return p
}

// says waits for a line on standard error; false when it ends without it.
func (p *program) says(text string) bool {
	for {
		line, err := p.err.ReadString('\n')
		p.log.WriteString(line)
		if strings.Contains(line, text) {
			return true
		}
		if err != nil {
			return false
		}
	}
}

// ends waits for the end and wants a status.
func (p *program) ends(status int) {
	p.t.Helper()
	p.says("\x00")
	_ = p.cmd.Wait() // the status says it
	if got := p.cmd.ProcessState.ExitCode(); got != status {
		p.t.Errorf("%v: status %d, want %d\n%s", p.cmd.Args, got, status, p.log.String())
	}
}

// Runs over the same organization and namespace wait for each other.
func TestRunsExcludeEachOther(t *testing.T) {
	t.Run("the second waits and finds it done", func(t *testing.T) {
		g := newGate(t)
		first := g.start("sync", "-f", g.file("a"), "--auto-approve")
		<-g.arrived
		second := g.start("apply", "-f", g.file("a"), "--auto-approve")
		if !second.says("waiting for kongctl sync (process ") || !strings.Contains(second.log.String(), "namespace a (--no-lock does not wait)") {
			t.Errorf("it did not wait:\n%s", second.log.String())
		}
		g.release()
		first.ends(0)
		second.ends(0)
		if n := g.creates.Load(); n != 2 {
			t.Errorf("%d creates, want 2", n)
		}
	})
	t.Run("kill -9 lets go", func(t *testing.T) {
		g := newGate(t)
		first := g.start("sync", "-f", g.file("a"), "--auto-approve")
		<-g.arrived
		second := g.start("sync", "-f", g.file("a"), "--auto-approve")
		second.says("waiting for")
		if err := first.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		g.release()
		second.ends(0)
	})
	t.Run("two resumes of one run", func(t *testing.T) {
		g := newGate(t)
		first := g.start("sync", "-f", g.file("a"), "--auto-approve")
		<-g.arrived
		if err := first.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		first.ends(-1)
		one := g.start("resume", "--auto-approve")
		<-g.arrived
		two := g.start("resume", "--auto-approve")
		if !two.says("waiting for kongctl resume (process ") || !strings.Contains(two.log.String(), "the lock of run 20") {
			t.Errorf("it did not wait:\n%s", two.log.String())
		}
		g.release()
		one.ends(0)
		two.ends(0)
		if !strings.Contains(two.log.String(), "Another process completed or discarded the run") {
			t.Errorf("it does not say that nothing is left:\n%s", two.log.String())
		}
	})
	t.Run("an interrupt ends the wait", func(t *testing.T) {
		g := newGate(t)
		g.start("sync", "-f", g.file("a"), "--auto-approve")
		<-g.arrived
		second := g.start("sync", "-f", g.file("a"), "--auto-approve")
		second.says("waiting for")
		if err := second.cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		second.ends(130)
	})
	for name, args := range map[string][]string{
		"another namespace": {"sync", "--auto-approve", "-f", "b"},
		"no lock":           {"sync", "--auto-approve", "--no-lock", "-f", "a"},
		"a plan":            {"plan", "-f", "a"},
		"a dry run":         {"sync", "--dry-run", "-f", "a"},
	} {
		t.Run(name+" does not wait", func(t *testing.T) {
			g := newGate(t)
			g.start("sync", "-f", g.file("a"), "--auto-approve")
			<-g.arrived
			args[len(args)-1] = g.file(args[len(args)-1])
			second := g.start(args...)
			if slices.Contains(args, "--auto-approve") {
				<-g.arrived // it writes while the first one does
				g.release()
			}
			if second.says("waiting for") {
				t.Errorf("it waited:\n%s", second.log.String())
			}
		})
	}
}

// A run that is running cannot be discarded, with its locks or without, and the
// list shows it.
func TestARunningRunIsNotDiscarded(t *testing.T) {
	for name, flags := range map[string][]string{"locked": nil, "without locks": {"--no-lock"}} {
		t.Run(name, func(t *testing.T) {
			g := newGate(t)
			first := g.start(append([]string{"sync", "-f", g.file("a"), "--auto-approve"}, flags...)...)
			<-g.arrived
			found, err := filepath.Glob(filepath.Join(g.home, ".local/state/kongctl/journal/*.journal"))
			if err != nil || len(found) != 1 {
				t.Fatal(found, err)
			}
			id := strings.TrimSuffix(filepath.Base(found[0]), ".journal")
			discard := g.start("resume", "--discard", id)
			discard.ends(1)
			if text := discard.log.String(); !strings.Contains(text, id+" is running: kongctl sync (process ") {
				t.Errorf("it says\n%s", text)
			}
			if _, err := os.Stat(found[0]); err != nil {
				t.Error(err)
			}
			list := exec.CommandContext(t.Context(), "kongctl", "resume", "--list")
			list.Env = discard.cmd.Env
			if out, err := list.Output(); err != nil || !strings.Contains(string(out), "running (process ") {
				t.Errorf("%v\n%s", err, out)
			}
			g.release()
			first.ends(0)
		})
	}
}
