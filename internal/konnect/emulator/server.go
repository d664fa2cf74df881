// Package emulator is the embedded Konnect: the contract and the catalog made
// into an HTTP handler with state.
//
// In: HTTP requests, a Store, a clock and a maker of ids. Out: what Konnect
// would answer, checked against the contract. It serves every type of the
// catalog with no code per type; what the contract cannot say stands in the
// table of behaviour.go. It must never import the engine that it is the other
// side of (config, target, plan, execute…).
package emulator

import (
	"context"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"kongctl/internal/clock"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/konnect/emulator/store"
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
	// Version is told by /__local/health.
	Version string
	// Faults are made on purpose.
	Faults Faults
	// Sleep waits for the latency of faults, or until the context ends.
	Sleep func(context.Context, time.Duration) error
	Log   *slog.Logger
}

// Server is the embedded Konnect, safe for concurrent use.
type Server struct {
	cat      *catalog.Catalog
	contract *contract.Contract
	o        Options
	actions  map[*contract.Operation]*action
	conducts map[string]*conduct
	users    map[string][]usage // by the kind that is used
	fixed    map[string]*fixedAnswer
	beside   []*fixedAnswer  // those that the contract does not know
	global   map[string]bool // kinds of the whole organization
	shapes   sync.Map        // *contract.Schema -> *shape
	requests *requestLog
	traces   atomic.Uint64
	store    *store.Lagging
	faults   atomic.Pointer[injector] // nil for none
	page     *template.Template
	encoders encoders
	nested   map[*contract.Operation]*action
	nesting  sync.Once
	writes   sync.Map // kind -> *contract.Schema, of core entities
	// known is the table of plugins, read when it is first asked for.
	known      map[string]*pluginSchema
	reading    sync.Once
	pluginText []byte
	answers    sync.Map // *contract.Operation -> *atomic.Uint64, how many there were
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
	lagging := store.NewLagging(o.Store, o.Clock)
	o.Store = lagging
	s := &Server{
		cat: cat, contract: cat.Contract, o: o,
		actions: actions(cat), conducts: conducts(behaviours()), fixed: byOperation(fixedAnswers()),
		global: map[string]bool{}, requests: newRequestLog(), store: lagging, page: newPage(),
		pluginText: pluginText,
	}
	for _, f := range s.fixed {
		if f.beside {
			s.beside = append(s.beside, f)
		}
	}
	s.users = usages(cat, s.conducts)
	for _, b := range cat.All() {
		s.global[b.Kind] = global(b)
	}
	s.global[organizationKind] = true
	if err := s.settle(); err != nil {
		return nil, err
	}
	if err := s.seed(); err != nil {
		return nil, err
	}
	if err := s.SetFaults(o.Faults); err != nil {
		return nil, err
	}
	return s, nil
}

// answer is what a request that is not refused gets.
type answer struct {
	status int
	body   any // nil for none
}

// ServeHTTP answers one request and notes it in the request log.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, localPrefix) {
		s.serveLocal(w, r)
		return
	}
	if r.URL.Path == pagePath {
		s.servePage(w, r)
		return
	}
	start := s.o.Clock()
	rec := &statusWriter{ResponseWriter: w}
	op, fault := "", ""
	if f := s.faults.Load(); f != nil {
		op, fault = s.serveFaulty(rec, r, f)
	} else {
		op = s.serve(rec, r, nil)
	}
	s.requests.note(op, entry{
		Time: start.UTC(), Method: r.Method, Path: r.URL.Path, Status: rec.status,
		Duration: s.o.Clock().Sub(start).String(), Fault: fault,
	})
	if cuts(fault) {
		panic(http.ErrAbortHandler)
	}
}

type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// serve returns the key of the operation that the request is, or "". What is not
// nil may spoil a good answer.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, spoil func(http.Header, *call, answer) answer) string {
	if err := s.store.Usable(); err != nil {
		s.writeError(w, r, err)
		return ""
	}
	if f, params := s.besideAnswer(r); f != nil {
		s.writeBeside(w, r, f, params)
		return f.operation
	}
	c, err := s.route(r)
	var a answer
	if err == nil {
		a, err = s.run(c)
	}
	key := ""
	if c != nil && c.op != nil {
		key = c.key()
	}
	if err != nil {
		s.writeError(w, r, err)
		return key
	}
	s.check(c, a)
	if spoil != nil {
		a = spoil(w.Header(), c, a)
	}
	s.writeAnswer(w, a)
	return key
}

func (s *Server) writeError(w http.ResponseWriter, r *http.Request, err error) {
	var p *problem
	if !errors.As(err, &p) {
		s.o.Log.ErrorContext(r.Context(), "request", slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.String("error", err.Error()))
		p = refuse(http.StatusInternalServerError, "%v", err)
		if errors.Is(err, store.ErrBroken) {
			p = refuse(http.StatusServiceUnavailable, "%v", err)
		}
	}
	s.writeRefusal(w, r, p)
}

// writeRefusal answers in the form that the path has for it.
func (s *Server) writeRefusal(w http.ResponseWriter, r *http.Request, p *problem) {
	if body := legacyProblem(p); body != nil && legacy(r.URL.Path) {
		p.headers(w)
		s.writeAnswer(w, answer{p.Status, body})
		return
	}
	s.writeProblem(w, p)
}

// legacy tells the part of the API that has errors of its own form.
func legacy(path string) bool {
	return strings.Contains(path, "/core-entities/") || strings.Contains(path, "/dp-client-certificates")
}

func (s *Server) writeAnswer(w http.ResponseWriter, a answer) {
	if a.body == nil {
		w.WriteHeader(a.status)
		return
	}
	if err := s.encoders.encode(a.body, func(body []byte) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(a.status)
		_, _ = w.Write(body) // the client is gone: nobody is left to be told
	}); err != nil {
		s.writeProblem(w, refuse(http.StatusInternalServerError, "%v", err))
	}
}

// What is checked of the answers when nobody is strict: the first ones of an
// operation, and a few of those that follow.
const (
	checkedFirst = 20
	checkedEvery = 50
)

// sampled tells whether an answer is one of those that are checked.
func (s *Server) sampled(op *contract.Operation) bool {
	if s.o.Strict != nil {
		return true
	}
	n, ok := s.answers.Load(op)
	if !ok {
		n, _ = s.answers.LoadOrStore(op, new(atomic.Uint64))
	}
	count := n.(*atomic.Uint64).Add(1)
	return count <= checkedFirst || count%checkedEvery == 0
}

// check holds our own answer against the contract.
func (s *Server) check(c *call, a answer) {
	op := c.op
	if a.body == nil || !s.sampled(op) {
		return
	}
	body := a.body
	if c.act != nil {
		if field := s.conduct(c.act.b).verbatim; field != "" {
			body = nullFree(body, field, false)
		}
	}
	for _, v := range op.ValidateResponse(statusText(a.status), body) {
		s.o.Log.Error("answer breaks the contract", slog.String("operation", op.Key()), slog.String("problem", v.Error()))
		if s.o.Strict != nil {
			s.o.Strict(op.Key(), v.Error())
		}
	}
}

// nullFree copies an answer without the nulls below a field: the contract does
// not know them.
func nullFree(v any, field string, inside bool) any {
	switch x := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range x {
			if below := inside || k == field; e != nil || !inside {
				out[k] = nullFree(e, field, below)
			}
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = nullFree(e, field, inside)
		}
		return out
	default:
		return v
	}
}

// trace numbers the requests that were refused.
func (s *Server) trace() string {
	return digits(s.traces.Add(1))
}
