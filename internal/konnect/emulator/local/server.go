// Package local runs the embedded Konnect on this machine: as a server, in a
// process of its own or in this one, and in process for a single command.
//
// In: a data folder. Out: the server that holds it, or the embedded Konnect in
// this process, and a way to talk to it about itself. It must never print, and
// must never import the engine or the command line.
package local

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

	"github.com/kongctl/kongctl/internal/disk"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
)

const (
	// ServerFile is the file of a data folder that names its server.
	ServerFile    = "server.json"
	serverLog     = "server.log"
	healthTimeout = 2 * time.Second
	maxAnswer     = 256 << 20
)

// Server is a running embedded Konnect, as its data folder tells of it.
type Server struct {
	PID       int       `json:"pid"`
	Address   string    `json:"address"`
	Version   string    `json:"version"`
	StartedAt time.Time `json:"started_at"`
	// Intercept is there for a server that was started with --intercept.
	Intercept *Interception `json:"intercept,omitempty"`
}

// URL is its address.
func (s *Server) URL() string { return "http://" + s.Address }

// Find returns the server that holds a data folder, or nil.
// What the folder says counts only if the process itself confirms it.
func Find(ctx context.Context, dir string) (*Server, error) {
	s, err := recordedServer(dir)
	if s == nil || err != nil {
		return nil, err
	}
	var health struct {
		PID int `json:"pid"`
	}
	limited, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	if err := Listening(s.URL()).Get(limited, "/__local/health", &health); err != nil || health.PID != s.PID {
		return nil, ctx.Err() // nobody answers, or somebody else
	}
	return s, nil
}

// record lets others find the server.
func (s *Server) record(dir string) error {
	raw, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return disk.Write(filepath.Join(dir, ServerFile), append(raw, '\n'))
}

// recordedServer is the server that a data folder names, be it there or not.
func recordedServer(dir string) (*Server, error) {
	raw, err := os.ReadFile(filepath.Join(dir, ServerFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	var s Server
	if json.Unmarshal(raw, &s) != nil || !Loopback(s.Address) {
		return nil, nil //nolint:nilerr // left over from a crash, or not ours
	}
	return &s, nil
}

// Loopback reports whether an address is this machine's alone.
func Loopback(address string) bool {
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

// SameAddress reports whether what was asked for is the address of a server. Port 0
// is any port.
func SameAddress(asked, is string) bool {
	host, port, err := net.SplitHostPort(asked)
	own, ownPort, ownErr := net.SplitHostPort(is)
	if err != nil || ownErr != nil || port != "0" && port != ownPort {
		return false
	}
	if host == "localhost" {
		return Loopback(is)
	}
	return host == own
}

// Control talks to the embedded Konnect about itself, over the network or in
// process.
type Control struct {
	Base   string
	client *http.Client
}

// inProcess is an address that no one listens on: the transport never dials.
const inProcess = "http://localhost"

// Listening talks to a server.
func Listening(base string) Control {
	// No proxy: the server is on this machine.
	return Control{Base: base, client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
}

// Direct talks to an embedded Konnect in this process.
func Direct(h http.Handler) Control {
	return Control{Base: inProcess, client: &http.Client{Transport: emulator.Transport(h)}}
}

// Get reads an answer into out.
func (c Control) Get(ctx context.Context, path string, out any) error {
	return c.call(ctx, http.MethodGet, path, out)
}

// Reset empties the embedded Konnect.
func (c Control) Reset(ctx context.Context) error {
	return c.call(ctx, http.MethodPost, "/__local/reset", nil)
}

func (c Control) call(ctx context.Context, method, path string, out any) error {
	req, err := http.NewRequestWithContext(ctx, method, c.Base+path, http.NoBody)
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
