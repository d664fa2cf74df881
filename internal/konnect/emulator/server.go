// Package emulator is the embedded Konnect: the contract and the catalog made
// into an HTTP handler with state.
//
// In: HTTP requests, a store, a clock and a maker of ids. Out: what Konnect
// would answer, checked against the contract. Package model serves every type of
// the catalog with no code per type; what the contract cannot express about the
// types of a family stands in the file that has the family's name in the
// catalog (portal.go, api.go), for core entities of gateways in package entity.
// It must never import the engine that it is the other side of.
package emulator

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/kongctl/kongctl/internal/clock"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// Options are what a Server takes from its surroundings. All may be left out.
type Options struct {
	// Store keeps the resources; by default they are kept in memory.
	Store store.Store
	Clock func() time.Time
	NewID func() string
	// NewOrganization makes the id of the organization of an empty store.
	NewOrganization func() string
	// Strict is called when an answer of ours breaks the contract. Without it
	// only some answers are checked, and what is found is logged.
	Strict func(op, problem string)
	// Region is where resources are kept of requests that name no region.
	Region string
	// Version is shown by /__local/health.
	Version string
	// Faults are made on purpose.
	Faults Faults
	// Sleep waits for the latency of faults, or until the context ends.
	Sleep func(context.Context, time.Duration) error
	Log   *slog.Logger
}

// Server is the embedded Konnect, safe for concurrent use.
type Server struct {
	o        Options
	cat      *catalog.Catalog
	contract *contract.Contract
	m        *model.Model
	store    *store.Lagging
	audit    audit
	reply    replier
	page     page
	logins   *logins
	requests *requestLog
	faults   atomic.Pointer[injector] // nil for none
}

// New makes a server for the types of a catalog. In an empty store it puts what
// a new organization has.
func New(cat *catalog.Catalog, o Options) (*Server, error) {
	if o.Store == nil {
		o.Store = store.NewMemory()
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.NewID == nil {
		o.NewID = uuid.NewString
	}
	if o.NewOrganization == nil {
		o.NewOrganization = uuid.NewString
	}
	if o.Region == "" {
		o.Region = "us"
	}
	if o.Sleep == nil {
		o.Sleep = clock.Sleep
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	kept := store.NewLagging(o.Store, o.Clock)
	m, err := model.New(cat, families(), model.Options{Store: kept, Clock: o.Clock, NewID: o.NewID, NewOrganization: o.NewOrganization, Region: o.Region})
	if err != nil {
		return nil, err
	}
	s := &Server{
		o: o, cat: cat, contract: cat.Contract, m: m, store: kept, requests: newRequestLog(), logins: newLogins(o.Clock),
		audit: audit{m: m, log: o.Log, strict: o.Strict}, reply: replier{log: o.Log},
	}
	s.page = page{s: s, text: sync.OnceValue(newPage)}
	return s, s.SetFaults(o.Faults)
}

// ServeHTTP answers one request and notes it in the request log.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, localPrefix) {
		s.serveLocal(w, r)
		return
	}
	if r.URL.Path == pagePath {
		s.page.serve(w, r)
		return
	}
	if s.logins.serve(s, w, r) {
		return
	}
	start := s.o.Clock()
	rec := &statusWriter{ResponseWriter: w, received: &excerpt{}}
	sent := watchBody(r)
	op, fault := "", ""
	if f := s.faults.Load(); f != nil {
		op, fault = s.serveFaulty(rec, r, f)
	} else {
		op = s.serve(rec, r, nil)
	}
	s.requests.note(op, entry{
		Time: start.UTC(), Method: r.Method, Path: r.URL.Path, Status: rec.status,
		Duration: s.o.Clock().Sub(start).String(), Fault: fault,
		escaped: r.URL.EscapedPath(), query: r.URL.RawQuery, sent: sent, received: rec.received,
	})
	if cuts(fault) {
		panic(http.ErrAbortHandler)
	}
}

type statusWriter struct {
	http.ResponseWriter
	status   int
	received *excerpt
}

// Write keeps the beginning of the answer.
func (w *statusWriter) Write(p []byte) (int, error) {
	_, _ = w.received.Write(p) // it takes everything
	return w.ResponseWriter.Write(p)
}

// WriteHeader notes the status.
func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// serve answers a request and returns the key of its operation, or "". A spoil
// that is not nil may change a good answer.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, spoil func(http.Header, *model.Call, model.Answer) model.Answer) string {
	if err := s.store.Usable(); err != nil {
		s.reply.error(w, r, err)
		return ""
	}
	if f, params := s.m.Beside(r.Method, r.URL.EscapedPath()); f != nil {
		a, err := s.runBeside(f, params, r)
		if err != nil {
			s.reply.error(w, r, err)
			return f.Operation
		}
		s.reply.answer(w, a)
		return f.Operation
	}
	c, err := s.route(r)
	var a model.Answer
	if err == nil {
		a, err = s.run(c)
	}
	key := ""
	if c != nil && c.Op != nil {
		key = c.Key()
	}
	if err != nil {
		s.reply.error(w, r, err)
		return key
	}
	s.audit.check(c, a)
	if spoil != nil {
		a = spoil(w.Header(), c, a)
	}
	s.reply.answer(w, a)
	return key
}
