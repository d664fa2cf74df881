package local

import (
	"context"
	"net"
	"net/http"

	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/emulator/intercept"
	"github.com/kongctl/kongctl/internal/terminal"
)

// Interception is how unmodified clients of Konnect reach a server.
type Interception struct {
	Proxy       string `json:"proxy"`
	Certificate string `json:"certificate"`
}

// Variables are what leads such a client here, a line each for a shell. Those
// that a client prefers to HTTPS_PROXY and SSL_CERT_FILE must not lead past it,
// to Konnect itself.
func (i Interception) Variables() string {
	proxy, certificate := terminal.ShellWord(i.Proxy), terminal.ShellWord(i.Certificate)
	return "export HTTPS_PROXY=" + proxy + "\nexport https_proxy=" + proxy +
		"\nexport SSL_CERT_FILE=" + certificate + "\nexport CURL_CA_BUNDLE=" + certificate +
		"\nexport NO_PROXY=\nexport no_proxy=\nunset SSL_CERT_DIR\n"
}

// serving returns what serves on the address of s: with an authority in the
// folder also for clients that believe to talk to Konnect itself.
func (h Host) serving(s *Server, dir string, intercepts bool) (func(context.Context, net.Listener, http.Handler) error, error) {
	if !intercepts {
		return emulator.Serve, nil
	}
	authority, err := intercept.OpenAuthority(dir, h.Now)
	if err != nil {
		return nil, err
	}
	s.Intercept = &Interception{Proxy: s.URL(), Certificate: authority.File()}
	return func(ctx context.Context, ln net.Listener, h http.Handler) error {
		return intercept.Serve(ctx, ln, h, authority)
	}, nil
}
