//go:build !nonative

package native

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/kong/go-kong/kong"

	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/resource"
)

// gate is the way of the library to one control plane. It keeps what was read,
// answers for lists that nobody needs, and turns failures into errors of our
// client, so that the library does not repeat what our client repeated.
type gate struct {
	client *client.Client
	base   string

	running sync.Mutex // one pass at a time

	mu       sync.Mutex
	schemas  shelf
	lists    shelf // until the first write
	written  bool
	failed   bool                        // a request of the pass at hand failed
	refusals map[string]*client.APIError // by the error that the library makes of them

	presence

	// What the pass at hand needs.
	secrets []string
	reading reading
	ready   *ready
}

// shelf holds answers by address.
type shelf map[string]*answer

func newGate(client *client.Client, id string) *gate {
	g := &gate{
		client:  client,
		base:    client.BaseURL() + "/v2/control-planes/" + url.PathEscape(id) + "/core-entities",
		schemas: shelf{},
	}
	g.forget()
	return g
}

// forget drops what was read of the state. Schemas stay as they are.
func (g *gate) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lists, g.written, g.refusals = shelf{}, false, map[string]*client.APIError{}
	g.absent, g.ready = nil, nil
}

// doer answers the library's requests. Its own context does not always end
// with the run's, so both count. An interrupt stops what has written nothing yet.
func (g *gate) doer(run context.Context) kong.Doer {
	return func(ctx context.Context, _ *http.Client, req *http.Request) (*http.Response, error) {
		if err := ended(run); err != nil {
			return nil, err
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(run, cancel)()
		if req.Method == http.MethodDelete && g.hasFailed() {
			return nil, errHeld
		}
		res, err := g.answer(ctx, req)
		if err != nil {
			g.setFailed(true)
		}
		return res, err
	}
}

// ended is why nothing more is to be sent; nil where something is.
func ended(run context.Context) error {
	if err := run.Err(); err != nil {
		return err
	}
	return resource.NotStarted(run)
}

func (g *gate) answer(ctx context.Context, req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet {
		return g.write(ctx, req)
	}
	return g.read(ctx, req)
}

// errHeld ends deletes that come after a failure. The library stops at the
// first one, but may begin with its deletes before it knows of it.
var errHeld = errors.New("held back: another change failed")

func (g *gate) hasFailed() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.failed
}

func (g *gate) setFailed(failed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.failed = failed
}

func (g *gate) read(ctx context.Context, req *http.Request) (*http.Response, error) {
	below := strings.TrimPrefix(req.URL.Scheme+"://"+req.URL.Host+req.URL.Path, g.base)
	if isSchema(below) {
		return g.once(ctx, g.schemas, req)
	}
	list := strings.TrimPrefix(below, "/")
	needed, err := g.needs(ctx, list, req)
	if err != nil {
		return nil, err
	}
	if !needed {
		return noEntities(req), nil
	}
	g.mu.Lock()
	lists, written := g.lists, g.written
	g.mu.Unlock()
	if written {
		return g.ask(ctx, req)
	}
	res, err := g.once(ctx, lists, req)
	if err == nil && list == groups {
		return g.withMembers(ctx, lists, res)
	}
	return res, err
}

// needs tells whether a list can matter. One whose entities belong to those of
// another list is empty when that is.
func (g *gate) needs(ctx context.Context, list string, req *http.Request) (bool, error) {
	if strings.Contains(list, "/") {
		return true, nil // not a list
	}
	if !g.reading.wants(list) {
		return false, nil
	}
	owner := g.reading.owner(list)
	if owner == "" {
		return true, nil
	}
	above, err := http.NewRequestWithContext(ctx, http.MethodGet, g.base+"/"+owner+"?"+g.reading.query(), http.NoBody)
	if err != nil {
		return false, err
	}
	above.Header = req.Header
	g.mu.Lock()
	lists := g.lists
	g.mu.Unlock()
	res, err := g.once(ctx, lists, above)
	if err != nil {
		return false, err
	}
	defer func() { _ = res.Body.Close() }()
	return !isEmptyList(res), nil
}

func (g *gate) write(ctx context.Context, req *http.Request) (*http.Response, error) {
	if err := resource.StartWriting(ctx); err != nil {
		return nil, err
	}
	g.mu.Lock()
	g.written = true
	g.mu.Unlock()
	return g.ask(ctx, req)
}

