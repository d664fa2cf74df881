package emulator_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/test/witness"
)

// bench is an embedded Konnect in process, whose time is moved by hand.
type bench struct {
	t      *testing.T
	srv    *emulator.Server
	mu     sync.Mutex
	now    time.Time
	sleeps []time.Duration
}

func newBench(t *testing.T, f emulator.Faults) *bench {
	t.Helper()
	cat, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	b.srv, err = emulator.New(cat, emulator.Options{
		Clock: func() time.Time { b.mu.Lock(); defer b.mu.Unlock(); return b.now }, Faults: f,
		Sleep: func(_ context.Context, d time.Duration) error {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.sleeps = append(b.sleeps, d)
			return nil
		},
		Strict: func(op, problem string) { t.Errorf("%s answers against the contract: %s", op, problem) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) advance(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = b.now.Add(d)
}

// ask returns the status, the body and the header of an answer; 0 where the
// connection was cut.
func (b *bench) ask(method, path, body string) (int, string, http.Header) {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), method, "http://localhost"+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer x")
	req.Header.Set("Content-Type", "application/json")
	third, err := witness.New(b.t, &refused)
	if err != nil {
		b.t.Fatal(err)
	}
	resp, err := emulator.Transport(third.Refusals(b.srv)).RoundTrip(req)
	if errors.Is(err, emulator.ErrCut) {
		return 0, "", nil
	}
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return resp.StatusCode, string(raw), resp.Header
}

func (b *bench) status(method, path, body string) int {
	b.t.Helper()
	status, _, _ := b.ask(method, path, body)
	return status
}

// portals is how many portals a list shows.
func (b *bench) portals() int {
	b.t.Helper()
	status, body, _ := b.ask(http.MethodGet, "/v3/portals", "")
	if status != http.StatusOK {
		b.t.Fatalf("list: %d %s", status, body)
	}
	return strings.Count(body, `"canonical_domain"`)
}

func TestFaultsInWords(t *testing.T) {
	cat, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name   string
		faults emulator.Faults
		tell   string
	}{
		{"none", emulator.Faults{}, ""},
		{"all", emulator.Faults{Latency: "30ms±10ms", Fault: "429:0.05,500:0.01,cut-before:0.01,cut-after:0.01,slow:0.01", Rate: "50/s", Lag: "200ms", Seed: 1, On: []string{"POST /v3/apis"}}, ""},
		{"without a key for ±", emulator.Faults{Latency: "30ms+-10ms"}, ""},
		{"a rate of a minute", emulator.Faults{Rate: "2000/m"}, ""},
		{"an operation in small letters and with spaces", emulator.Faults{On: []string{" get  /v3/portals/{portalId} "}}, ""},
		{"chances that fill all", emulator.Faults{Fault: "500:0.1,501:0.2,502:0.3,503:0.4"}, ""},
		{"a latency without a unit", emulator.Faults{Latency: "30"}, `latency: "30" is no time`},
		{"a jitter beyond the latency", emulator.Faults{Latency: "10ms±20ms"}, "latency: "},
		{"a fault without a probability", emulator.Faults{Fault: "500"}, "fault: "},
		{"a probability beyond 1", emulator.Faults{Fault: "500:1.5"}, "from 0 to 1"},
		{"a probability that is none", emulator.Faults{Fault: "500:NaN"}, "from 0 to 1"},
		{"chances beyond 1", emulator.Faults{Fault: "500:0.7,429:0.7"}, "more than 1"},
		{"an unknown fault", emulator.Faults{Fault: "explode:0.1"}, `unknown fault "explode"`},
		{"an error before that comes after", emulator.Faults{Fault: "400-after:0.1"}, `unknown fault "400-after"`},
		{"names that are unique by chance", emulator.Faults{Fault: "no-unique:0.5"}, "no-unique takes no probability"},
		{"a status that is no error", emulator.Faults{Fault: "200:0.1"}, `unknown fault "200"`},
		{"a rate without a unit", emulator.Faults{Rate: "50"}, `rate: "50" is no rate`},
		{"a rate of nothing", emulator.Faults{Rate: "0/s"}, "rate: "},
		{"a negative lag", emulator.Faults{Lag: "-1s"}, "lag: "},
		{"an unknown operation", emulator.Faults{On: []string{"POST /v3/nothing"}}, `fault-on: "POST /v3/nothing" is no operation`},
	} {
		t.Run(row.name, func(t *testing.T) {
			err := row.faults.Check(cat.Contract)
			if (row.tell == "") != (err == nil) || (err != nil && !strings.Contains(err.Error(), row.tell)) {
				t.Errorf("error %v, want %q", err, row.tell)
			}
		})
	}
}

func TestStatusFaults(t *testing.T) {
	b := newBench(t, emulator.Faults{Fault: "429:1", On: []string{"POST /v3/portals"}})
	status, body, header := b.ask(http.MethodPost, "/v3/portals", `{"name":"p"}`)
	if status != http.StatusTooManyRequests || header.Get("Retry-After") != "1" || header.Get("Content-Type") != "application/problem+json" || !strings.Contains(body, `"status":429`) {
		t.Errorf("%d %v %s", status, header, body)
	}
	if n := b.portals(); n != 0 {
		t.Errorf("the request was carried out: %d portals", n)
	}
	if b.status(http.MethodPost, "/v3/apis", `{"name":"a"}`) != http.StatusCreated {
		t.Error("another operation fails too")
	}
}

// Whatever fails on purpose has the form that the contract has for the status: for every
// operation and every status that it has, by a witness.
func TestStatusFaultsHaveTheFormOfTheContract(t *testing.T) {
	cat, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, status := range []string{"400", "401", "403", "404", "409", "410", "412", "415", "429", "500", "503"} {
		b := newBench(t, emulator.Faults{Fault: status + ":1"})
		for _, op := range cat.Contract.Operations() {
			if !slices.Contains(op.Statuses, status) {
				continue
			}
			tried++
			params := map[string]string{}
			for _, name := range op.PathParams() {
				params[name] = idA
			}
			path, err := op.Expand(params)
			if err != nil {
				t.Fatal(err)
			}
			if _, answer, _ := b.ask(op.Method, path, "{}"); !strings.Contains(answer, status) {
				t.Errorf("%s: %s", op.Key(), answer)
			}
		}
	}
	if tried < 1500 {
		t.Errorf("%d were tried", tried)
	}
}

// Core entities fail in the form in which they refuse: their clients show no
// other.
func TestStatusFaultsOfCoreEntities(t *testing.T) {
	b := newBench(t, emulator.Faults{Fault: "503:1"})
	status, body, header := b.ask(http.MethodGet, "/v2/control-planes/"+idA+"/core-entities/services", "")
	if status != http.StatusServiceUnavailable || header.Get(emulator.FaultHeader) == "" || !strings.Contains(body, `"message":"Injected fault: `) {
		t.Errorf("%d %v %s", status, header, body)
	}
}

// Chance is the same with the same seed, whatever other operations do.
func TestFaultsAreRepeatable(t *testing.T) {
	run := func(seed uint64, between bool) string {
		b := newBench(t, emulator.Faults{Fault: "500:0.2,429:0.1,cut-after:0.1", Seed: seed})
		var out strings.Builder
		for range 60 {
			fmt.Fprint(&out, b.status(http.MethodGet, "/v3/portals", ""), " ")
			if between {
				b.status(http.MethodGet, "/v3/apis", "")
			}
		}
		return out.String()
	}
	first := run(7, false)
	if diff := cmp.Diff(first, run(7, true)); diff != "" {
		t.Errorf("the same seed gives others:\n%s", diff)
	}
	if first == run(8, false) {
		t.Error("another seed gives the same")
	}
	for _, want := range []string{"500", "429", "0 ", "200"} {
		if !strings.Contains(first, want) {
			t.Errorf("%q never came: %s", want, first)
		}
	}
}

func TestFaultsComeAsOftenAsAsked(t *testing.T) {
	b := newBench(t, emulator.Faults{Fault: "429:0.05,500:0.2,slow:0.1", Seed: 3})
	const n = 2000
	for range n {
		b.status(http.MethodGet, "/v3/users/me", "")
	}
	made := b.srv.Faults().Made
	for fault, p := range map[string]float64{"429": 0.05, "500": 0.2, "slow": 0.1} {
		if got := float64(made[fault]) / n; got < p*0.7 || got > p*1.3 {
			t.Errorf("%s came in %.3f of requests, want %.3f", fault, got, p)
		}
	}
}

func TestLatency(t *testing.T) {
	b := newBench(t, emulator.Faults{Latency: "30ms±10ms"})
	for range 50 {
		b.status(http.MethodGet, "/v3/users/me", "")
	}
	low, high := b.sleeps[0], b.sleeps[0]
	for _, d := range b.sleeps {
		low, high = min(low, d), max(high, d)
	}
	if low < 20*time.Millisecond || high > 40*time.Millisecond || high-low < 5*time.Millisecond {
		t.Errorf("from %v to %v", low, high)
	}
	b = newBench(t, emulator.Faults{Latency: "30ms", Fault: "slow:1"})
	if b.status(http.MethodGet, "/v3/users/me", "") != http.StatusOK || b.sleeps[0] < time.Second {
		t.Errorf("a slow answer took %v", b.sleeps)
	}
}

func TestRate(t *testing.T) {
	b := newBench(t, emulator.Faults{Rate: "5/s"})
	answered := func(n int) (ok int, last http.Header) {
		for range n {
			status, _, header := b.ask(http.MethodGet, "/v3/users/me", "")
			if last = header; status == http.StatusOK {
				ok++
			} else if status != http.StatusTooManyRequests {
				t.Fatalf("status %d", status)
			}
		}
		return ok, last
	}
	ok, last := answered(8)
	if ok != 5 || last.Get("Retry-After") != "1" || last.Get("Content-Type") != "application/problem+json" {
		t.Errorf("%d were answered, the last with %v", ok, last)
	}
	b.advance(400 * time.Millisecond)
	if ok, _ := answered(8); ok != 2 {
		t.Errorf("after 0.4 s %d were answered, want 2", ok)
	}
	b.advance(time.Minute)
	if ok, _ := answered(8); ok != 5 {
		t.Errorf("after a pause %d were answered, want 5", ok)
	}
	b = newBench(t, emulator.Faults{Rate: "2/m"})
	b.ask(http.MethodGet, "/v3/users/me", "")
	if _, _, header := b.ask(http.MethodGet, "/v3/users/me", ""); header.Get("Retry-After") != "30" {
		t.Errorf("of 2 a minute the second has to wait for %s s", header.Get("Retry-After"))
	}
}

func TestLag(t *testing.T) {
	b := newBench(t, emulator.Faults{Lag: "200ms"})
	_, body, _ := b.ask(http.MethodPost, "/v3/portals", `{"name":"p"}`)
	id := field(t, body, "id")
	if b.portals() != 0 || b.status(http.MethodGet, "/v3/portals/"+id, "") != http.StatusNotFound {
		t.Error("a read sees a write at once")
	}
	if status, body, _ := b.ask(http.MethodPatch, "/v3/portals/"+id, `{"description":"new"}`); status != http.StatusOK || field(t, body, "description") != "new" {
		t.Errorf("the writer's own answer: %d %s", status, body)
	}
	b.advance(150 * time.Millisecond)
	b.ask(http.MethodPatch, "/v3/portals/"+id, `{"description":"newer"}`)
	b.advance(50 * time.Millisecond)
	_, body, _ = b.ask(http.MethodGet, "/v3/portals/"+id, "")
	if field(t, body, "description") != "new" {
		t.Errorf("after the lag of the first change: %s", body)
	}
	b.ask(http.MethodDelete, "/v3/portals/"+id, "")
	if b.portals() != 1 {
		t.Error("a read sees a deletion at once")
	}
	if err := b.srv.SetFaults(emulator.Faults{}); err != nil {
		t.Fatal(err)
	}
	if b.portals() != 0 {
		t.Error("the past is shown without a lag")
	}
	b.ask(http.MethodPost, "/v3/portals", `{"name":"q"}`)
	if err := b.srv.SetFaults(emulator.Faults{Lag: "1h", On: []string{"GET /v3/portals"}}); err != nil {
		t.Fatal(err)
	}
	_, body, _ = b.ask(http.MethodPost, "/v3/portals", `{"name":"r"}`)
	if b.portals() != 1 {
		t.Error("the past does not begin with what was there")
	}
	if b.status(http.MethodGet, "/v3/portals/"+field(t, body, "id"), "") != http.StatusOK {
		t.Error("another operation lags too")
	}
}

func field(t *testing.T, body, name string) string {
	t.Helper()
	_, rest, ok := strings.Cut(body, `"`+name+`":"`)
	if !ok {
		t.Fatalf("no %s in %s", name, body)
	}
	text, _, _ := strings.Cut(rest, `"`)
	return text
}

// A connection that is cut has no answer; whether the request was carried out
// differs, and in process the client's trace tells.
func TestCuts(t *testing.T) {
	for _, row := range []struct {
		fault string
		done  int
		sent  bool
	}{{"cut-before", 0, false}, {"cut-after", 1, true}} {
		t.Run(row.fault+" in process", func(t *testing.T) {
			b := newBench(t, emulator.Faults{Fault: row.fault + ":1", On: []string{"POST /v3/portals"}})
			var connected, wrote bool
			ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
				GetConn:          func(string) { connected = true },
				WroteHeaderField: func(string, []string) { wrote = true },
			})
			err := post(ctx, emulator.Transport(b.srv), "http://localhost/v3/portals")
			if !errors.Is(err, emulator.ErrCut) || !connected || wrote != row.sent {
				t.Errorf("error %v, connected %v, wrote %v", err, connected, wrote)
			}
			if n := b.portals(); n != row.done {
				t.Errorf("%d portals, want %d", n, row.done)
			}
		})
		t.Run(row.fault+" over a socket", func(t *testing.T) {
			b := newBench(t, emulator.Faults{Fault: row.fault + ":1", On: []string{"POST /v3/portals"}})
			h := httptest.NewServer(b.srv)
			defer h.Close()
			if err := post(t.Context(), h.Client().Transport, h.URL+"/v3/portals"); !errors.Is(err, io.EOF) {
				t.Errorf("error %v", err)
			}
			if n := b.portals(); n != row.done {
				t.Errorf("%d portals, want %d", n, row.done)
			}
			if _, body, _ := b.ask(http.MethodGet, "/__local/requests", ""); !strings.Contains(body, `"fault":"`+row.fault+`"`) {
				t.Errorf("the log does not tell: %s", body)
			}
		})
	}
}

