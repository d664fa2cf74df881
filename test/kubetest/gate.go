package kubetest

import (
	"crypto/tls"
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
)

// Gate is an address of its own for the API server, and sees what goes through.
type Gate struct {
	handler http.Handler
	addr    string
	ca      string

	mu       sync.Mutex
	server   *httptest.Server
	seen     []Request
	watch    func(Request)
	answered func(Request)
}

// Request is one request as the gate saw it.
type Request struct {
	Method, Path string
	Agent        string // the program, without its version
	DryRun       bool
}

// Write reports whether the request changes something.
func (r Request) Write() bool { return r.Method != http.MethodGet && !r.DryRun }

// Gate opens one; the certificate that it shows is in the file ca.
func (s *Server) Gate(ca string) (*Gate, error) {
	target, err := url.Parse(s.url)
	if err != nil {
		return nil, err
	}
	pool, err := certificates(s.CA())
	if err != nil {
		return nil, err
	}
	g := &Gate{ca: ca}
	proxy := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		FlushInterval: -1,
		ModifyResponse: func(r *http.Response) error {
			g.mu.Lock()
			answered := g.answered
			g.mu.Unlock()
			if answered != nil {
				answered(requestOf(r.Request))
			}
			return nil
		},
		Transport: &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 64,
		},
		ErrorLog: log.New(io.Discard, "", 0),
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) {
			// What the API server does not answer is not answered here either.
			panic(http.ErrAbortHandler)
		},
	}
	g.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.note(r)
		proxy.ServeHTTP(w, r)
	})
	if err := g.Open(); err != nil {
		return nil, err
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: g.server.Certificate().Raw})
	return g, os.WriteFile(ca, cert, 0o600)
}

// Open listens, at the address that the gate had before it was cut.
func (g *Gate) Open() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	server := httptest.NewUnstartedServer(g.handler)
	if g.addr != "" {
		l, err := net.Listen("tcp", g.addr)
		if err != nil {
			return err
		}
		_ = server.Listener.Close() // nobody has seen it
		server.Listener = l
	}
	server.EnableHTTP2, server.Config.ErrorLog = true, log.New(io.Discard, "", 0)
	server.StartTLS()
	g.server, g.addr = server, server.Listener.Addr().String()
	return nil
}

// Cut ends all connections and takes no more until Open is called. It may be
// called while a request is being watched.
func (g *Gate) Cut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	_ = g.server.Listener.Close() // it may be closed already
	go g.server.CloseClientConnections()
}

func requestOf(r *http.Request) Request {
	agent, _, _ := strings.Cut(r.UserAgent(), "/")
	return Request{Method: r.Method, Path: r.URL.Path, Agent: agent, DryRun: r.URL.Query().Has("dryRun")}
}

func (g *Gate) note(r *http.Request) {
	seen := requestOf(r)
	g.mu.Lock()
	g.seen = append(g.seen, seen)
	watch := g.watch
	g.mu.Unlock()
	if watch != nil {
		watch(seen)
	}
}

// Watch has f called with each request before it goes on.
func (g *Gate) Watch(f func(Request)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.watch = f
}

// WatchAnswers has f called with each request that the API server has carried
// out, before the answer goes on.
func (g *Gate) WatchAnswers(f func(Request)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.answered = f
}

// Take returns what went through since the last call, without kubectl's.
func (g *Gate) Take() []Request {
	g.mu.Lock()
	defer g.mu.Unlock()
	var out []Request
	for _, r := range g.seen {
		if r.Agent != "kubectl" {
			out = append(out, r)
		}
	}
	g.seen = nil
	return out
}

// URL is where the gate listens.
func (g *Gate) URL() string { return "https://" + g.addr }

// CA is the file with its certificate.
func (g *Gate) CA() string { return g.ca }

// Close cuts all connections.
func (g *Gate) Close() {
	g.mu.Lock()
	server := g.server
	g.mu.Unlock()
	server.CloseClientConnections()
	server.Close()
}
