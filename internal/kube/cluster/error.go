package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kongctl/kongctl/internal/resource"
)

// Conflict is a field that another manager owns.
type Conflict struct{ Manager, Field string }

// Error is a request that failed. Its texts hold no data of Secrets and none of
// the values that the caller asked to hide.
type Error struct {
	// Op is what was asked for: apply Deployment prod/web.
	Op       string
	Attempts int
	// Err is the answer, a *errors.StatusError of the API, or why none came.
	Err error

	host        string
	write       bool
	sent        bool // this attempt or one before may have had its effect
	interrupted bool // the caller's context ended
	credentials bool // it failed before a request was made
}

// Error reads `apply Deployment prod/web: spec.replicas: Invalid value: -1`.
func (e *Error) Error() string {
	text := e.Op + ": " + e.text()
	if e.Attempts > 1 && !e.interrupted {
		text += fmt.Sprintf(" (%d attempts)", e.Attempts)
	}
	return text
}

func (e *Error) text() string {
	status, ok := e.status()
	var refused *refusal
	switch {
	case !ok && e.credentials:
		return "credentials of the kubeconfig: " + reason(e.Err)
	case !ok && (e.interrupted || e.host == "" || errors.As(e.Err, &refused)):
		return reason(e.Err)
	case !ok:
		return e.host + ": " + reason(e.Err)
	}
	if conflicts := e.Conflicts(); len(conflicts) > 0 {
		return conflictText(conflicts)
	}
	switch {
	case status.Reason == metav1.StatusReasonAlreadyExists:
		return "already exists"
	case status.Reason == metav1.StatusReasonInvalid && causes(status) != "":
		return causes(status)
	case status.Code == http.StatusUnauthorized:
		return "the server does not accept the credentials of the kubeconfig"
	case status.Message != "":
		return fields(status.Message)
	case http.StatusText(int(status.Code)) != "":
		return fmt.Sprintf("%d %s", status.Code, http.StatusText(int(status.Code)))
	default:
		return fmt.Sprintf("status %d", status.Code)
	}
}

// fields leaves out how the server came to a message about fields, with the name
// that Op has already.
func fields(message string) string {
	const typed = "failed to create typed patch object ("
	if rest, ok := strings.CutPrefix(message, typed); ok {
		if _, text, ok := strings.Cut(rest, "): "); ok {
			return text
		}
	}
	return message
}

