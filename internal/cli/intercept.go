package cli

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"

	"kongctl/internal/konnect/emulator"
	"kongctl/internal/konnect/emulator/intercept"
	"kongctl/internal/view"
)

// interception is how unmodified clients of Konnect reach a server.
type interception struct {
	Proxy       string `json:"proxy"`
	Certificate string `json:"certificate"`
}

// variables are what leads such a client here, a line each for a shell. Those
// that a client prefers to HTTPS_PROXY and SSL_CERT_FILE must not lead past it,
// to Konnect itself.
func (i interception) variables() string {
	proxy, certificate := shellWord(i.Proxy), shellWord(i.Certificate)
	return "export HTTPS_PROXY=" + proxy + "\nexport https_proxy=" + proxy +
		"\nexport SSL_CERT_FILE=" + certificate + "\nexport CURL_CA_BUNDLE=" + certificate +
		"\nexport NO_PROXY=\nexport no_proxy=\nunset SSL_CERT_DIR\n"
}

func (i *interception) status() *view.LocalIntercept {
	if i == nil {
		return nil
	}
	return &view.LocalIntercept{Proxy: i.Proxy, Certificate: i.Certificate}
}

// shellWord quotes what a shell would take apart.
func shellWord(text string) string {
	for _, r := range text {
		if !strings.ContainsRune("/:._-+@%,=", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		}
	}
	return text
}

// tell says how clients are led here. Standard output has these lines alone, so
// that a shell can evaluate it.
func (o *localStartOptions) tell(s *server) error {
	switch {
	case !o.intercept:
		return nil
	case s.Intercept == nil:
		return fmt.Errorf("the server at %s was started without --intercept", s.url())
	}
	_, err := fmt.Fprint(o.factory.world.streams.out, s.Intercept.variables())
	return toOutput(err)
}

// server is what serves on the address of s: with --intercept also for clients
// that believe to talk to Konnect itself.
func (o *localStartOptions) server(s *server, dir string) (func(context.Context, net.Listener, http.Handler) error, error) {
	if !o.intercept {
		return emulator.Serve, nil
	}
	authority, err := intercept.OpenAuthority(dir, o.factory.world.now)
	if err != nil {
		return nil, err
	}
	s.Intercept = &interception{Proxy: s.url(), Certificate: authority.File()}
	return func(ctx context.Context, ln net.Listener, h http.Handler) error {
		return intercept.Serve(ctx, ln, h, authority)
	}, nil
}
