package cli

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"

	"golang.org/x/net/http2"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/policy"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/terminal"
	"github.com/kongctl/kongctl/internal/view"
)

// furtherLines is an error that has lines of another process of this program below
// its own: they are shown as they are.
type furtherLines interface {
	error
	Summary() string
	Lines() []string
}

// printError tells an error once. Where standard error is gone, there is
// nobody to tell.
func printError(w io.Writer, style view.Style, err error) {
	var (
		diagnostics *diag.ListError
		interrupted *interruptedError
		usage       *usageError
		further     furtherLines
	)
	problem, ofFile := engine.FileProblem(err)
	switch {
	case silent(err):
	case ofFile:
		printDiagnostics(w, style, diag.List{problem})
	case errors.As(err, &interrupted):
		_, _ = fmt.Fprintln(w, interrupted)
	case errors.As(err, &diagnostics):
		printDiagnostics(w, style, diagnostics.List)
	case errors.As(err, &usage):
		_ = say(w, "error: %s", usage.Message)
		if usage.Hint != "" {
			_ = say(w, "  %s", usage.Hint)
		}
	case errors.As(err, &further) && len(further.Lines()) > 0:
		_, _ = fmt.Fprintf(w, "error: %s:\n", terminal.Line(further.Summary()))
		for _, line := range further.Lines() {
			_, _ = fmt.Fprintln(w, strings.TrimRight("  "+terminal.Line(line), " "))
		}
	default:
		_, _ = fmt.Fprintf(w, "error: %s\n", terminal.Block(message(err)))
	}
}

// silent reports whether there is nothing to say about an error: it is an exit status.
func silent(err error) bool {
	return err == nil || errors.Is(err, errChanges) || errors.Is(err, errDrift) || errors.Is(err, terminal.ErrUnread)
}

// printDiagnostics writes diagnostics and how many there are.
func printDiagnostics(w io.Writer, style view.Style, list diag.List) {
	if len(list) == 0 {
		return
	}
	list = list.Sorted()
	_ = view.WriteDiagnostics(w, policy.Few(list), style)
	_, _ = fmt.Fprintf(w, "\n%s\n", counted(list))
}

// counted says how many errors and warnings there are.
func counted(list diag.List) string {
	errs, warnings := 0, 0
	for _, d := range list {
		if d.Severity == diag.Error {
			errs++
		} else {
			warnings++
		}
	}
	var counts []string
	if errs > 0 {
		counts = append(counts, plural(errs, "error", "errors"))
	}
	if warnings > 0 {
		counts = append(counts, plural(warnings, "warning", "warnings"))
	}
	return strings.Join(counts, ", ")
}

// message puts into plain words what the network says in its own, and shows what
// changed in Konnect.
func message(err error) string {
	var moved *engine.MovedError
	if errors.As(err, &moved) {
		return movedText(moved)
	}
	if away := (*engine.ElsewhereError)(nil); errors.As(err, &away) {
		return elsewhereText(away)
	}
	silence, unreachable := resource.Unreachable(err)
	if !unreachable {
		return err.Error()
	}
	reason := reason(silence.Cause)
	if reason == "" {
		return err.Error()
	}
	text := fmt.Sprintf("cannot reach %s: %s", silence.Host, reason)
	if silence.Attempts > 1 {
		text += fmt.Sprintf(" (%d attempts)", silence.Attempts)
	}
	return text
}

// reason is why no answer came, "" for what has no plain words.
func reason(err error) string {
	var (
		dns         *net.DNSError
		certificate x509.UnknownAuthorityError
		hostname    x509.HostnameError
		stream      http2.StreamError
		away        http2.GoAwayError
		timeout     interface{ Timeout() bool }
	)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused; is the server running?"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was closed"
	case errors.As(err, &stream), errors.As(err, &away):
		return "the server ended the request without an answer"
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		return "no route to it; is the network up?"
	case errors.As(err, &dns) && dns.IsNotFound:
		return "no such host"
	case errors.As(err, &certificate):
		return "its certificate is signed by an authority that this machine does not know"
	case errors.As(err, &hostname):
		return "its certificate is for another host"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "no answer in time"
	default:
		return ""
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
