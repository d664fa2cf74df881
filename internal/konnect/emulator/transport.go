package emulator

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strconv"
)

// Transport calls a handler in process: a client that uses it needs no socket.
func Transport(h http.Handler) http.RoundTripper { return transport{h} }

type transport struct{ h http.Handler }

// RoundTrip runs the handler. A context that ends lets the caller go at once,
// as a closed connection would; the handler may still finish.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	if err := ctx.Err(); err != nil {
		closeBody(r)
		return nil, err
	}
	sent := &fate{}
	in := r.Clone(context.WithValue(ctx, fateKey{}, sent))
	in.RequestURI = r.URL.RequestURI()
	if in.Body == nil {
		in.Body = http.NoBody
	}
	if in.Host == "" {
		in.Host = r.URL.Host
	}
	out := &buffer{header: http.Header{}, status: http.StatusOK}
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		defer closeBody(r)
		t.h.ServeHTTP(out, in)
	}()
	seen := watch(ctx, r)
	select {
	case <-ctx.Done():
		seen(true)
		return nil, ctx.Err()
	case p := <-done:
		seen(!sent.lost)
		if p == http.ErrAbortHandler { //nolint:errorlint // this value is thrown as it is
			return nil, fmt.Errorf("%w: %w", ErrCut, io.ErrUnexpectedEOF)
		}
		if p != nil {
			panic(p)
		}
		return out.response(r), nil
	}
}

// fate is what the handler knows of a request in process.
type fate struct{ lost bool }

type fateKey struct{}

// unsent says that a request never came in, as far as its client can know. Over
// a socket no client can know that.
func unsent(ctx context.Context) {
	if f, ok := ctx.Value(fateKey{}).(*fate); ok {
		f.lost = true
	}
}

// watch reports to the client's trace that a connection is there, and later whether
// the request went out on it.
func watch(ctx context.Context, r *http.Request) (sent func(bool)) {
	trace := httptrace.ContextClientTrace(ctx)
	if trace == nil {
		return func(bool) {}
	}
	if trace.GetConn != nil {
		trace.GetConn(r.URL.Host)
	}
	return func(sent bool) {
		if sent && trace.WroteHeaderField != nil {
			trace.WroteHeaderField("Host", []string{r.URL.Host})
		}
	}
}

func closeBody(r *http.Request) {
	if r.Body != nil {
		_ = r.Body.Close() // a body that was read has nothing to say
	}
}

// buffer is the response as the handler writes it.
type buffer struct {
	header http.Header
	status int
	wrote  bool
	body   bytes.Buffer
}

// Header is what the handler sets.
func (b *buffer) Header() http.Header { return b.header }

// WriteHeader keeps the first status.
func (b *buffer) WriteHeader(status int) {
	if !b.wrote {
		b.status, b.wrote = status, true
	}
}

// Write collects the body.
func (b *buffer) Write(p []byte) (int, error) {
	b.wrote = true
	return b.body.Write(p)
}

func (b *buffer) response(r *http.Request) *http.Response {
	return &http.Response{
		Status: strconv.Itoa(b.status) + " " + http.StatusText(b.status), StatusCode: b.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: b.header, Body: io.NopCloser(&b.body), ContentLength: int64(b.body.Len()), Request: r,
	}
}