func post(ctx context.Context, rt http.RoundTripper, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(`{"name":"p"}`))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer x")
	req.Header.Set("Content-Type", "application/json")
	resp, err := rt.RoundTrip(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// A client that gives up is not kept waiting.
func TestLatencyEndsWithItsRequest(t *testing.T) {
	cat, err := loadCatalog()
	if err != nil {
		t.Fatal(err)
	}
	srv, err := emulator.New(cat, emulator.Options{Faults: emulator.Faults{Latency: "1h"}})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(srv)
	defer h.Close() // waits for the handler
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := post(ctx, h.Client().Transport, h.URL+"/v3/portals"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestFaultsAtRunTime(t *testing.T) {
	b := newBench(t, emulator.Faults{})
	put := func(body string, header ...string) int {
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPut, "http://localhost/__local/faults", strings.NewReader(body))
		req.RemoteAddr = "127.0.0.1:1"
		for i := 0; i+1 < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		if len(header) > 2 {
			req.RemoteAddr = header[3]
		}
		w := httptest.NewRecorder()
		b.srv.ServeHTTP(w, req)
		return w.Code
	}
	all := `{"fault":"500:1","lag":"1s","latency":"1ms","rate":"100/s","seed":5}`
	if got := put(all); got != http.StatusForbidden {
		t.Errorf("without the header: %d", got)
	}
	if got := put(all, emulator.LocalHeader, "1", "X-From", "192.0.2.1:1"); got != http.StatusForbidden {
		t.Errorf("from another machine: %d", got)
	}
	for _, wrong := range []string{`{"fault":"x"}`, `{"colour":"red"}`, `nonsense`} {
		if got := put(wrong, emulator.LocalHeader, "1"); got != http.StatusBadRequest {
			t.Errorf("%s: %d", wrong, got)
		}
	}
	if b.status(http.MethodGet, "/v3/portals", "") != http.StatusOK {
		t.Error("faults that were refused are made")
	}
	if got := put(all, emulator.LocalHeader, "1"); got != http.StatusOK {
		t.Fatalf("set: %d", got)
	}
	if got := b.status(http.MethodGet, "/v3/portals", ""); got != http.StatusInternalServerError {
		t.Errorf("after setting: %d", got)
	}
	status, body, _ := b.ask(http.MethodGet, "/__local/faults", "")
	if want := `{"latency":"1ms","fault":"500:1","rate":"100/s","lag":"1s","seed":5,"made":{"500":1}}`; status != http.StatusOK || body != want {
		t.Errorf("told: %d %s, want %s", status, body, want)
	}
	for _, path := range []string{"/__local/state", "/__local/requests", "/__local/health"} {
		if got := b.status(http.MethodGet, path, ""); got != http.StatusOK {
			t.Errorf("%s is faulted: %d", path, got)
		}
	}
	if got := put(`{}`, emulator.LocalHeader, "1"); got != http.StatusOK {
		t.Fatalf("clear: %d", got)
	}
	if b.status(http.MethodGet, "/v3/portals", "") != http.StatusOK {
		t.Error("faults that were cleared are made")
	}
}
