package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/emulator"
)

// service is an embedded Konnect behind HTTP that counts requests.
type service struct {
	t   *testing.T
	url string

	mutex         sync.Mutex
	now           time.Time
	reads, writes int
	// before is called with every request before it is answered.
	before func(*http.Request)
	// answered gets a value for every answer to a create; nil is for nobody.
	answered chan struct{}
}

func newService(t *testing.T, c *console) *service {
	t.Helper()
	cat, err := c.factory.catalog()
	if err != nil {
		t.Fatal(err)
	}
	s := &service{t: t, now: testTime}
	konnect, err := emulator.New(cat, emulator.Options{Clock: s.clock})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mutex.Lock()
		if r.Method == http.MethodGet {
			s.reads++
		} else {
			s.writes++
		}
		before := s.before
		s.mutex.Unlock()
		if before != nil {
			before(r)
		}
		konnect.ServeHTTP(w, r)
		if s.answered != nil && r.Method == http.MethodPost {
			s.answered <- struct{}{}
		}
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	c.env["KONGCTL_KONNECT_BASE_URL"], c.env["KONGCTL_KONNECT_PAT"] = s.url, "kpat_test"
	return s
}

func (s *service) clock() time.Time {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.now
}

// pass lets time go by.
func (s *service) pass(d time.Duration) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.now = s.now.Add(d)
}

// console is a new command line that shares the service's time: waiting takes
// none.
func (s *service) console(c *console) *console {
	s.pass(time.Second)
	next := c.again().real()
	next.factory.world.now = s.clock
	next.factory.world.after = func(d time.Duration) <-chan time.Time {
		s.pass(d)
		done := make(chan time.Time, 1)
		done <- s.clock()
		return done
	}
	return next
}

// counted returns how many requests came since the last call.
func (s *service) counted() (reads, writes int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	defer func() { s.reads, s.writes = 0, 0 }()
	return s.reads, s.writes
}

// send asks Konnect directly, as another tool would, and is not counted.
func (s *service) send(method, path, body string) string {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer x")
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(emulator.LocalHeader, "1")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= http.StatusMultipleChoices {
		s.t.Fatalf("%s %s: %s: %s (%v)", method, path, res.Status, raw, err)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if method == http.MethodGet {
		s.reads--
	} else {
		s.writes--
	}
	return string(raw)
}

// id finds the id of the only resource of a list.
func (s *service) id(path string) string {
	s.t.Helper()
	_, rest, found := strings.Cut(s.send(http.MethodGet, path, ""), `"id":"`)
	id, _, _ := strings.Cut(rest, `"`)
	if !found {
		s.t.Fatalf("nothing in %s", path)
	}
	return id
}

// person answers a question after doing something else.
type person struct{ meanwhile func() }

func (p person) Read(b []byte) (int, error) { p.meanwhile(); return copy(b, "y\n"), io.EOF }

const (
	waitingWas  = "portals: [{ref: dev, name: dev, description: a, pages: [{slug: home, content: x}]}, {ref: gone, name: gone, description: a}]\n"
	waitingWant = "portals: [{ref: dev, name: dev, description: b, pages: []}]\n"
)

// TestWorldThatChangesAtThePrompt: what changes while the question stands is
// not overwritten.
func TestWorldThatChangesAtThePrompt(t *testing.T) {
	for name, tt := range map[string]struct {
		path, method, body string
		say                string
		below              string
	}{
		"settings of what is deleted":         {"/v3/portals?filter[name][eq]=gone", http.MethodPatch, `{"css":"b{}"}`, "portal customization was changed", "/customization"},
		"a manual fix":                        {"/v3/portals?filter[name][eq]=dev", http.MethodPatch, `{"description":"fixed"}`, "description: planned from a, now is fixed", ""},
		"what is deleted was protected":       {"/v3/portals?filter[name][eq]=gone", http.MethodPatch, `{"labels":{"KONGCTL-namespace":"default","KONGCTL-protected":"true"}}`, `portal "gone": it was changed`, ""},
		"what is deleted was handed over":     {"/v3/portals?filter[name][eq]=gone", http.MethodPatch, `{"labels":{"KONGCTL-namespace":"other"}}`, `portal "gone": it was changed`, ""},
		"what is updated is not managed now":  {"/v3/portals?filter[name][eq]=dev", http.MethodPatch, `{"labels":{"KONGCTL-namespace":null}}`, `portal "dev": it was changed`, ""},
		"the parent of a child was protected": {"/v3/portals?filter[name][eq]=dev", http.MethodPatch, `{"labels":{"KONGCTL-namespace":"default","KONGCTL-protected":"true"}}`, "has been protected", ""},
		"what is updated is gone":             {"/v3/portals?filter[name][eq]=dev", http.MethodDelete, "", `portal "dev": it does not exist any more`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c := newConsole(t).real()
			c.env["TERM"] = "dumb"
			s := newService(t, c)
			c.write("was.yaml", waitingWas)
			c.write("want.yaml", waitingWant)
			c.want(exitDone, "sync", "-f", "was.yaml", "--auto-approve")

			c = c.again().real()
			now := testTime
			c.factory.world.now = func() time.Time { return now }
			c.atTerminal("")
			c.factory.world.streams.in = person{func() {
				path, _, _ := strings.Cut(tt.path, "?")
				s.send(tt.method, path+"/"+s.id(tt.path)+tt.below, tt.body)
				now = now.Add(6 * time.Second)
				s.counted()
			}}
			c.want(exitMoved, "sync", "-f", "want.yaml")
			contains(t, "standard error", c.err, "Konnect has changed since this plan was created; nothing was changed", tt.say)
			if _, writes := s.counted(); writes > 0 {
				t.Errorf("%d writes", writes)
			}
		})
	}
}