// causes lists what is wrong, field by field.
func causes(s metav1.Status) string {
	if s.Details == nil {
		return ""
	}
	var out []string
	for _, cause := range s.Details.Causes {
		text := cause.Message
		if cause.Field != "" && cause.Field != "<nil>" {
			text = cause.Field + ": " + text
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return strings.Join(out, "; ")
}

func conflictText(list []Conflict) string {
	var managers []string
	fields := map[string][]string{}
	for _, c := range list {
		if !slices.Contains(managers, c.Manager) {
			managers = append(managers, c.Manager)
		}
		if !slices.Contains(fields[c.Manager], c.Field) {
			fields[c.Manager] = append(fields[c.Manager], c.Field)
		}
	}
	var out []string
	for _, m := range managers {
		out = append(out, fmt.Sprintf("field manager %q owns %s", m, strings.Join(fields[m], ", ")))
	}
	return "conflict: " + strings.Join(out, "; ")
}

// Unwrap gives the answer or the cause.
func (e *Error) Unwrap() error { return e.Err }

func (e *Error) status() (metav1.Status, bool) {
	var s *apierrors.StatusError
	if !errors.As(e.Err, &s) {
		return metav1.Status{}, false
	}
	return s.Status(), true
}

func (e *Error) code() int {
	status, _ := e.status()
	return int(status.Code)
}

// Status returns the HTTP status of the answer; 0 where none came.
func (e *Error) Status() int { return e.code() }

// Conflicts returns the fields that other managers own, for which an apply was
// refused.
func (e *Error) Conflicts() []Conflict {
	status, ok := e.status()
	if !ok || status.Reason != metav1.StatusReasonConflict || status.Details == nil {
		return nil
	}
	var out []Conflict
	for _, cause := range status.Details.Causes {
		if cause.Type == metav1.CauseTypeFieldManagerConflict {
			out = append(out, Conflict{Manager: managerOf(cause.Message), Field: cause.Field})
		}
	}
	return out
}

// managerOf takes the name out of the server's sentence: conflict with "NAME"
// using apps/v1 at TIME. The sentence has no other form.
func managerOf(message string) string {
	_, rest, ok := strings.Cut(message, `"`)
	name, _, closed := strings.Cut(rest, `"`)
	if !ok || !closed {
		return message
	}
	return name
}

// Conflicted reports whether the object is not what the caller took it for:
// another version, another UID, or fields of another manager.
func (e *Error) Conflicted() bool {
	status, _ := e.status()
	return status.Reason == metav1.StatusReasonConflict
}

// Missing reports whether the object, or what it stands in, does not exist.
func (e *Error) Missing() bool { return e.code() == http.StatusNotFound }

// Taken reports whether there is one already.
func (e *Error) Taken() bool {
	status, _ := e.status()
	return status.Reason == metav1.StatusReasonAlreadyExists
}

// Forbidden reports whether the user may not do this.
func (e *Error) Forbidden() bool { return e.code() == http.StatusForbidden }

// Denied reports whether the user may not do this.
func (e *Error) Denied() bool { return e.Forbidden() }

// Unauthorized reports whether the credentials are missing, wrong or not enough.
func (e *Error) Unauthorized() bool { return e.Fatal() || e.Forbidden() }

// Fatal reports whether every further request would fail, too: there are no
// credentials that the server accepts.
func (e *Error) Fatal() bool { return e.credentials || e.code() == http.StatusUnauthorized }

// TooLarge reports whether the object is larger than the server or its store
// allows.
func (e *Error) TooLarge() bool { return e.code() == http.StatusRequestEntityTooLarge }

// Rejected reports whether the server refuses what the request says: sending it
// again cannot help. Rights, limits and versions may change.
func (e *Error) Rejected() bool {
	var refused *refusal
	if errors.As(e.Err, &refused) {
		return true
	}
	switch e.code() {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return false
	case http.StatusConflict:
		return e.Taken() || len(e.Conflicts()) > 0
	default:
		return e.code() >= http.StatusBadRequest && e.code() < http.StatusInternalServerError
	}
}

// Uncertain reports whether a write may have been done although it failed.
func (e *Error) Uncertain() bool { return e.write && e.sent && !e.interrupted }

// Unsent reports whether the request surely did not reach the server.
func (e *Error) Unsent() bool { return e.code() == 0 && !e.sent }

// Lingering reports whether the server may still carry out the request.
func (e *Error) Lingering() bool {
	var late timeoutError
	return e.write && (e.code() == http.StatusGatewayTimeout || e.sent && errors.As(e.Err, &late))
}

// Unreachable returns which host gave no answer.
func (e *Error) Unreachable() (resource.Silence, bool) {
	_, answered := e.status()
	var refused *refusal
	ok := !answered && !e.interrupted && !e.credentials && e.host != "" && !errors.As(e.Err, &refused)
	return resource.Silence{Host: e.host, Attempts: e.Attempts, Cause: e.Err}, ok
}

// timeoutError is an attempt's own time limit: unlike context.DeadlineExceeded
// it cannot be taken for the caller's.
type timeoutError struct{ after time.Duration }

func (e timeoutError) Error() string { return fmt.Sprintf("no answer within %s", e.after) }
func (timeoutError) Timeout() bool   { return true }

// reason is the text of a cause, without the request that Op names already.
func reason(err error) string {
	var u *url.Error
	for errors.As(err, &u) {
		err = u.Err
	}
	if errors.Is(err, context.Canceled) {
		return "canceled"
	}
	return clean(err.Error())
}

const maxText = 2000

// clean makes foreign text fit for one line: control characters and line breaks
// become blanks, and its length is bounded.
func clean(text string) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsGraphic(r)
	}), " ")
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "…"
	}
	return text
}
