package cli

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

	"kongctl/internal/gateway"
	"kongctl/internal/gateway/deck"
	"kongctl/internal/gateway/native"
	"kongctl/internal/konnect/emulator/intercept"
)

// The ways to do decK's part.
const (
	deckNative = "native"
	deckCLI    = "cli"
)

// lazyReconciler is made once, when the first control plane asks for it.
type lazyReconciler struct {
	once sync.Once
	is   gateway.Reconciler
	err  error
}

// reconciler does decK's part for the whole run: what it read for the plan
// serves the execution, too.
func (p *pipeline) reconciler(ctx context.Context, s *session) (gateway.Reconciler, error) {
	l := &p.gateway
	l.once.Do(func() { l.is, l.err = p.factory.newReconciler(ctx, s) })
	return l.is, l.err
}

// deckMode is the setting, checked.
func (f *factory) deckMode() (string, error) {
	settings, err := f.settings()
	if err != nil {
		return "", err
	}
	mode, origin, ok := settings.Lookup(settingDeckMode)
	switch {
	case !ok, mode == "":
		return deckNative, nil
	case mode != deckNative && mode != deckCLI:
		return "", usagef("invalid value %q for deck-mode (%s): use native or cli", mode, origin)
	}
	return mode, nil
}

func (f *factory) newReconciler(ctx context.Context, s *session) (gateway.Reconciler, error) {
	mode, err := f.deckMode()
	if err != nil {
		return nil, err
	}
	if mode == deckNative {
		return native.New(s.client), nil
	}
	settings, err := f.settings()
	if err != nil {
		return nil, err
	}
	o := deck.Options{Path: settings.String(settingDeckPath), Env: f.world.env, Token: s.config.Token, Address: s.config.BaseURL, Check: native.Check}
	if s.organization.Region == "" {
		if o.Address, o.Extra, err = f.interceptFor(ctx, s); err != nil {
			return nil, err
		}
	}
	return deck.New(o), nil
}

// interceptFor lets decK, which knows Konnect's own hosts alone, reach another
// address: a proxy of this process leads it there, and only there.
func (f *factory) interceptFor(ctx context.Context, s *session) (address string, env []string, err error) {
	dir, err := os.MkdirTemp("", "kongctl-deck-")
	if err != nil {
		return "", nil, err
	}
	f.onClose(func() error { return os.RemoveAll(dir) })
	base, err := url.Parse(s.config.BaseURL)
	if err != nil {
		return "", nil, err
	}
	authority, err := intercept.NewAuthority(dir, f.world.now)
	if err != nil {
		return "", nil, err
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	forward := &httputil.ReverseProxy{Transport: s.config.Transport, ErrorLog: log.New(io.Discard, "", 0), Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(base) }}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan error, 1)
	go func() { ended <- intercept.Serve(serving, ln, http.Handler(forward), authority) }()
	f.onClose(func() error { stop(); return <-ended })
	proxy := "http://" + ln.Addr().String()
	return deckHost, []string{"HTTPS_PROXY=" + proxy, "https_proxy=" + proxy, "SSL_CERT_FILE=" + authority.File(), "NO_PROXY=", "no_proxy="}, nil
}

// deckHost is the address that decK is given where a proxy leads it on.
const deckHost = "https://us.api.konghq.com"
