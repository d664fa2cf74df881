package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"time"

	"kongctl/internal/konnect/emulator"
)

const (
	serverFile    = "server.json"
	serverLog     = "server.log"
	healthTimeout = 2 * time.Second
	maxAnswer     = 256 << 20
)

// server is a running embedded Konnect, as its data folder tells of it.
type server struct {
	PID       int       `json:"pid"`
	Address   string    `json:"address"`
	Version   string    `json:"version"`
	StartedAt time.Time `json:"started_at"`
	// Intercept is there for a server that was started with --intercept.
	Intercept *interception `json:"intercept,omitempty"`
}

func (s *server) url() string { return "http://" + s.Address }

// findServer is the server that holds a data folder; nil when there is none.
// What the folder says counts only if the process itself confirms it.
func findServer(ctx context.Context, dir string) (*server, error) {
	s, err := recordedServer(dir)
	if s == nil || err != nil {
		return nil, err
	}
	var health struct {
		PID int `json:"pid"`
	}
	limited, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	if err := listening(s.url()).get(limited, "/__local/health", &health); err != nil || health.PID != s.PID {
		return nil, ctx.Err() // nobody answers, or somebody else
	}
	return s, nil
}

// recordedServer is the server that a data folder names, be it there or not.
func recordedServer(dir string) (*server, error) {
	raw, err := os.ReadFile(filepath.Join(dir, serverFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	var s server
	if json.Unmarshal(raw, &s) != nil || !loopback(s.Address) {
		return nil, nil //nolint:nilerr // left over from a crash, or not ours
	}
	return &s, nil
}

// loopback tells that an address is this machine's alone.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// control talks to the embedded Konnect about itself, over the network or in
// process.
type control struct {
	base   string
	client *http.Client
}

// inProcess is an address that no one listens on: the transport never dials.
const inProcess = "http://localhost"

func listening(base string) control {
	// No proxy: the server is on this machine.
	return control{base: base, client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
}

func direct(h http.Handler) control {
	return control{base: inProcess, client: &http.Client{Transport: emulator.Transport(h)}}
}

// get reads an answer into out.
func (c control) get(ctx context.Context, path string, out any) error {
	return c.call(ctx, http.MethodGet, path, out)
}

// reset empties the embedded Konnect.
func (c control) reset(ctx context.Context) error {
	return c.call(ctx, http.MethodPost, "/__local/reset", nil)
}

func (c control) call(ctx context.Context, method, path string, out any) error {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, http.NoBody)
	if err != nil {
		return err
	}
	req.Header.Set(emulator.LocalHeader, "1")
	res, err := c.client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s: answered %d", method, path, res.StatusCode)
	}
	if out == nil {
		return nil
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, maxAnswer)).Decode(out); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}
