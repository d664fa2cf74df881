package testkit

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Exchange is a request and how it was answered.
type Exchange struct {
	Method, Path string
	Query        string
	Body         string
	Status       int
}

// String is the request line: what most tests ask about.
func (x Exchange) String() string { return x.Method + " " + x.Path }

// Recorder keeps what goes over the wire, and can answer in place of the
// service.
type Recorder struct {
	next http.RoundTripper
	// Intercept answers a request itself, or returns nil to let it through. It
	// runs concurrently.
	Intercept func(r *http.Request, body string) (*http.Response, error)

	mu   sync.Mutex
	seen []Exchange
}

// NewRecorder records in front of a transport.
func NewRecorder(next http.RoundTripper) *Recorder { return &Recorder{next: next} }

// RoundTrip records and passes on.
func (c *Recorder) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := drain(r)
	if err != nil {
		return nil, err
	}
	res, err := c.answer(r, body)
	x := Exchange{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Body: body}
	if res != nil {
		x.Status = res.StatusCode
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = append(c.seen, x)
	return res, err
}

func (c *Recorder) answer(r *http.Request, body string) (*http.Response, error) {
	if c.Intercept != nil {
		if res, err := c.Intercept(r, body); res != nil || err != nil {
			return res, err
		}
	}
	return c.next.RoundTrip(r)
}

func drain(r *http.Request) (string, error) {
	if r.Body == nil {
		return "", nil
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return "", err
	}
	_ = r.Body.Close() // it was read to its end
	r.Body = io.NopCloser(bytes.NewReader(raw))
	return string(raw), nil
}

// All lists the exchanges so far.
func (c *Recorder) All() []Exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Exchange(nil), c.seen...)
}

// Writes lists the exchanges that were not only reads.
func (c *Recorder) Writes() []Exchange {
	var out []Exchange
	for _, x := range c.All() {
		if x.Method != http.MethodGet && x.Method != http.MethodHead {
			out = append(out, x)
		}
	}
	return out
}

// Reset forgets what was seen.
func (c *Recorder) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen = nil
}

// Refuse is an answer with a problem document.
func Refuse(r *http.Request, status int, detail string) *http.Response {
	text := `{"title":` + quoted(http.StatusText(status)) + `,"detail":` + quoted(detail) + `}`
	return &http.Response{
		StatusCode: status, Status: http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:  http.Header{"Content-Type": {"application/problem+json"}},
		Body:    io.NopCloser(strings.NewReader(text)),
		Request: r,
	}
}
