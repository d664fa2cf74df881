//go:build unix

package deck_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/gateway/deck"
)

// The test binary is decK, too: with a folder in this variable it plays what is
// written there.
const stage = "FAKE_DECK"

func TestMain(m *testing.M) {
	if dir := os.Getenv(parent); dir != "" {
		os.Exit(beParent(dir)) //nolint:forbidigo // here the test binary is a program that runs decK
	}
	if dir := os.Getenv(stage); dir != "" {
		os.Exit(play(dir)) //nolint:forbidigo // here the test binary is decK, a program of its own
	}
	m.Run()
}

// answer is what the fake prints, and how it ends.
type answer struct {
	Stdout, Stderr string
	Exit           int
	// Hang makes a child, and neither ends by itself or when asked to.
	Hang bool
}

// call is what the fake was given.
type call struct {
	Args, Env    []string
	Stdin, Token string
	Dir          string
	// Files are those in its folder, Settings what is in the file of settings.
	Files    []string
	Settings string
	Child    int
	Pid      int
}

// play answers the calls of a command in order, the last for all that follow.
func play(dir string) int {
	op := os.Args[len(os.Args)-1]
	if len(os.Args) > 2 && os.Args[1] == "gateway" {
		op = os.Args[2]
	} else if len(os.Args) > 1 {
		op = os.Args[1]
	}
	if op == "sleep" {
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Hour)
	}
	var script map[string][]answer
	raw, err := os.ReadFile(filepath.Join(dir, "script"))
	if err != nil || json.Unmarshal(raw, &script) != nil {
		return 99
	}
	past, _ := filepath.Glob(filepath.Join(dir, "call-"+op+"-*"))
	list := script[op]
	if len(list) == 0 {
		return 98
	}
	a := list[min(len(past), len(list)-1)]
	c := record(op != "version")
	if a.Hang {
		signal.Ignore(syscall.SIGTERM)
		child := exec.Command(os.Args[0], "sleep")
		child.Stdout = os.Stdout // it keeps the pipe open
		if err := child.Start(); err != nil {
			return 97
		}
		c.Child = child.Process.Pid
	}
	if raw, err = json.Marshal(c); err != nil {
		return 96
	}
	name := filepath.Join(dir, fmt.Sprintf("call-%s-%d", op, len(past)))
	if os.WriteFile(name+".part", raw, 0o600) != nil || os.Rename(name+".part", name) != nil {
		return 95
	}
	if a.Hang {
		time.Sleep(time.Hour)
	}
	if _, err := os.Stdout.WriteString(a.Stdout); err != nil {
		return 94
	}
	if _, err := os.Stderr.WriteString(a.Stderr); err != nil {
		return 93
	}
	return a.Exit
}

func record(reads bool) call {
	c := call{Args: os.Args[1:], Env: os.Environ(), Pid: os.Getpid()}
	c.Dir, _ = os.Getwd()
	entries, _ := os.ReadDir(".")
	for _, e := range entries {
		c.Files = append(c.Files, e.Name())
	}
	for _, a := range c.Args {
		if file, ok := strings.CutPrefix(a, "--konnect-token-file="); ok {
			raw, _ := os.ReadFile(file)
			c.Token = string(raw)
		}
		if file, ok := strings.CutPrefix(a, "--config="); ok {
			raw, _ := os.ReadFile(file)
			c.Settings = string(raw)
		}
	}
	if reads {
		raw, _ := io.ReadAll(os.Stdin)
		c.Stdin = string(raw)
	}
	return c
}

// fake is a decK that answers as told.
type fake struct {
	t   *testing.T
	dir string
	// waits are how long was waited between calls.
	waits []time.Duration
	// token is the one of the moment.
	token func(context.Context) string
}

const printedVersion = "decK v1.55.0 (HEAD) \n"

func newFake(t *testing.T, script map[string][]answer) *fake {
	t.Helper()
	if script["version"] == nil {
		script["version"] = []answer{{Stdout: printedVersion}}
	}
	raw, err := json.Marshal(script)
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{t: t, dir: t.TempDir(), token: always(token)}
	if err := os.WriteFile(filepath.Join(f.dir, "script"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return f
}

const token = "kpat_hunter2"

func always(text string) func(context.Context) string {
	return func(context.Context) string { return text }
}

func (f *fake) reconciler() gateway.Reconciler {
	self, err := os.Executable()
	if err != nil {
		f.t.Fatal(err)
	}
	env := map[string]string{
		"PATH": "/nowhere", "HTTPS_PROXY": "http://proxy:1", "no_proxy": "x", "SSL_CERT_DIR": "/certs", "SSL_CERT_FILE": "/ours",
		"HOME": "/home/me", "DECK_KONG_ADDR": "http://elsewhere", "KONGCTL_KONNECT_PAT": token, "AWS_SECRET_ACCESS_KEY": "hunter2",
	}
	return deck.New(deck.Options{
		Path: self, Address: "https://us.api.konghq.com/", Token: f.token,
		Env:   func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		Extra: []string{stage + "=" + f.dir, "SSL_CERT_FILE=/theirs"},
		Grace: 100 * time.Millisecond,
		Sleep: func(ctx context.Context, d time.Duration) error { f.waits = append(f.waits, d); return ctx.Err() },
		Check: func(q gateway.Request) error {
			if strings.Contains(string(q.Files[0].Content), "servicez") {
				return errors.New("checked")
			}
			return nil
		},
	})
}

// calls are those of one command so far.
func (f *fake) calls(op string) []call {
	f.t.Helper()
	var out []call
	for n := 0; ; n++ {
		raw, err := os.ReadFile(filepath.Join(f.dir, "call-"+op+"-"+strconv.Itoa(n)))
		if err != nil {
			return out
		}
		var c call
		if err := json.Unmarshal(raw, &c); err != nil {
			f.t.Fatal(err)
		}
		out = append(out, c)
	}
}
