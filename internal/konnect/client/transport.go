package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

const maxRedirects = 5

// guard puts the token on requests to the configured hosts and lets no request
// out to another.
type guard struct {
	next    http.RoundTripper
	allowed map[string]bool // by origin
	tokens  *tokens
}

// refusal is a request that the guard did not let out.
type refusal struct{ reason string }

func (r *refusal) Error() string { return r.reason }

// RoundTrip adds the token; a redirect's new request comes through here too.
func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	if !g.allowed[origin(req.URL)] {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, &refusal{reason: "not a configured host"}
	}
	req = req.Clone(req.Context())
	req.Header.Del("Authorization")
	if token := g.tokens.now(); token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return g.next.RoundTrip(req)
}

func (g *guard) checkRedirect(req *http.Request, via []*http.Request) error {
	switch {
	case !g.allowed[origin(req.URL)]:
		return &refusal{reason: fmt.Sprintf("redirect to another host (%s) refused", req.URL.Host)}
	case req.Method != via[0].Method:
		// It would turn a write into a read that seems to have worked.
		return &refusal{reason: "redirect of a write refused"}
	case len(via) > maxRedirects:
		return &refusal{reason: "too many redirects"}
	}
	return nil
}

// sighting watches how far a request got.
type sighting struct{ traced, wrote atomic.Bool }

func (s *sighting) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { s.traced.Store(true) },
		// The first header field, not the last: with HTTP/2 the event for
		// the last comes after the bytes have left.
		WroteHeaderField: func(string, []string) { s.wrote.Store(true) },
	})
}

// sent is false only on proof: a transport that reports nothing proves nothing.
func (s *sighting) sent(err error) bool {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return false
	}
	return !s.traced.Load() || s.wrote.Load()
}

func newTransport(concurrency int) *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           dialer.DialContext,
		TLSClientConfig:       &tls.Config{MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          2 * concurrency,
		MaxIdleConnsPerHost:   concurrency,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: 90 * time.Second,
		HTTP2:                 &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 15 * time.Second},
	}
}

// parseBase reads a host's address. label goes in front of what is wrong with it.
func parseBase(label, raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	switch {
	case raw == "":
		return nil, fmt.Errorf("%s: missing", label)
	case err != nil && strings.Contains(raw, "@"), err == nil && u.User != nil:
		return nil, fmt.Errorf("%s: must not carry a user or password", label)
	case err != nil:
		return nil, fmt.Errorf("%s: %q is not a URL", label, raw)
	case u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "":
		return nil, fmt.Errorf("%s: %q is not of the form https://host", label, raw)
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, fmt.Errorf("%s: %q must end with host or path", label, raw)
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return nil, fmt.Errorf("%s: %q: plain http is only allowed for loopback addresses; use https", label, raw)
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	return u, nil
}

func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// join puts an escaped path behind a base. A segment that is empty or made of
// dots would lead to another resource than the one meant.
func join(base *url.URL, path string) (*url.URL, error) {
	if err := CheckPath(path); err != nil {
		return nil, err
	}
	u, err := url.Parse(base.String() + path)
	if err != nil {
		return nil, errors.New("the path is not escaped")
	}
	return u, nil
}

// CheckPath refuses a path that requests cannot have.
func CheckPath(path string) error {
	rest, ok := strings.CutPrefix(path, "/")
	if !ok {
		return errors.New("the path must begin with /")
	}
	if strings.ContainsAny(path, "?#") {
		return errors.New("the path must not carry a query")
	}
	for segment := range strings.SplitSeq(rest, "/") {
		plain, err := url.PathUnescape(segment)
		if err != nil {
			return errors.New("the path is not escaped")
		}
		if plain == "" || plain == "." || plain == ".." {
			return errors.New("the path has an empty or dotted segment")
		}
	}
	return nil
}

// origin is scheme, host and port in one form.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}
