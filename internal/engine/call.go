package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// CallRequest is a request that the user words.
type CallRequest struct {
	Method string
	// Address is a path, with or without a query, or a URL of the configured hosts.
	Address string
	// Query adds to that of the address.
	Query url.Values
	Body  any // plain data; nil sends none
}

// CallAnswer is what Konnect said.
type CallAnswer struct {
	Method, Path string
	Status       int
	Header       http.Header // without cookies
	Body         any         // plain data; nil when empty
}

// Call sends a request of the user's own to Konnect: to the configured hosts, with
// the token of the settings. What belongs to the whole organization is asked at the
// host that all regions share, as everywhere. An answer that refuses is an error and
// has no body here.
func Call(ctx context.Context, e *Engine, r CallRequest) (*CallAnswer, error) {
	u, err := url.Parse(r.Address)
	if err == nil && u.User != nil {
		return nil, Usagef("the address must not carry a user or password").WithHint("write a path such as /v3/portals.")
	}
	if err != nil || u.Opaque != "" || u.Fragment != "" || u.Host == "" && u.Scheme != "" {
		return nil, Usagef("%q is not a path of Konnect", r.Address).WithHint("write a path such as /v3/portals.")
	}
	s, err := e.konnect.open(ctx)
	if err != nil {
		return nil, err
	}
	path := "/" + strings.TrimPrefix(u.EscapedPath(), "/")
	op := operationAt(s.catalog.Contract, r.Method, path)
	global := op != nil && op.Global
	if u.Host != "" {
		if path, global, err = within(s.config, u); err != nil {
			return nil, err
		}
	}
	if err := client.CheckPath(path); err != nil {
		return nil, Usagef("%q: %v", r.Address, err).WithHint("write a path such as /v3/portals.")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, Usagef("the query of %q cannot be read", r.Address)
	}
	for name, values := range r.Query {
		query[name] = append(query[name], values...)
	}
	var res *client.Response
	err = e.phase(event.Reading, func() (int, error) {
		res, err = s.client.Do(ctx, client.Request{Method: r.Method, Path: path, Query: query, Body: r.Body, Global: global, Secrets: secretTexts(r.Body)})
		return 1, err
	})
	out := &CallAnswer{Method: r.Method, Path: path}
	var refused *client.APIError
	switch {
	case errors.As(err, &refused):
		out.Status, out.Header = refused.Status, refused.Header.Clone()
	case err != nil:
		return nil, err
	default:
		out.Status, out.Header, out.Body = res.Status, res.Header.Clone(), res.Body
	}
	out.Header.Del("Set-Cookie")
	return out, err
}

// operationAt is the operation of a path, or another of the same path; nil for a
// path that the contract does not know.
func operationAt(c *contract.Contract, method, path string) *contract.Operation {
	op, _, others := c.Match(method, path)
	if op == nil && len(others) > 0 {
		op, _, _ = c.Match(others[0], path)
	}
	return op
}

// within is the path of a URL below one of the configured hosts. Others get neither
// a request nor the token.
func within(config client.Config, u *url.URL) (path string, global bool, err error) {
	for i, base := range []string{config.BaseURL, config.GlobalURL} {
		b, err := url.Parse(base)
		if err != nil || base == "" || !strings.EqualFold(b.Scheme+"://"+b.Host, u.Scheme+"://"+u.Host) {
			continue
		}
		if rest, below := strings.CutPrefix(u.EscapedPath(), strings.TrimRight(b.EscapedPath(), "/")); below {
			return "/" + strings.TrimPrefix(rest, "/"), i == 1, nil
		}
	}
	return "", false, Usagef("%s is not the configured Konnect, %s", (&url.URL{Scheme: u.Scheme, Host: u.Host}).String(), config.BaseURL).
		WithHint("write a path such as /v3/portals; --region and --base-url choose another Konnect.")
}

// secretTexts are the texts of a body whose names say that they are secret.
func secretTexts(body any) []string {
	var out []string
	var walk func(x any, secret bool)
	walk = func(x any, secret bool) {
		switch x := x.(type) {
		case string:
			if secret {
				out = append(out, x)
			}
		case []any:
			for _, item := range x {
				walk(item, secret)
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(x)) {
				walk(x[name], secret || value.MentionsSecret(name))
			}
		}
	}
	walk(body, false)
	return out
}

// String names the request and the status.
func (a *CallAnswer) String() string {
	return fmt.Sprintf("%s %s: %d %s", a.Method, a.Path, a.Status, http.StatusText(a.Status))
}
