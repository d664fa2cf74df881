package emulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
)

// ErrCut is why a request in process has no answer: the connection was cut on
// purpose.
var ErrCut = errors.New("the connection was cut by a fault")

// injector makes faults. Setting faults makes a new one.
type injector struct {
	faultRules
	spec Faults

	mu      sync.Mutex
	counts  map[string]uint64 // requests by operation
	made    map[string]int    // faults by name
	tokens  float64
	counted time.Time
}

// retryAfter is what a fault with status 429 asks for.
const retryAfter = time.Second

func newInjector(spec Faults, rules faultRules) *injector {
	return &injector{faultRules: rules, spec: spec, counts: map[string]uint64{}, made: map[string]int{}, tokens: rules.burst()}
}

// verdict is what happens to one request.
type verdict struct {
	fault  string // its name; "" for none
	status int
	after  bool // the request is carried out
	wait   time.Duration
	slow   time.Duration
	retry  time.Duration
}

// judge decides on a request. The same seed gives the same verdict to the n-th
// request of an operation, whatever happens in between.
func (f *injector) judge(op string, now time.Time) verdict {
	if !f.meant(op) {
		return verdict{}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.counts[op]
	f.counts[op]++
	if wait, ok := f.token(now); !ok {
		f.made[faultRate]++
		return verdict{fault: faultRate, status: http.StatusTooManyRequests, retry: wait}
	}
	v := verdict{wait: f.latency}
	if f.jitter > 0 {
		v.wait += time.Duration((2*chance(f.seed, op, n, 1) - 1) * float64(f.jitter))
	}
	at := chance(f.seed, op, n, 0)
	for _, c := range f.chances {
		if at -= c.probability; at >= 0 {
			continue
		}
		v.fault = c.name
		v.status, v.after = c.status, c.after
		if c.status == http.StatusTooManyRequests {
			v.retry = retryAfter
		}
		if c.name == faultSlow {
			v.slow = slowPause
		}
		if !ofLists(c.name) { // others are counted when they are made
			f.made[c.name]++
		}
		break
	}
	return v
}

// token takes one from the bucket, or says how long it takes until there is one.
func (f *injector) token(now time.Time) (time.Duration, bool) {
	if f.rate == 0 {
		return 0, true
	}
	if !f.counted.IsZero() {
		f.tokens = min(f.burst(), f.tokens+f.rate*now.Sub(f.counted).Seconds())
	}
	f.counted = now
	if f.tokens < 1 {
		return time.Duration((1 - f.tokens) / f.rate * float64(time.Second)), false
	}
	f.tokens--
	return 0, true
}

// chance is a number from 0 to 1 that depends on all of its arguments and on
// nothing else.
func chance(seed uint64, op string, n, what uint64) float64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(op)) // a hash takes everything
	x := mix(seed ^ mix(h.Sum64()^mix(n^mix(what))))
	return float64(x>>11) / (1 << 53)
}

// mix spreads the bits of a number (the finalizer of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// tally is how often each fault was made.
func (f *injector) tally() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make(map[string]int, len(f.made))
	for k, n := range f.made {
		out[k] = n
	}
	return out
}

// FaultHeader names, in an answer, the fault that made it: such an answer is
// not one that the service promises.
const FaultHeader = "X-Kongctl-Fault"

// serveFaulty answers a request as the faults say, and returns the key of its
// operation and the name of the fault.
func (s *Server) serveFaulty(w http.ResponseWriter, r *http.Request, f *injector) (op, fault string) {
	if o, _, _ := s.contract.Match(r.Method, r.URL.EscapedPath()); o != nil {
		op = o.Key()
	} else if f, _ := s.m.Beside(r.Method, r.URL.EscapedPath()); f != nil {
		op = f.Operation
	} else if o, _ := s.m.Patchable(r.URL.EscapedPath()); o != nil && r.Method == http.MethodPatch {
		op = http.MethodPatch + " " + o.Path
	}
	v := f.judge(op, s.o.Clock())
	if s.pause(r, v.wait+v.slow) != nil {
		return op, v.fault // the client is gone
	}
	switch {
	case ofLists(v.fault):
		return s.serveList(w, r, f, v.fault)
	case v.status != 0:
		if v.after {
			s.serve(&discard{header: http.Header{}}, r, nil)
		}
		p := model.Refuse(v.status, "Injected fault: %s", v.fault)
		p.Retry = v.retry
		w.Header().Set(FaultHeader, v.fault)
		s.reply.refusal(w, r, p)
		return op, v.fault
	case v.fault == faultCutBefore:
		unsent(r.Context())
		return op, v.fault
	case v.fault == faultCutAfter:
		return s.serve(&discard{header: http.Header{}}, r, nil), v.fault
	default:
		return s.serve(w, r, nil), v.fault
	}
}

// spoil notes in a call the faults that are not a matter of chance, by the names
// of the operation for writes and for reads.
func (s *Server) spoil(c *model.Call, write, read string) {
	if f := s.faults.Load(); f != nil {
		c.NoUnique = f.noUnique && f.meant(write)
		c.Past = f.lag > 0 && f.meant(read)
	}
}

// pause waits before a request is handled. Its body is read first: until then
// nobody notices that a client has gone.
func (s *Server) pause(r *http.Request, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	raw, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return err
	}
	r.Body = io.NopCloser(bytes.NewReader(raw))
	return s.o.Sleep(r.Context(), d)
}

// cuts reports whether a fault leaves a request without an answer.
func cuts(fault string) bool { return fault == faultCutBefore || fault == faultCutAfter }

// discard takes an answer that nobody gets.
type discard struct{ header http.Header }

// Header is what the handler sets.
func (d *discard) Header() http.Header { return d.header }

// WriteHeader takes the status.
func (d *discard) WriteHeader(int) {}

// Write takes the body.
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }

// SetFaults changes what goes wrong on purpose, from now on.
func (s *Server) SetFaults(spec Faults) error {
	rules, err := spec.parse(s.contract)
	if err != nil {
		return err
	}
	if rules.seed == 0 {
		rules.seed = mix(uint64(s.o.Clock().UnixNano()))>>12 + 1 // a number that JSON keeps
		spec.Seed = rules.seed
	}
	if err := s.store.SetLag(rules.lag); err != nil {
		return err
	}
	if rules.none() {
		s.faults.Store(nil)
		return nil
	}
	s.faults.Store(newInjector(spec, rules))
	return nil
}

// FaultReport is the faults that are set, and how often each was made.
type FaultReport struct {
	Faults
	Made map[string]int `json:"made"`
}

// Faults returns what goes wrong on purpose.
func (s *Server) Faults() FaultReport {
	f := s.faults.Load()
	if f == nil {
		return FaultReport{Made: map[string]int{}}
	}
	return FaultReport{f.spec, f.tally()}
}

// putFaults sets faults for a client.
func (s *Server) putFaults(w http.ResponseWriter, r *http.Request) {
	if err := owner(r); err != nil {
		s.reply.error(w, r, err)
		return
	}
	var spec Faults
	dec := json.NewDecoder(io.LimitReader(r.Body, maxBody))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&spec); err != nil {
		s.reply.error(w, r, model.Bad("body", "", "invalid", err.Error()))
		return
	}
	if err := s.SetFaults(spec); err != nil {
		s.reply.error(w, r, model.Bad("body", "", "invalid", err.Error()))
		return
	}
	s.reply.answer(w, model.Answer{Status: http.StatusOK, Body: s.Faults()})
}
