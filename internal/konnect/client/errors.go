package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// InvalidParameter is one field that the service refused.
type InvalidParameter struct {
	Field  string
	Reason string
	Rule   string
}

// APIError is an answer with a status of 400 or more. Its texts come from the
// service with the token and the request's secrets masked.
type APIError struct {
	Method    string
	Path      string
	Status    int
	Title     string
	Detail    string
	Invalid   []InvalidParameter
	Instance  string // the problem document's trace
	RequestID string // from the response header
	Attempts  int

	Header     http.Header
	retryAfter time.Duration // zero when the service named none
}

// Error reads `PATCH /v3/portals/x: 409 name in use`.
func (e *APIError) Error() string {
	text := e.Detail
	if text == "" {
		text = e.Title
	}
	if text == "" {
		text = http.StatusText(e.Status)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %d %s", e.Method, e.Path, e.Status, text)
	separator := ": "
	for _, p := range e.Invalid {
		if strings.Contains(text, p.text()) {
			continue // the detail says it already
		}
		b.WriteString(separator + p.text())
		separator = "; "
	}
	b.WriteString(attemptsText(e.Attempts))
	return b.String()
}

func (p InvalidParameter) text() string {
	reason := p.Reason
	if reason == "" {
		reason = p.Rule
	}
	if p.Field == "" {
		return reason
	}
	return p.Field + ": " + reason
}

func attemptsText(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" (%d attempts)", n)
}

// TransportError says that no answer came.
type TransportError struct {
	Method   string
	Path     string
	Host     string
	Attempts int
	// Sent is false only when the request surely did not reach the service.
	Sent bool
	Err  error

	reason      string // the text of Err, masked
	permanent   bool   // asking again cannot help
	interrupted bool   // the caller's context ended
}

// Error names the request, the host and the cause.
func (e *TransportError) Error() string {
	if e.interrupted {
		return fmt.Sprintf("%s %s: %s", e.Method, e.Path, e.reason)
	}
	return fmt.Sprintf("%s %s: %s: %s%s", e.Method, e.Path, e.Host, e.reason, attemptsText(e.Attempts))
}

// Unwrap gives the cause.
func (e *TransportError) Unwrap() error { return e.Err }

// AnswerError is an answer below 400 that cannot be understood. What was asked
// for may have been done.
type AnswerError struct {
	Method string
	Path   string
	Status int
	Reason string
}

// Error names the request, the status and what is wrong with the answer.
func (e *AnswerError) Error() string {
	return fmt.Sprintf("%s %s: answered %d, but %s", e.Method, e.Path, e.Status, e.Reason)
}

// IsNotFound tells that the service does not know the thing asked for.
func IsNotFound(err error) bool { return hasStatus(err, http.StatusNotFound) }

// IsAuth tells that the token is missing, wrong or not allowed to do this.
func IsAuth(err error) bool {
	return hasStatus(err, http.StatusUnauthorized) || hasStatus(err, http.StatusForbidden)
}

func hasStatus(err error, status int) bool {
	var ae *APIError
	return errors.As(err, &ae) && ae.Status == status
}

// timeoutError stands for an attempt's own time limit: unlike
// context.DeadlineExceeded it cannot be taken for the caller's.
type timeoutError struct{ after time.Duration }

func (e timeoutError) Error() string { return fmt.Sprintf("no answer within %s", e.after) }
func (timeoutError) Timeout() bool   { return true }

func isTimeout(err error) bool {
	var t interface{ Timeout() bool }
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &t) && t.Timeout()
}

// parseProblem fills in what a problem document, a core entity's error or a
// bare message says. A body of another form leaves the status alone to speak.
func (e *APIError) parseProblem(raw []byte, m mask) {
	data, err := decodeJSON(raw)
	if err != nil {
		return
	}
	doc, ok := data.(map[string]any)
	if !ok {
		return
	}
	text := func(key string) string { return m.clean(stringOf(doc[key])) }
	e.Title, e.Detail, e.Instance = text("title"), text("detail"), text("instance")
	if e.Detail == "" {
		e.Detail = text("message")
	}
	for _, p := range objects(doc["invalid_parameters"]) {
		e.Invalid = append(e.Invalid, InvalidParameter{
			Field:  m.clean(stringOf(p["field"])),
			Reason: m.clean(stringOf(p["reason"])),
			Rule:   m.clean(stringOf(p["rule"])),
		})
	}
	for _, d := range objects(doc["details"]) {
		list, _ := d["messages"].([]any)
		for _, msg := range list {
			e.Invalid = append(e.Invalid, InvalidParameter{
				Field:  m.clean(stringOf(d["field"])),
				Reason: m.clean(stringOf(msg)),
			})
		}
	}
}

func stringOf(x any) string {
	s, _ := x.(string)
	return s
}

func objects(x any) []map[string]any {
	list, _ := x.([]any)
	var out []map[string]any
	for _, item := range list {
		if m, ok := item.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}
