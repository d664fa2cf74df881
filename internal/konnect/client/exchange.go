package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
)

const maxBodySize = 64 << 20

// call is a request made ready to be sent any number of times.
type call struct {
	method string
	path   string
	url    *url.URL
	body   []byte
	mask   mask
	// keep is for answers as they came; nil for those that are to be understood.
	keep func(*http.Response, []byte)
}

func (c *Client) prepare(r Request) (*call, error) {
	base := c.base
	if r.Global {
		base = c.global
	}
	u, err := join(base, r.Path)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", r.Method, r.Path, err)
	}
	u.RawQuery = r.Query.Encode()
	k := &call{
		method: r.Method, path: r.Path, url: u,
		mask: c.guard.tokens.memory.mask(r.Secrets),
	}
	if r.Body == nil {
		return k, nil
	}
	// The encoder's own words may quote the body.
	if k.body, err = json.Marshal(r.Body); err != nil {
		return nil, fmt.Errorf("%s %s: the body has no JSON form (%T)", r.Method, r.Path, err)
	}
	return k, nil
}

// writes reports whether the call may change something.
func (k *call) writes() bool { return k.method != http.MethodGet && k.method != http.MethodHead }

func (k *call) interrupted(err error, attempts int, sent bool) error {
	return &TransportError{
		Method: k.method, Path: k.path, Host: k.url.Host, Attempts: attempts,
		Sent: sent, Err: err, reason: err.Error(), interrupted: true,
	}
}

// try is one attempt, logged.
func (c *Client) try(ctx context.Context, k *call, attempt int) (*Response, error) {
	start := c.clock.Now()
	resp, err := c.exchange(ctx, k, attempt)
	if !c.log.Enabled(ctx, slog.LevelDebug) {
		return resp, err // what is not logged need not be masked
	}
	attrs := []slog.Attr{
		slog.String("method", k.method),
		slog.String("path", k.path),
		slog.Int("attempt", attempt),
		slog.Duration("duration", c.clock.Now().Sub(start)),
	}
	var ae *APIError
	switch {
	case err == nil:
		attrs = append(attrs, slog.Int("status", resp.Status), slog.String("request_id", k.mask.clean(requestID(resp.Header))))
	case errors.As(err, &ae):
		attrs = append(attrs, slog.Int("status", ae.Status), slog.String("request_id", ae.RequestID))
	default:
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	c.log.LogAttrs(ctx, slog.LevelDebug, "request", attrs...)
	return resp, err
}

// exchange sends the request once and reads the whole answer.
func (c *Client) exchange(ctx context.Context, k *call, attempt int) (*Response, error) {
	limited, cancel := context.WithTimeout(ctx, c.attemptTimeout)
	defer cancel()
	var seen sighting
	req, err := http.NewRequestWithContext(seen.watch(limited), k.method, k.url.String(), k.reader())
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", k.method, k.path, err)
	}
	req.Header.Set("Accept", "application/json, application/problem+json")
	req.Header.Set("User-Agent", c.userAgent)
	if k.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.http.Do(req)
	if err != nil {
		return nil, c.noAnswer(ctx, limited, k, attempt, seen.sent(err), err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(res.Body, c.maxBody+1))
	if k.keep != nil {
		k.keep(res, raw)
	}
	if res.StatusCode >= http.StatusBadRequest {
		return nil, c.refused(k, attempt, res, raw)
	}
	if err != nil {
		return nil, c.noAnswer(ctx, limited, k, attempt, true, err)
	}
	return c.answer(k, res, raw)
}

func (k *call) reader() io.Reader {
	if k.body == nil {
		return http.NoBody
	}
	return bytes.NewReader(k.body)
}

func (c *Client) noAnswer(ctx, limited context.Context, k *call, attempt int, sent bool, err error) error {
	var ue *url.Error
	if errors.As(err, &ue) { // it repeats method and address
		err = ue.Err
	}
	e := &TransportError{
		Method: k.method, Path: k.path, Host: k.url.Host,
		Attempts: attempt, Sent: sent, permanent: isPermanent(err),
	}
	switch {
	case ctx.Err() != nil:
		e.interrupted, err = true, ctx.Err()
	case limited.Err() != nil:
		err = timeoutError{after: c.attemptTimeout}
	}
	e.Err, e.reason = err, k.mask.clean(err.Error())
	return e
}

func (c *Client) refused(k *call, attempt int, res *http.Response, raw []byte) error {
	e := &APIError{
		Method: k.method, Path: k.path, Status: res.StatusCode,
		Attempts:   attempt,
		RequestID:  k.mask.clean(requestID(res.Header)),
		Header:     res.Header,
		retryAfter: retryAfter(res.Header, c.clock.Now()),
	}
	e.parseProblem(raw, k.mask)
	return e
}

func (c *Client) answer(k *call, res *http.Response, raw []byte) (*Response, error) {
	unusable := func(format string, args ...any) error {
		return &AnswerError{
			Method: k.method, Path: k.path, Status: res.StatusCode,
			Reason: k.mask.clean(fmt.Sprintf(format, args...)),
		}
	}
	if res.StatusCode >= http.StatusMultipleChoices {
		return nil, unusable("without a place to go to")
	}
	if int64(len(raw)) > c.maxBody {
		return nil, unusable("with more than %d MiB", c.maxBody>>20)
	}
	out := &Response{Status: res.StatusCode, Header: res.Header}
	if k.keep != nil {
		return out, nil
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return out, nil
	}
	body, err := decodeJSON(raw)
	if err != nil {
		kind := res.Header.Get("Content-Type")
		if kind == "" {
			kind = "something"
		}
		return nil, unusable("with %s that is not JSON; is %s://%s the right address?", kind, k.url.Scheme, k.url.Host)
	}
	out.Body = body
	return out, nil
}

// decodeJSON reads exactly one document, numbers as written.
func decodeJSON(raw []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var out any
	if err := dec.Decode(&out); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the document")
	}
	return out, nil
}

func requestID(h http.Header) string {
	for _, name := range []string{"X-Kong-Request-Id", "X-Request-Id", "X-Datadog-Trace-Id"} {
		if id := h.Get(name); id != "" {
			return id
		}
	}
	return ""
}
