package cli

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/terminal"
	"github.com/kongctl/kongctl/internal/value"
	"github.com/kongctl/kongctl/internal/view"
)

// TestErrorsOnTerminals: whatever was drawn before, errors that name variables and
// commands break between words, and further lines are indented.
func TestErrorsOnTerminals(t *testing.T) {
	sequences := regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]|\r`)
	for _, line := range []string{
		"plan -f a.yaml", "diff -f a.yaml", "apply -f a.yaml", "sync -f a.yaml --auto-approve", "delete -f a.yaml", "drift -f a.yaml", "adopt -f a.yaml --namespace n",
		"get apis", "export apis", "resume", "login --bogus", "plan -f none.yaml", "plan -f a.yaml --max-age soon", "apply --plan none.json", "get apis -p nobody",
	} {
		var text [3]string
		for i, width := range []int{60, 80, 400} {
			c := newConsole(t).real()
			c.factory.catalog = oneCatalog
			c.write("a.yaml", "portals: [{name: dev}]\n")
			s := *c.factory.world.streams
			s.out, s.err, s.errTerminal, s.width = c.out, c.err, true, func() int { return width }
			c.factory.world.streams = s.guarded(c.factory)
			if c.run(strings.Fields(line)...) == exitDone {
				t.Fatalf("%s: no error", line)
			}
			text[i] = sequences.ReplaceAllString(c.err.String(), "")
			_, shown, ok := strings.Cut(text[i], "error")
			if !ok {
				t.Fatalf("%s: no error is shown:\n%s", line, text[i])
			}
			text[i] = strings.ReplaceAll(shown, filepath.Dir(c.dir), "")
			for part := range strings.Lines(shown) {
				if n := terminal.Columns(strings.TrimSuffix(part, "\n")); n > width {
					t.Errorf("%s at %d: %d columns: %s", line, width, n, part)
				}
			}
		}
		for i := range 2 {
			if strings.Contains(text[2], "/home/") {
				break // a path may be longer than a line
			}
			if got, want := strings.Fields(text[i]), strings.Fields(text[2]); !slices.Equal(got, want) {
				t.Errorf("%s: got %q, want %q", line, got, want)
			}
		}
	}
}

func TestUnreachableInPlainWords(t *testing.T) {
	dial := func(err error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", err)}
	}
	for name, tt := range map[string]struct {
		cause    error
		attempts int
		want     string
	}{
		"nobody listens":  {dial(syscall.ECONNREFUSED), 6, "cannot reach konnect.test: connection refused; is the server running? (6 attempts)"},
		"no such name":    {&net.DNSError{Name: "konnect.test", IsNotFound: true}, 1, "cannot reach konnect.test: no such host"},
		"no network":      {dial(syscall.ENETUNREACH), 1, "cannot reach konnect.test: no route to it; is the network up?"},
		"hung up":         {io.ErrUnexpectedEOF, 1, "cannot reach konnect.test: the connection was closed"},
		"too slow":        {os.ErrDeadlineExceeded, 2, "cannot reach konnect.test: no answer in time (2 attempts)"},
		"own certificate": {x509.UnknownAuthorityError{}, 1, "cannot reach konnect.test: its certificate is signed by an authority that this machine does not know"},
		"wrong host":      {x509.HostnameError{Certificate: &x509.Certificate{}, Host: "x"}, 1, "cannot reach konnect.test: its certificate is for another host"},
	} {
		err := fmt.Errorf("read portals: %w", &client.TransportError{Method: "GET", Path: "/v3/portals", Host: "konnect.test", Attempts: tt.attempts, Err: tt.cause})
		if got := message(err); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	server.EnableHTTP2, server.Config.ErrorLog = true, log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	answer, aborted := server.Client().Get(server.URL)
	if aborted == nil {
		_ = answer.Body.Close()
		t.Fatalf("a handler that aborts answers with %d", answer.StatusCode)
	}
	want := "cannot reach konnect.test: the server ended the request without an answer"
	if got := message(&client.TransportError{Host: "konnect.test", Attempts: 1, Err: aborted}); got != want {
		t.Errorf("%v: %q, want %q", aborted, got, want)
	}
	odd := &client.TransportError{Host: "konnect.test", Err: errors.New("odd")}
	if got := message(odd); got != odd.Error() {
		t.Errorf("a cause without plain words: %q, want %q", got, odd.Error())
	}
}

func TestPrintError(t *testing.T) {
	pos := value.Pos{File: "a.yaml", Line: 1, Column: 2}
	list := diag.List{
		diag.New(diag.RefUnknown, pos, "One.", "do it."),
		diag.New(diag.CfgUnknownKey, pos, "Two.", ""),
		diag.New(diag.CfgUnknownKey, pos, "Two.", ""),
		diag.Warn(diag.SrcNotASource, pos, "Three.", ""),
	}
	for name, tt := range map[string]struct {
		err  error
		want string
	}{
		"nothing":     {nil, ""},
		"changes":     {errChanges, ""},
		"plain":       {errors.New("boom"), "error: boom\n"},
		"usage":       {usagef("no flag --x").WithHint("did you mean --y?"), "error: no flag --x\n  did you mean --y?\n"},
		"diagnostics": {fmt.Errorf("plan: %w", list.Err()), "2 errors, 1 warning\n"},
	} {
		var b strings.Builder
		printError(&b, view.Style{}, tt.err)
		if got := b.String(); tt.want == "" && got != "" || !strings.HasSuffix(got, tt.want) {
			t.Errorf("%s:\n%s\nwant it to end in:\n%s", name, got, tt.want)
		}
	}
	var b strings.Builder
	printDiagnostics(&b, view.Style{}, nil)
	if b.Len() > 0 {
		t.Errorf("no diagnostics: %q", b.String())
	}
}
