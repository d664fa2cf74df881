package engine

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"sync"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/gateway/deck"
	"github.com/kongctl/kongctl/internal/gateway/native"
	"github.com/kongctl/kongctl/internal/konnect/emulator/intercept"
)

// The ways to do decK's part.
const (
	GatewayNative = "native"
	GatewayCLI    = "cli"
)

// Gateway says how decK's part is done.
type Gateway struct {
	Mode string // one of the ways
	Path string // of the deck binary
	Env  func(string) (string, bool)
}

// reconciler does decK's part for the whole run: what it read for the plan
// serves the execution, too. It is made when the first control plane asks for it.
type reconciler struct {
	settings func() (Gateway, error)
	host     Host
	closers  *closers

	once sync.Once
	is   gateway.Reconciler
	err  error
}

func (r *reconciler) open(ctx context.Context, s *session) (gateway.Reconciler, error) {
	r.once.Do(func() { r.is, r.err = r.make(ctx, s) })
	return r.is, r.err
}

func (r *reconciler) make(ctx context.Context, s *session) (gateway.Reconciler, error) {
	g, err := r.settings()
	if err != nil {
		return nil, err
	}
	if g.Mode == GatewayNative {
		return native.New(s.client), nil
	}
	o := deck.Options{Path: g.Path, Env: g.Env, Token: s.client.Token, Address: s.config.BaseURL, Check: native.Check}
	if asks, ok := native.New(s.client).(gateway.SchemaSource); ok {
		o.AskSchema = asks.Schema
	}
	if s.organization.Region == "" {
		if o.Address, o.Extra, err = r.interceptFor(ctx, s); err != nil {
			return nil, err
		}
	}
	return deck.New(o), nil
}

// interceptFor lets decK, which knows Konnect's own hosts alone, reach another
// address: a proxy of this process leads it there, and only there.
func (r *reconciler) interceptFor(ctx context.Context, s *session) (address string, env []string, err error) {
	dir, err := os.MkdirTemp("", "kongctl-deck-")
	if err != nil {
		return "", nil, err
	}
	r.closers.add(func() error { return os.RemoveAll(dir) })
	base, err := url.Parse(s.config.BaseURL)
	if err != nil {
		return "", nil, err
	}
	authority, err := intercept.NewAuthority(dir, r.host.Now)
	if err != nil {
		return "", nil, err
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	forward := &httputil.ReverseProxy{Transport: s.config.Transport, ErrorLog: log.New(io.Discard, "", 0), Rewrite: func(q *httputil.ProxyRequest) { q.SetURL(base) }}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- intercept.Serve(serving, ln, http.Handler(forward), authority) }()
	r.closers.add(func() error { stop(); return <-ended })
	proxy := "http://" + ln.Addr().String()
	return deckHost, []string{"HTTPS_PROXY=" + proxy, "https_proxy=" + proxy, "SSL_CERT_FILE=" + authority.File(), "NO_PROXY=", "no_proxy="}, nil
}

// deckHost is the address that decK is given where a proxy leads it on.
const deckHost = "https://us.api.konghq.com"
