package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Raw carries the request of a foreign client: to the configured hosts alone,
// with our token in place of its own, bounded and repeated like every other.
// The answer comes back as the service gave it, whatever its status; from 400
// on the APIError that it amounts to is returned with it. The body is in
// memory. Secrets are texts in the request that must not come back in an error.
func (c *Client) Raw(ctx context.Context, req *http.Request, secrets ...string) (*http.Response, error) {
	k := &call{
		method: req.Method,
		path:   strings.TrimPrefix(req.URL.EscapedPath(), c.base.EscapedPath()),
		url:    req.URL,
		mask:   c.guard.tokens.memory.mask(secrets),
	}
	if req.Body != nil && req.Body != http.NoBody {
		body, err := io.ReadAll(req.Body)
		_ = req.Body.Close() // it was read to its end
		if err != nil {
			return nil, fmt.Errorf("%s %s: the body cannot be read (%T)", k.method, k.path, err)
		}
		k.body = body
	}
	var header http.Header // of the last answer
	var raw []byte
	k.keep = func(res *http.Response, body []byte) { header, raw = res.Header, body }
	out, err := c.send(ctx, k)
	var refused *APIError
	switch {
	case errors.As(err, &refused):
		return rawResponse(req, refused.Status, header, raw), err
	case err != nil:
		return nil, err
	case out.Header == nil:
		// A delete whose repetition found nothing: it is done.
		return rawResponse(req, out.Status, http.Header{}, nil), nil
	}
	return rawResponse(req, out.Status, header, raw), nil
}

// BaseURL is the address of the regional host, without a slash at its end.
func (c *Client) BaseURL() string { return c.base.String() }

func rawResponse(req *http.Request, status int, header http.Header, raw []byte) *http.Response {
	return &http.Response{
		Status:     fmt.Sprintf("%d %s", status, http.StatusText(status)),
		StatusCode: status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        header,
		Body:          io.NopCloser(bytes.NewReader(raw)),
		ContentLength: int64(len(raw)),
		Request:       req,
	}
}