// once asks for an address the first time; whoever comes meanwhile waits. An
// error is not kept.
func (g *gate) once(ctx context.Context, s shelf, req *http.Request) (*http.Response, error) {
	key := req.URL.String()
	g.mu.Lock()
	a, known := s[key]
	if !known {
		a = &answer{done: make(chan struct{})}
		s[key] = a
	}
	g.mu.Unlock()
	if !known {
		a.take(g.ask(ctx, req))
		if a.err != nil {
			g.mu.Lock()
			delete(s, key)
			g.mu.Unlock()
		}
		close(a.done)
	}
	select {
	case <-a.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if a.err != nil {
		return nil, a.err
	}
	return a.response(req), nil
}

// ask sends a request. Refusals of reads go to the library, which takes some of
// them for an empty list; all others are errors.
func (g *gate) ask(ctx context.Context, req *http.Request) (*http.Response, error) {
	secrets, err := g.hidden(req)
	if err != nil {
		return nil, err
	}
	seen := g.seen.Load()
	res, err := g.client.Raw(ctx, req, secrets...)
	if !seen && req.Method == http.MethodGet && client.IsNotFound(err) && !lately[path.Base(req.URL.Path)] {
		_ = res.Body.Close()
		if err := g.appear(ctx); err != nil {
			return nil, err
		}
		res, err = g.client.Raw(ctx, req, secrets...)
	}
	var refused *client.APIError
	if !errors.As(err, &refused) {
		if err != nil {
			return res, err
		}
		g.seen.Store(true)
		return g.answered(req, res)
	}
	plugin, ofSchema := pluginOf(req.URL.Path)
	_ = res.Body.Close()
	switch {
	case ofSchema && refused.Status == http.StatusNotFound:
		err = &unknownPlugin{name: plugin, err: err}
	case req.Method == http.MethodGet && !isSchema(req.URL.Path) && forLibrary(refused.Status):
		return g.hand(req, refused), nil
	}
	return nil, err
}

// hand gives a refusal to the library, in words by which it is known again:
// errors of the library do not tell what was asked for.
func (g *gate) hand(req *http.Request, refused *client.APIError) *http.Response {
	g.mu.Lock()
	defer g.mu.Unlock()
	message := fmt.Sprintf("refusal %d", len(g.refusals))
	g.refusals[kong.NewAPIError(refused.Status, message).Error()] = refused
	a := answer{status: refused.Status, header: http.Header{"Content-Type": {"application/json"}}, body: []byte(`{"message":"` + message + `"}`)}
	return a.response(req)
}

// refused is the refusal that the library made an error of.
func (g *gate) refused(err error) *client.APIError {
	var own *kong.APIError
	if g == nil || !errors.As(err, &own) {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.refusals[own.Error()]
}

// unknownPlugin is a plugin without a schema; the library would not name it.
type unknownPlugin struct {
	name string
	err  error
}

func (e *unknownPlugin) Error() string {
	return fmt.Sprintf("plugin %q is not known to Konnect", e.name)
}
func (e *unknownPlugin) Unwrap() error { return e.err }

func forLibrary(status int) bool {
	return status < http.StatusInternalServerError && status != http.StatusUnauthorized && status != http.StatusTooManyRequests
}

func isSchema(path string) bool { return strings.Contains(path, "/schemas/") }

func pluginOf(path string) (string, bool) {
	_, name, ok := strings.Cut(path, "/schemas/plugins/")
	return name, ok
}

// answer is what came back from one address.
type answer struct {
	done   chan struct{}
	status int
	header http.Header
	body   []byte
	err    error
}

func (a *answer) take(res *http.Response, err error) {
	if err != nil {
		a.err = err
		return
	}
	defer func() { _ = res.Body.Close() }()
	a.status, a.header = res.StatusCode, res.Header
	a.body, a.err = io.ReadAll(res.Body)
}

func (a *answer) response(req *http.Request) *http.Response {
	return &http.Response{
		Status:     fmt.Sprintf("%d %s", a.status, http.StatusText(a.status)),
		StatusCode: a.status, Header: a.header, Request: req,
		Body: io.NopCloser(bytes.NewReader(a.body)), ContentLength: int64(len(a.body)),
	}
}

func noEntities(req *http.Request) *http.Response {
	a := answer{status: http.StatusOK, header: http.Header{"Content-Type": {"application/json"}}, body: []byte(`{"data":[]}`)}
	return a.response(req)
}
