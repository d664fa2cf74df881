//go:build real

package real

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience bounds every wait for another process.
const patience = 30 * time.Second

// machine is a computer with nothing but the program on it: an empty home and
// an environment of its own.
type machine struct {
	program, root string
	env           []string
}

// program builds the binary once for all tests.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "kongctl-real-")
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "kongctl")
	cmd := exec.Command("go", "build", "-trimpath", "-o", bin, "./cmd/kongctl")
	cmd.Dir = filepath.Join("..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", errors.New("go build ./cmd/kongctl: " + err.Error() + "\n" + string(out))
	}
	return bin, nil
})

func TestMain(m *testing.M) {
	m.Run()
	if bin, err := program(); err == nil {
		_ = os.RemoveAll(filepath.Dir(bin))
	}
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	return &machine{program: bin, root: root, env: []string{
		"HOME=" + home,
		"PATH=" + os.Getenv("PATH"),
		"TMPDIR=" + t.TempDir(),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
		"XDG_DATA_HOME=" + filepath.Join(home, "data"),
		"KONGCTL_KONNECT_PAT=kpat_real",
	}}
}

func (m *machine) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, m.program, args...)
	cmd.Dir, cmd.Env = m.root, m.env
	return cmd
}

// run runs a command that must succeed and returns all that it printed.
func (m *machine) run(t *testing.T, args ...string) string {
	t.Helper()
	out, code := m.try(t, args...)
	if code != 0 {
		t.Fatalf("kongctl %s: exit status %d\n%s", strings.Join(args, " "), code, out)
	}
	return out
}

// try runs a command and returns all that it printed, and its exit status.
func (m *machine) try(t *testing.T, args ...string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	out, err := m.command(ctx, args...).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return string(out), exit.ExitCode()
	case err != nil:
		t.Fatalf("kongctl %s: %v", strings.Join(args, " "), err)
	}
	return string(out), 0
}

// process is a program that runs until it is ended.
type process struct {
	cmd    *exec.Cmd
	url    string
	output *bytes.Buffer
	done   chan struct{} // closed once err and output are final
	err    error
}

// start runs a server and waits until it answers.
func (m *machine) start(t *testing.T, addr string, args ...string) *process {
	t.Helper()
	p := &process{
		cmd: m.command(context.Background(), args...), url: "http://" + addr,
		output: &bytes.Buffer{}, done: make(chan struct{}),
	}
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.done
	})
	p.awaitReady(t)
	return p
}

func (p *process) awaitReady(t *testing.T) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if resp, err := http.Get(p.url + "/__local/state"); err == nil {
			resp.Body.Close()
			return
		}
		select {
		case <-p.done:
			t.Fatalf("%v ended before it answered: %v\n%s", p.cmd.Args, p.err, p.output)
		case <-deadline:
			t.Fatalf("%v does not answer", p.cmd.Args)
		case <-tick.C:
		}
	}
}

// end sends a signal and waits; a clean end has exit status 0.
func (p *process) end(t *testing.T, sig syscall.Signal, clean bool) {
	t.Helper()
	if err := p.cmd.Process.Signal(sig); err != nil {
		t.Fatalf("signal %v: %v", sig, err)
	}
	select {
	case <-p.done:
	case <-time.After(patience):
		t.Fatalf("the server does not end on %v", sig)
	}
	if clean && p.err != nil {
		t.Errorf("the server ends with %v on %v\n%s", p.err, sig, p.output)
	}
}

func (p *process) body(t *testing.T, path string) []byte {
	t.Helper()
	resp, err := http.Get(p.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s\n%s", path, resp.Status, body)
	}
	return body
}

// status is the answer to a request that carries no token.
func (p *process) status(t *testing.T, path string) int {
	t.Helper()
	resp, err := http.Get(p.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

// freeAddr is a loopback address that nobody listens on.
func freeAddr(t *testing.T) string {
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
