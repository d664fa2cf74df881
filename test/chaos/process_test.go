// Package chaos runs the server of the embedded Konnect as a process of its own
// and does to it what happens in the worst moment.
//
// In: CHAOS_SECONDS, which says for how long (default 2). Out: a test failure
// for whatever was acknowledged and is lost, made twice, or somebody else's and
// touched. It must never import what it tests but for the command itself.
package chaos

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kongctl/kongctl/internal/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"kongctl": func() { os.Exit(cli.Main()) }, //nolint:forbidigo // it stands for main
	})
}

// patience is how long the tests of this package go on.
func patience(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("CHAOS_SECONDS")
	if text == "" {
		return 2 * time.Second
	}
	seconds, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("CHAOS_SECONDS=%s is no number of seconds", text)
	}
	return time.Duration(seconds) * time.Second
}

// command is kongctl with a home of its own.
func command(t *testing.T, home string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), "kongctl", args...)
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	return cmd
}

// process is a running server.
type process struct {
	cmd *exec.Cmd
	url string
	log *bytes.Buffer
}

// start starts a server on a data folder and waits until it says where it is.
func start(t *testing.T, home string, args ...string) *process {
	t.Helper()
	p := &process{log: &bytes.Buffer{}}
	p.cmd = command(t, home, append([]string{"local", "start", "--foreground", "--addr", "127.0.0.1:0"}, args...)...)
	p.cmd.Stderr = p.log
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	found := regexp.MustCompile(`http://[0-9.:]+`).FindString(line)
	if err != nil || found == "" {
		p.kill()
		t.Fatalf("the server said %q (%v)\n%s", line, err, p.log)
	}
	p.url = found
	return p
}

// kill ends the process as kill -9 does.
func (p *process) kill() {
	if p.cmd.ProcessState != nil {
		return
	}
	_ = p.cmd.Process.Kill() // it may have ended
	_ = p.cmd.Wait()         // how it ended is known
}

var errStatus = errors.New("status")

// call sends a request and reads the answer into out. An answer that is not the
// expected one is an errStatus.
func call(c *http.Client, want int, method, url string, body, out any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(context.Background(), method, url, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer x")
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Kongctl-Local", "1")
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != want {
		return fmt.Errorf("%w %d: %s %s: %s", errStatus, resp.StatusCode, method, url, text)
	}
	if out == nil {
		return nil
	}
	return json.NewDecoder(strings.NewReader(string(text))).Decode(out)
}

// resource is what the tests look at.
type resource struct {
	ID, Name, Description string
}

// state is all that a server holds.
func (p *process) state(t *testing.T) map[string][]resource {
	t.Helper()
	var out map[string][]resource
	if err := call(http.DefaultClient, http.StatusOK, http.MethodGet, p.url+"/__local/state", nil, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
