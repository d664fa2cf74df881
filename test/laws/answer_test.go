package laws

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/plan"
)

// liar answers one address with something that is no answer to a read.
type liar struct {
	next  http.RoundTripper
	mu    sync.Mutex
	asked []string
	// path is the address; times is how often it still lies.
	path, body string
	times      int
}

func (l *liar) RoundTrip(r *http.Request) (*http.Response, error) {
	l.mu.Lock()
	lies := r.Method == http.MethodGet && l.times > 0 && r.URL.Path == l.path
	if lies {
		l.times--
	}
	if r.Method == http.MethodGet && !slices.Contains(l.asked, r.URL.Path) {
		l.asked = append(l.asked, r.URL.Path)
	}
	l.mu.Unlock()
	if !lies {
		return l.next.RoundTrip(r)
	}
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(l.body)), ContentLength: int64(len(l.body)),
	}, nil
}

// An answer without the resource that was asked for says nothing about it: no plan
// takes it for a resource without values, or for none.
func TestEmptyAnswersChangeNothing(t *testing.T) {
	var tried tally
	afterAll(t, func() {
		t.Logf("%s", &tried)
		if tried.of("read") < 100 || tried.of("failed") < 100 {
			t.Error("too few reads were tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		w := s.w
		s.minimal(s.t)
		text := s.text()
		w.run(w.plan(text, plan.ModeSync))
		l := &liar{next: w.wire.next}
		w.wire.next = l
		w.settled(text, plan.ModeSync)
		for _, path := range slices.Clone(l.asked) {
			if !reads(s.t.Read, path) && !reads(s.t.List, path) {
				continue // of another type
			}
			for _, body := range []string{`{}`, `{"data":null}`, `null`, `{"unknown":"field"}`} {
				if body == `{}` && client.MayBeEmpty(s.t) {
					continue
				}
				for _, times := range []int{1, 100} {
					l.path, l.body, l.times = path, body, times
					tried.add("read", 1)
					p, err := w.attempt(text)
					switch {
					case err != nil:
						tried.add("failed", 1)
					case len(p.Changes) > 0:
						t.Errorf("GET %s answered %d times with %s: the plan has %s", path, times, body, p.Changes[0].ID)
					case times > 1:
						t.Errorf("GET %s answered with %s every time: no error", path, body)
					}
				}
			}
		}
	})
}

// The same holds for the organization: without its id no plan can be carried out.
func TestEmptyAnswersAreNoOrganization(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if id, _, err := w.target.Organization(t.Context()); err != nil || id == "" {
		t.Fatalf("the organization is %q: %v", id, err)
	}
	for _, body := range []string{`{}`, `{"data":null}`, `null`, `[]`, `{"name":"acme"}`, `{"id":null}`, `{"id":""}`, `{"id":7}`} {
		w.wire.next = &liar{next: w.wire.next, path: "/v3/organizations/me", body: body, times: 1}
		var wrong *client.AnswerError
		if id, name, err := w.target.Organization(t.Context()); !errors.As(err, &wrong) {
			t.Errorf("%s is the organization %q, %q: %v", body, id, name, err)
		}
	}
}

// reads reports whether a path is one of an operation.
func reads(op *contract.Operation, path string) bool {
	if op == nil {
		return false
	}
	want, have := strings.Split(op.Path, "/"), strings.Split(path, "/")
	return slices.EqualFunc(want, have, func(w, h string) bool { return w == h || strings.HasPrefix(w, "{") })
}

// attempt makes a plan, or says why that did not work.
func (w *world) attempt(text string) (*plan.Plan, error) {
	w.t.Helper()
	walk := w.loaded(text)
	diags, err := walk.Read(context.Background())
	if err != nil {
		return nil, err
	}
	more, err := walk.Build(context.Background())
	if err != nil {
		return nil, err
	}
	if len(walk.Plan.Changes) == 0 && len(walk.Plan.Errors) > 0 {
		return nil, errors.New(walk.Plan.Errors[0].Message)
	}
	return walk.Plan, append(diags, more...).Err()
}