// TestQuickAnswer: an answer within a few seconds costs no more reads, and a
// late one no more than the lists.
func TestQuickAnswer(t *testing.T) {
	for _, row := range []struct {
		after time.Duration
		reads bool
	}{{4 * time.Second, false}, {6 * time.Second, true}} {
		c := newConsole(t).real()
		c.env["TERM"] = "dumb"
		s := newService(t, c)
		c.write("was.yaml", waitingWas)
		c.write("want.yaml", waitingWant)
		c.want(exitDone, "sync", "-f", "was.yaml", "--auto-approve")

		c = c.again().real()
		now := testTime
		c.factory.world.now = func() time.Time { return now }
		c.atTerminal("")
		c.factory.world.streams.in = person{func() { now = now.Add(row.after); s.counted() }}
		c.want(exitDone, "sync", "-f", "want.yaml")
		reads, writes := s.counted()
		if (reads > 0) != row.reads || writes != 3 {
			t.Errorf("after %s: %d reads and %d writes", row.after, reads, writes)
		}
	}
}

// TestSlowRun: in one process, too, a write that comes long after the read is
// preceded by another look.
func TestSlowRun(t *testing.T) {
	for _, row := range []struct {
		onDrift      string
		want, writes int
	}{{"abort", exitMoved, 0}, {"skip", exitPartial, 1}} {
		c := newConsole(t).real()
		s := newService(t, c)
		c.write("was.yaml", "portals: [{ref: a, name: a, description: a}]\nteams: [{ref: t, name: t, description: a}, {ref: u, name: u, description: a}]\n")
		c.write("want.yaml", "portals: [{ref: a, name: a, description: b}]\nteams: [{ref: t, name: t, description: b}, {ref: u, name: u, description: b}]\n")
		c.want(exitDone, "sync", "-f", "was.yaml", "--auto-approve")

		c = c.again().real()
		var mutex sync.Mutex
		now := testTime
		c.factory.world.now = func() time.Time { mutex.Lock(); defer mutex.Unlock(); return now }
		team := s.id("/v3/teams?filter[name][eq]=t")
		s.before = func(r *http.Request) {
			if r.Method != http.MethodPatch || !strings.HasPrefix(r.URL.Path, "/v3/portals/") {
				return
			}
			s.mutex.Lock()
			s.before = nil
			s.mutex.Unlock()
			s.send(http.MethodPatch, "/v3/teams/"+team, `{"description":"fixed"}`)
			s.counted()
			mutex.Lock()
			now = now.Add(time.Minute)
			mutex.Unlock()
		}
		c.want(row.want, "sync", "-f", "want.yaml", "--auto-approve", "--max-concurrency", "1", "--on-drift", row.onDrift)
		reads, writes := s.counted()
		if reads != 1 || writes != row.writes {
			t.Errorf("%s: %d reads and %d writes after the change", row.onDrift, reads, writes)
		}
		if got := s.send(http.MethodGet, "/v3/teams/"+team, ""); !strings.Contains(got, `"description":"fixed"`) {
			t.Errorf("the manual fix was overwritten: %s", got)
		}
		contains(t, "standard error", c.err, "it was changed")
	}
}
