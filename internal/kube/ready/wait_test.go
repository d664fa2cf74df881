package ready_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/kube/ready"
)

type missingError struct{}

func (missingError) Error() string { return "not found" }
func (missingError) Missing() bool { return true }

// story is a cluster in which an object changes with every look.
type story struct {
	now    time.Time
	states []*unstructured.Unstructured // nil: it does not exist
	looks  int
	heard  []string
	err    error
}

// wait waits in a time that passes by itself.
func (s *story) wait(timeout time.Duration) ready.Wait {
	return ready.Wait{
		Get: func(context.Context, object.ID) (*unstructured.Unstructured, error) {
			if s.err != nil {
				return nil, s.err
			}
			u := s.states[min(s.looks, len(s.states)-1)]
			s.looks++
			if u == nil {
				return nil, missingError{}
			}
			return u, nil
		},
		Sleep: func(ctx context.Context, d time.Duration) error {
			s.now = s.now.Add(d)
			return ctx.Err()
		},
		Now: func() time.Time { return s.now }, Timeout: timeout,
		Status: func(id object.ID, state ready.State) { s.heard = append(s.heard, fmt.Sprint(id, ": ", state)) },
	}
}

const thingText = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a, namespace: b, uid: u1, generation: 2}\n"

func (s *story) sees(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if text == "" {
			s.states = append(s.states, nil)
			continue
		}
		s.states = append(s.states, thing(t, text))
	}
}

func TestCurrent(t *testing.T) {
	var (
		waits  = thingText + "status: {conditions: [{type: Ready, status: \"False\", message: needs a host}]}"
		works  = thingText + "status: {conditions: [{type: Ready, status: \"True\"}]}"
		failed = thingText + "status: {conditions: [{type: Stalled, status: \"True\", message: no money}]}"
		other  = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a, namespace: b, uid: u2, generation: 2}\n"
		leaves = "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a, namespace: b, uid: u1, generation: 3, deletionTimestamp: \"2026-01-01T00:00:00Z\", finalizers: [example.com/hold]}\n"
	)
	for _, test := range []struct {
		name    string
		first   string
		then    []string
		timeout time.Duration
		looks   int
		err     string
		heard   []string
	}{
		{name: "ready in the answer needs no look", first: works, heard: []string{"Thing b/a: Current: Resource is Ready"}},
		{name: "ready later", first: waits, then: []string{waits, waits, works}, looks: 3, heard: []string{"Thing b/a: InProgress: needs a host", "Thing b/a: Current: Resource is Ready"}},
		{name: "failed", first: waits, then: []string{failed}, looks: 1, err: "wait for Thing b/a: Failed: no money"},
		{name: "deleted", first: waits, then: []string{""}, looks: 1, err: "wait for Thing b/a: it was deleted meanwhile; fix: run the command again"},
		{name: "deleted and made again", first: waits, then: []string{other}, looks: 1, err: "wait for Thing b/a: it was deleted meanwhile; fix: run the command again"},
		{name: "being deleted", first: waits, then: []string{leaves}, looks: 1, err: "wait for Thing b/a: it is being deleted; fix: run the command again when it is gone; held by the finalizers example.com/hold"},
		{name: "too late", first: waits, then: []string{waits}, timeout: time.Second, looks: 5, err: "wait for Thing b/a: not ready after 1s (InProgress: needs a host)"},
		{name: "in the last moment", first: waits, then: []string{waits, waits, waits, waits, works}, timeout: time.Second, looks: 5},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &story{now: time.Unix(0, 0)}
			s.sees(t, test.then...)
			u, err := s.wait(test.timeout).Current(t.Context(), thing(t, test.first))
			if got := text(err); got != test.err {
				t.Errorf("the error is %q, want %q", got, test.err)
			}
			if err == nil && ready.Of(u, 0).Status != ready.Current {
				t.Error("the object is not the newest one")
			}
			if ready.TimedOut(err) != (test.name == "too late") {
				t.Errorf("timed out: %t", ready.TimedOut(err))
			}
			if s.looks != test.looks {
				t.Errorf("%d looks, want %d", s.looks, test.looks)
			}
			if diff := cmp.Diff(test.heard, s.heard); test.heard != nil && diff != "" {
				t.Error(diff)
			}
		})
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestCurrentAtTheGenerationThatWasWritten(t *testing.T) {
	s := &story{now: time.Unix(0, 0)}
	old := "apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: a, namespace: b, uid: u1, generation: 1}\nstatus: {observedGeneration: 1, conditions: [{type: Ready, status: \"True\"}]}"
	s.sees(t, old, old, thingText+"status: {observedGeneration: 1, conditions: [{type: Ready, status: \"True\"}]}", thingText+"status: {observedGeneration: 2, conditions: [{type: Ready, status: \"True\"}]}")
	_, err := s.wait(0).Current(t.Context(), thing(t, thingText+"status: {observedGeneration: 1}"))
	if err != nil || s.looks != 4 {
		t.Errorf("%v after %d looks, want 4", err, s.looks)
	}
}

func TestWaitWithoutATimeoutEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := &story{now: time.Unix(0, 0)}
	s.sees(t, thingText)
	_, err := s.wait(0).Current(ctx, thing(t, thingText+"status: {conditions: [{type: Ready, status: \"False\", message: needs a host}]}"))
	if want := "wait for Thing b/a: interrupted after 100ms (InProgress: needs a host)"; text(err) != want || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestGone(t *testing.T) {
	const held = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a, uid: u1, deletionTimestamp: \"2026-01-01T00:00:00Z\", finalizers: [example.com/hold]}\nspec: {finalizers: [kubernetes]}"
	id := object.ID{Kind: "Namespace", Name: "a"}
	for _, test := range []struct {
		name  string
		sees  []string
		looks int
		err   string
	}{
		{name: "gone at once", sees: []string{""}, looks: 1},
		{name: "gone later", sees: []string{held, held, ""}, looks: 3},
		{name: "another one has its name", sees: []string{"apiVersion: v1\nkind: Namespace\nmetadata: {name: a, uid: u2}"}, looks: 1},
		{name: "held", sees: []string{held}, looks: 6, err: "wait until Namespace a is gone: still there after 1s; held by the finalizers example.com/hold, kubernetes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &story{now: time.Unix(0, 0)}
			s.sees(t, test.sees...)
			err := s.wait(time.Second).Gone(t.Context(), id, "u1")
			if text(err) != test.err || s.looks != test.looks {
				t.Errorf("%v after %d looks, want %q after %d", err, s.looks, test.err, test.looks)
			}
		})
	}
	s := &story{now: time.Unix(0, 0), err: errors.New("server is on fire")}
	if err := s.wait(0).Gone(t.Context(), id, "u1"); text(err) != "wait for Namespace a: server is on fire" {
		t.Errorf("a look that fails gives %v", err)
	}
}
