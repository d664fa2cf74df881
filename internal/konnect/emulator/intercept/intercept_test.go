package intercept_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/konnect/emulator/intercept"
)

// world is an embedded Konnect that is reached by the names of the real one.
type world struct {
	t         *testing.T
	addr      string
	authority *intercept.Authority
	// client takes every host through the proxy.
	client *http.Client
}

func newWorld(t *testing.T) *world {
	t.Helper()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	srv, err := emulator.New(cat, emulator.Options{Strict: func(op, problem string) { t.Errorf("%s: %s", op, problem) }})
	if err != nil {
		t.Fatal(err)
	}
	authority, err := intercept.OpenAuthority(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- intercept.Serve(ctx, ln, srv, authority) }()
	w := &world{t: t, addr: ln.Addr().String(), authority: authority}
	w.client = w.through(func(*http.Request) (*url.URL, error) { return url.Parse("http://" + w.addr) })
	t.Cleanup(func() {
		w.client.CloseIdleConnections()
		stop()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(10 * time.Second):
			t.Error("the server does not end")
		}
	})
	return w
}

func (w *world) through(proxy func(*http.Request) (*url.URL, error)) *http.Client {
	return &http.Client{Transport: &http.Transport{
		Proxy: proxy, TLSClientConfig: &tls.Config{RootCAs: roots(w.t, w.authority)}, ForceAttemptHTTP2: true,
	}}
}

func roots(t *testing.T, a *intercept.Authority) *x509.CertPool {
	t.Helper()
	raw, err := os.ReadFile(a.File())
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(raw) {
		t.Fatal("the file has no certificate")
	}
	return pool
}

// reply is an answer, read to its end.
type reply struct {
	status, major int
	body          string
}

func (w *world) send(client *http.Client, method, address, body string) reply {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer kpat_real")
	req.Header.Set("Content-Type", "application/json")
	res, err := client.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return reply{res.StatusCode, res.ProtoMajor, string(raw)}
}

func (w *world) names(client *http.Client, address string) string {
	w.t.Helper()
	res := w.send(client, http.MethodGet, address, "")
	if res.status != http.StatusOK {
		w.t.Fatalf("GET %s: %d %s", address, res.status, res.body)
	}
	var list struct{ Data []struct{ Name string } }
	if err := json.Unmarshal([]byte(res.body), &list); err != nil {
		w.t.Fatal(err)
	}
	var out []string
	for _, x := range list.Data {
		out = append(out, x.Name)
	}
	return strings.Join(out, " ")
}

func (w *world) create(address, name string) string {
	w.t.Helper()
	res := w.send(w.client, http.MethodPost, address, fmt.Sprintf(`{"name":%q}`, name))
	if res.status != http.StatusCreated {
		w.t.Fatalf("POST %s: %d %s", address, res.status, res.body)
	}
	var made struct {
		ID            string
		DefaultDomain string `json:"default_domain"`
	}
	if err := json.Unmarshal([]byte(res.body), &made); err != nil {
		w.t.Fatal(err)
	}
	if made.DefaultDomain != "" {
		return made.DefaultDomain
	}
	return made.ID
}

func TestRegionsAreKeptApartAndTheOrganizationIsShared(t *testing.T) {
	w := newWorld(t)
	if domain := w.create("https://eu.api.konghq.com/v3/portals", "europe"); !strings.HasSuffix(domain, ".eu.kongportals.com") {
		t.Errorf("the portal's domain is %s", domain)
	}
	w.create("https://us.api.konghq.com/v3/portals", "america")
	w.create("https://sg.api.konghq.com/v3/portals", "america")
	w.create("https://global.api.konghq.com/v3/teams", "crew")
	for _, row := range []struct{ address, want string }{
		{"https://eu.api.konghq.com/v3/portals", "europe"},
		{"https://us.api.konghq.com/v3/portals", "america"},
		{"https://EU.api.konghq.com:443/v3/portals", "europe"},
		{"https://au.api.konghq.com/v3/portals", ""},
		{"http://" + w.addr + "/v3/portals", "america"}, // an address without a region is us
		{"http://eu.api.konghq.com/v3/portals", "europe"},
		{"https://global.api.konghq.com/v3/teams?filter[name][eq]=crew", "crew"},
		{"https://us.api.konghq.com/v3/teams?filter[name][eq]=crew", "crew"},
		{"http://" + w.addr + "/v3/teams?filter[name][eq]=crew", "crew"},
	} {
		client := w.client
		if strings.HasPrefix(row.address, "http://127") {
			client = http.DefaultClient
		}
		if got := w.names(client, row.address); got != row.want {
			t.Errorf("%s has %q, want %q", row.address, got, row.want)
		}
	}
	if res := w.send(w.client, http.MethodGet, "https://mars.api.konghq.com/v3/portals", ""); res.status != http.StatusNotFound || !strings.Contains(res.body, "no region mars") {
		t.Errorf("a region that does not exist: %d %s", res.status, res.body)
	}
	state := w.send(http.DefaultClient, http.MethodGet, "http://"+w.addr+"/__local/state", "")
	var kinds map[string][]any
	if err := json.Unmarshal([]byte(state.body), &kinds); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string]int{"portal": 1, "portal@eu": 1, "portal@sg": 1, "organization_team": 10} {
		if len(kinds[kind]) != want {
			t.Errorf("the state has %d of %s, want %d", len(kinds[kind]), kind, want)
		}
	}
}

