// Package auth logs in: the device grant of OAuth (RFC 8628), the refresh of
// tokens, and where they are kept.
//
// In: the address of the identity service and a folder or a keyring. Out: tokens,
// and errors that never hold one. Requests go to that address alone and follow no
// redirect. It must never import a package that renders, or a target.
package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/resource"
)

// Server is a service that grants tokens.
type Server struct {
	// URL is its address; paths stand below it.
	URL                                   string
	ClientID                              string
	AuthorizePath, TokenPath, RefreshPath string
	UserAgent                             string
	// Attempts is how often a request that begins a login is sent; 0 stands for
	// six times.
	Attempts int

	Transport http.RoundTripper // nil: one with the environment's proxy
	Now       func() time.Time
	Sleep     func(context.Context, time.Duration) error
}

// Token lets somebody in until it expires. Refresh gets another one.
type Token struct {
	Access  string    `json:"access_token"`
	Refresh string    `json:"refresh_token,omitempty"`
	Expires time.Time `json:"expires_at"`
}

// IsTokenText reports whether a text may be a token: one word of visible ASCII,
// which fits into a header.
func IsTokenText(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

// checked refuses a token that fits into no header.
func (t Token) checked() (Token, error) {
	if t.Access == "" {
		return Token{}, errors.New("login: the service answered without a token")
	}
	if !IsTokenText(t.Access) || t.Refresh != "" && !IsTokenText(t.Refresh) {
		return Token{}, errors.New("login: the service answered with a token that has blanks or control characters")
	}
	return t, nil
}

// Format keeps tokens out of every printed form.
func (t Token) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, "token until "+t.Expires.UTC().Format(time.RFC3339))
}

const (
	maxAnswer      = 1 << 20
	attempts       = 6
	firstWait      = time.Second
	attemptTimeout = 30 * time.Second
	// tokenLifetime is that of an answer that names none.
	tokenLifetime = time.Hour
)

// answer is what the service said.
type answer struct {
	status  int
	fields  fields
	cookies []*http.Cookie
}

// fields are those of all answers; each has some of them.
type fields struct {
	DeviceCode  string  `json:"device_code"`
	UserCode    string  `json:"user_code"`
	URI         string  `json:"verification_uri"`
	CompleteURI string  `json:"verification_uri_complete"`
	Interval    float64 `json:"interval"`
	ExpiresIn   float64 `json:"expires_in"`
	Access      string  `json:"access_token"`
	Refresh     string  `json:"refresh_token"`
	Error       string  `json:"error"`
	Description string  `json:"error_description"`
}

// StatusError is an answer that refuses, without what it says in its own words
// beside an error code of OAuth.
type StatusError struct {
	Host   string
	Path   string
	Status int
	Code   string // of OAuth, or ""
}

// Error names the request and the status.
func (e *StatusError) Error() string {
	text := http.StatusText(e.Status)
	if e.Code != "" {
		text = e.Code
	}
	return fmt.Sprintf("POST %s at %s: %d %s", e.Path, e.Host, e.Status, text)
}

// Passes reports whether the same request may be granted later.
func (e *StatusError) Passes() bool {
	return e.Status >= http.StatusInternalServerError || e.Status == http.StatusTooManyRequests
}

// silentError is a service that gave no answer.
type silentError struct {
	host string
	err  error
}

func (e *silentError) Error() string { return fmt.Sprintf("%s: %v", e.host, e.err) }
func (e *silentError) Unwrap() error { return e.err }

// Unreachable returns which host gave no answer.
func (e *silentError) Unreachable() (resource.Silence, bool) {
	return resource.Silence{Host: e.host, Attempts: 1, Cause: e.err}, true
}

// post sends a request to the service, and to nobody else.
func (s *Server) post(ctx context.Context, path string, form url.Values, cookie *http.Cookie) (*answer, error) {
	base, err := url.Parse(s.URL)
	if err != nil || base.Host == "" {
		return nil, fmt.Errorf("login: %q is not a URL", s.URL)
	}
	if !strings.HasPrefix(path, "/") || strings.ContainsAny(path, "?#") || strings.HasPrefix(path, "//") {
		return nil, fmt.Errorf("login: the path %q must begin with / and have no query", path)
	}
	limited, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	kind, body := "application/x-www-form-urlencoded", form.Encode()
	if form == nil {
		kind, body = "application/json", ""
	}
	req, err := http.NewRequestWithContext(limited, http.MethodPost, strings.TrimRight(s.URL, "/")+path, strings.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("login: the path %q is not escaped", path)
	}
	req.Header.Set("Content-Type", kind)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", s.UserAgent)
	if cookie != nil {
		req.AddCookie(cookie)
	}
	client := &http.Client{Transport: s.Transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &silentError{host: base.Host, err: cause(err)}
	}
	defer func() { _ = res.Body.Close() }() // it was read to its end
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return nil, &silentError{host: base.Host, err: err}
	}
	out := &answer{status: res.StatusCode, cookies: res.Cookies()}
	broken := json.Unmarshal(raw, &out.fields) != nil
	if res.StatusCode >= http.StatusMultipleChoices || broken && len(raw) > 0 && len(out.cookies) == 0 {
		return out, &StatusError{Host: base.Host, Path: path, Status: res.StatusCode, Code: errorCode(out.fields.Error)}
	}
	return out, nil
}

// cause drops the words of the HTTP client, which repeat the address.
func cause(err error) error {
	if wrapped, ok := err.(*url.Error); ok { //nolint:errorlint // the client returns it as it is
		return wrapped.Err
	}
	return err
}

// errorCode is a code of OAuth as it may be shown: it is a word.
func errorCode(text string) string {
	if len(text) > 64 || strings.ContainsFunc(text, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }) {
		return ""
	}
	return text
}

// lifetime is a number of seconds, or a default where there is no sound one.
func lifetime(seconds float64, otherwise time.Duration) time.Duration {
	if seconds <= 0 || seconds > float64(365*24*time.Hour/time.Second) {
		return otherwise
	}
	return time.Duration(seconds * float64(time.Second))
}
