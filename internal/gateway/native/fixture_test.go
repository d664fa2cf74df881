//go:build !nonative

package native_test

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/gateway/native"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

const (
	address = "http://127.0.0.1:1"
	token   = "kpat_token"
)

var loadCatalog = sync.OnceValues(catalog.Load)

// plane is a control plane of an embedded Konnect, and a reconciler for it.
type plane struct {
	t        testing.TB
	server   *emulator.Server
	recorder *recorder
	gateway.Reconciler
	id, name string
	log      *testkit.Buffer
}

func newPlane(t testing.TB) *plane {
	t.Helper()
	cat, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	server, err := emulator.New(cat, emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := &plane{t: t, server: server, recorder: &recorder{next: emulator.Transport(server)}, name: "edge", log: &testkit.Buffer{}}
	p.Reconciler = native.New(p.client(nil))
	p.id, _ = p.post("/v2/control-planes", `{"name":"edge"}`)["id"].(string)
	if p.id == "" {
		t.Fatal("no control plane")
	}
	return p
}

func (p *plane) client(change func(*client.Config)) *client.Client {
	p.t.Helper()
	cfg := client.Config{
		BaseURL: address, Token: token, Transport: p.recorder, Clock: testkit.NewClock(testkit.Epoch()),
		Rand: func() float64 { return 0 },
		Log:  slog.New(slog.NewTextHandler(p.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	if change != nil {
		change(&cfg)
	}
	c, err := client.New(cfg)
	if err != nil {
		p.t.Fatal(err)
	}
	return c
}

func (p *plane) post(path, body string) map[string]any {
	p.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, address+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	res, err := emulator.Transport(p.server).RoundTrip(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 300 {
		p.t.Fatalf("POST %s: %d %s %v", path, res.StatusCode, raw, err)
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		p.t.Fatal(err)
	}
	return out
}

// ask is a request with one file.
func (p *plane) ask(mode gateway.Mode, text string) gateway.Request {
	return gateway.Request{
		ControlPlane: gateway.ControlPlane{ID: p.id, Name: p.name}, Mode: mode,
		Files: []gateway.File{{Name: "kong.yaml", Content: []byte("_format_version: \"3.0\"\n" + text)}},
	}
}

func (p *plane) diff(r gateway.Request) []plan.Part {
	p.t.Helper()
	out, err := p.Diff(p.t.Context(), r)
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

func (p *plane) run(r gateway.Request) []plan.Part {
	p.t.Helper()
	out, err := p.Run(p.t.Context(), r)
	if err != nil {
		p.t.Fatal(err)
	}
	return out
}

// settle brings a text about by sync.
func (p *plane) settle(text string) { p.t.Helper(); p.run(p.ask(gateway.Sync, text)) }

// reads are the paths below the control plane's entities that were asked for.
func (p *plane) reads() []string {
	var out []string
	for _, line := range p.recorder.seen() {
		if rest, ok := strings.CutPrefix(line, "GET "); ok {
			out = append(out, rest)
		}
	}
	return out
}

// recorder keeps the requests for a control plane's entities, and can answer in
// place of the service.
type recorder struct {
	next http.RoundTripper
	// intercept answers a request itself, or gives nil to let it through.
	intercept func(r *http.Request) *http.Response

	mu    sync.Mutex
	lines []string
}

func (c *recorder) RoundTrip(r *http.Request) (*http.Response, error) {
	if _, rest, ok := strings.Cut(r.URL.RequestURI(), "/core-entities"); ok {
		c.mu.Lock()
		c.lines = append(c.lines, r.Method+" "+rest)
		c.mu.Unlock()
		if c.intercept != nil {
			if res := c.intercept(r); res != nil {
				return res, nil
			}
		}
	}
	return c.next.RoundTrip(r)
}

func (c *recorder) seen() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(slices.Values(c.lines))
}

func (c *recorder) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = nil
}

// short is a change in one line.
func short(changes []plan.Part) []string {
	var out []string
	for _, c := range changes {
		line := string(c.Action) + " " + c.Kind + " " + c.Name
		if len(c.ChangedFields) > 0 {
			raw, err := json.Marshal(c.ChangedFields)
			if err != nil {
				line += err.Error()
			}
			line += " " + string(raw)
		}
		out = append(out, line)
	}
	return out
}

// selfSigned is a certificate and its key, in PEM form.
func selfSigned(t testing.TB, name string) (cert, key string) {
	t.Helper()
	seed := sha256.Sum256([]byte(name))
	private := ed25519.NewKeyFromSeed(seed[:])
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1<<32, 0),
		IsCA: true, BasicConstraintsValid: true,
	}
	raw, err := x509.CreateCertificate(nil, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}

func der(t testing.TB, cert string) []byte {
	t.Helper()
	block, _ := pem.Decode([]byte(cert))
	if block == nil {
		t.Fatal("not in PEM form")
	}
	return block.Bytes
}

func (p *plane) reconciler(change func(*client.Config)) gateway.Reconciler {
	return native.New(p.client(change))
}

// newPlaneOn is a reconciler that has seen nothing yet.
func newPlaneOn(t testing.TB, p *plane) gateway.Reconciler {
	t.Helper()
	return native.New(p.client(nil))
}
