package execute_test

import (
	"context"
	"errors"
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
)

// awaiting is a toy whose changes wait for things that no change is about.
type awaiting struct {
	*toy
	needs map[string][]string // by ref
	await func(ctx context.Context, what string) error
}

func (d *awaiting) Awaits(c *execute.Call) []string { return d.needs[c.Change.ResourceRef] }

func (d *awaiting) Await(ctx context.Context, what string) error {
	d.say("await", what)
	return d.await(ctx, what)
}

// What is waited for takes no slot, is waited for once, and holds back only what
// needs it.
func TestAwait(t *testing.T) {
	free := make(chan struct{})
	one := &toy{during: func(ref string) {
		if ref == "free" {
			close(free)
		}
	}}
	driver := &awaiting{one, map[string][]string{"a": {"x"}, "b": {"x", "y"}, "d": {"x"}}, func(_ context.Context, what string) error {
		<-free
		if what == "y" {
			return errors.New("y is not ready")
		}
		return nil
	}}
	report, _ := carryOut(t, by(toys(change("house", "a"), change("house", "b"), change("house", "c", "b"), change("house", "d"), change("house", "free")), map[string]execute.Driver{"house": driver}))
	equal(t, "reasons", reasons(report), map[string]string{
		"a": "success ", "b": "skipped y is not ready", "c": "skipped y is not ready", "d": "success ", "free": "success ",
	})
	if report.Results[1].Err == nil {
		t.Error("the cause is lost")
	}
	n := 0
	for _, said := range one.said {
		if said == "await x" {
			n++
		}
	}
	equal(t, "waits for x", n, 1)
}

// An interrupt ends the wait, and what needs it was not started.
func TestAwaitIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	driver := &awaiting{&toy{}, map[string][]string{"a": {"x"}}, func(ctx context.Context, _ string) error {
		cancel()
		<-ctx.Done()
		return ctx.Err()
	}}
	report, told := carryOutIn(ctx, t, by(toys(change("house", "a")), map[string]execute.Driver{"house": driver}))
	equal(t, "reasons", reasons(report), map[string]string{"a": "skipped the run was interrupted"})
	if len(told) == 0 || !report.Interrupted {
		t.Errorf("%q", told)
	}
}