func TestNothingElseIsForwarded(t *testing.T) {
	w := newWorld(t)
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }() // a leftover of the test
	go func() {
		if _, err := other.Accept(); err == nil {
			t.Error("the proxy dialled")
		}
	}()
	for _, target := range []string{
		"example.com:443", "konghq.com.example.com:443", "notkonghq.com:443", "us.api.konghq.com:80", "us.api.konghq.com",
		"127.0.0.1:443", other.Addr().String(),
	} {
		if res := w.connect(target); res.status != http.StatusForbidden || !strings.Contains(res.body, "forwards nothing") || !strings.Contains(res.body, target) {
			t.Errorf("CONNECT %s: %d %q", target, res.status, res.body)
		}
	}
	if res := w.send(w.client, http.MethodGet, "http://example.com/v3/portals", ""); res.status != http.StatusForbidden {
		t.Errorf("a plain request for another host: %d %s", res.status, res.body)
	}
}

// connect asks the proxy for a tunnel that it must refuse.
func (w *world) connect(target string) reply {
	w.t.Helper()
	conn, err := net.Dial("tcp", w.addr)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = conn.Close() }() // all was read
	if _, err := fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", target, target); err != nil {
		w.t.Fatal(err)
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: http.MethodConnect})
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, max(0, res.ContentLength)))
	if err != nil {
		w.t.Fatal(err)
	}
	return reply{res.StatusCode, res.ProtoMajor, string(body)}
}

func TestWaysIn(t *testing.T) {
	w := newWorld(t)
	toAddr := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", w.addr)
	}
	pool := roots(t, w.authority)
	for _, row := range []struct {
		name, address string
		transport     *http.Transport
		major         int
	}{
		{"plain HTTP", "http://" + w.addr, &http.Transport{}, 1},
		{"TLS at the address itself", "https://" + w.addr, &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}, 1},
		{"TLS at localhost", "https://localhost", &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, DialContext: toAddr}, 1},
		{"TLS in the name of a host", "https://me.api.konghq.com", &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, DialContext: toAddr}, 1},
		{"HTTP/2", "https://in.api.konghq.com", &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, DialContext: toAddr, ForceAttemptHTTP2: true}, 2},
		{"HTTP/2 through the proxy", "https://in.api.konghq.com", w.client.Transport.(*http.Transport), 2},
		{"the console's host", "https://cloud.konghq.com", w.client.Transport.(*http.Transport), 2},
	} {
		t.Run(row.name, func(t *testing.T) {
			defer row.transport.CloseIdleConnections()
			res := w.send(&http.Client{Transport: row.transport}, http.MethodGet, row.address+"/v3/portals", "")
			if res.status != http.StatusOK || res.major != row.major {
				t.Errorf("HTTP/%d: %d %s", res.major, res.status, res.body)
			}
		})
	}
}

func TestAuthority(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	now := time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)
	open := func(at time.Time) []byte {
		t.Helper()
		a, err := intercept.OpenAuthority(dir, func() time.Time { return at })
		if err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(a.File())
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	first := open(now)
	for _, name := range []string{"ca.pem", "ca-key.pem"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != 0o600 {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
	}
	if string(open(now.AddDate(1, 0, 0))) != string(first) {
		t.Error("a year later the authority is another")
	}
	renewed := open(now.AddDate(1, 11, 5))
	if string(renewed) == string(first) {
		t.Error("shortly before its end the authority is still the old one")
	}
	if err := os.Remove(filepath.Join(dir, "ca-key.pem")); err != nil {
		t.Fatal(err)
	}
	if string(open(now)) == string(renewed) {
		t.Error("without its key the authority is still the old one")
	}
}

func TestDamagedAuthorityIsToldAndLeft(t *testing.T) {
	for _, row := range []struct{ file, text, want string }{
		{"ca.pem", "x", "not in PEM form"},
		{"ca.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "x509"},
		{"ca-key.pem", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "ca-key.pem"},
		{"ca-key.pem", "", "not the key of ca.pem"},
	} {
		dir, other := t.TempDir(), t.TempDir()
		for _, d := range []string{dir, other} {
			if _, err := intercept.OpenAuthority(d, time.Now); err != nil {
				t.Fatal(err)
			}
		}
		text := []byte(row.text)
		if row.text == "" {
			raw, err := os.ReadFile(filepath.Join(other, row.file))
			if err != nil {
				t.Fatal(err)
			}
			text = raw
		}
		path := filepath.Join(dir, row.file)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := intercept.OpenAuthority(dir, time.Now); err == nil || !strings.Contains(err.Error(), row.want) || !strings.Contains(err.Error(), "remove ca.pem and ca-key.pem") {
			t.Errorf("%s: %v, want %s", row.file, err, row.want)
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != string(text) {
			t.Errorf("%s was changed: %v", row.file, err)
		}
	}
}
