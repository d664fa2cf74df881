package ready

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
)

// Wait waits for objects.
type Wait struct {
	// Get reads an object. An error that is Missing says that it does not exist.
	Get func(ctx context.Context, id object.ID) (*unstructured.Unstructured, error)
	// Sleep waits; it fails when the context ends.
	Sleep func(ctx context.Context, d time.Duration) error
	Now   func() time.Time
	// Timeout bounds the wait for one object; 0 waits until the context ends.
	Timeout time.Duration
	// Status hears of every status that an object gets; nil hears nothing.
	Status func(id object.ID, s State)
}

// The pauses between two looks at an object.
const (
	firstPause = 100 * time.Millisecond
	mostPause  = 2 * time.Second
)

// Error is an object that did not get ready, or was not gone, in time.
type Error struct {
	ID    object.ID
	State State
	// Timeout reports that the time was over. Interrupted reports that the caller
	// ended the wait. Otherwise the object failed, or was deleted.
	Timeout, Interrupted bool
	Waited               time.Duration
	// Deleting reports that it should be gone, and Finalizers what keeps it.
	Deleting   bool
	Finalizers []string

	cause error
}

// Error says what is missing and how long that was waited for.
func (e *Error) Error() string {
	what := "wait for " + e.ID.String()
	if e.Deleting {
		what = "wait until " + e.ID.String() + " is gone"
	}
	switch {
	case e.Interrupted:
		return what + ": interrupted after " + e.waited() + e.last()
	case e.Timeout && e.Deleting:
		return what + ": still there after " + e.waited() + e.held()
	case e.Timeout:
		return what + ": not ready after " + e.waited() + e.last()
	case e.State.Status == NotFound:
		return what + ": it was deleted meanwhile; fix: run the command again"
	case e.State.Status == Terminating:
		return what + ": it is being deleted; fix: run the command again when it is gone" + e.held()
	default:
		return what + ": " + e.State.String()
	}
}

func (e *Error) last() string {
	if e.State == (State{}) {
		return ""
	}
	return " (" + e.State.String() + ")"
}

// waited writes the time without more digits than people need.
func (e *Error) waited() string {
	if e.Waited < time.Second {
		return e.Waited.Round(time.Millisecond).String()
	}
	return e.Waited.Round(time.Second).String()
}

func (e *Error) held() string {
	if len(e.Finalizers) == 0 {
		return ""
	}
	return "; held by the finalizers " + strings.Join(e.Finalizers, ", ")
}

// Expired reports that a time limit was over.
func (e *Error) Expired() bool { return e.Timeout }

// Unwrap returns why the wait was ended from outside.
func (e *Error) Unwrap() error { return e.cause }

// Current waits until an object is current, and returns it as it is then. The
// object that comes in is what the API server answered when it was written, or
// how it was last seen.
func (w Wait) Current(ctx context.Context, u *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	id, written, uid := object.Of(u), u.GetGeneration(), u.GetUID()
	l := w.start(id)
	for {
		s := Of(u, written)
		if u != nil && u.GetUID() != uid {
			s = State{Status: NotFound, Message: "was replaced by another object"}
		}
		l.heard(s)
		switch s.Status {
		case Current:
			return u, nil
		case Failed, NotFound, Terminating:
			return u, &Error{ID: id, State: s, Waited: l.waited(), Finalizers: finalizers(u)}
		}
		now, err := l.next(ctx)
		if err != nil {
			return u, err
		}
		u = now
	}
}

// Gone waits until the object with a UID does not exist any more.
func (w Wait) Gone(ctx context.Context, id object.ID, uid types.UID) error {
	l := w.start(id)
	l.deleting = true
	for {
		u, err := l.read(ctx)
		if err != nil {
			return err
		}
		if u == nil || uid != "" && u.GetUID() != uid {
			l.heard(State{Status: NotFound, Message: "deleted"})
			return nil
		}
		l.finalizers = finalizers(u)
		l.heard(Of(u, 0))
		if err := l.pause(ctx); err != nil {
			return err
		}
	}
}

func finalizers(u *unstructured.Unstructured) []string {
	if u == nil {
		return nil
	}
	out := slices.Clone(u.GetFinalizers())
	// The content of a namespace is held by a list of its own.
	held, _, err := unstructured.NestedStringSlice(u.Object, "spec", "finalizers")
	if err == nil && u.GetKind() == "Namespace" && u.GroupVersionKind().Group == "" {
		out = append(out, held...)
	}
	return out
}

// look is a wait that is under way.
type look struct {
	Wait
	id         object.ID
	began      time.Time
	after      time.Duration // the next pause
	last       State
	deleting   bool
	finalizers []string
}

func (w Wait) start(id object.ID) *look {
	return &look{Wait: w, id: id, began: w.Now(), after: firstPause}
}

func (l *look) waited() time.Duration { return l.Now().Sub(l.began) }

// heard reports a status that is new.
func (l *look) heard(s State) {
	if l.Status != nil && s != l.last {
		l.Status(l.id, s)
	}
	l.last = s
}

// next returns the object after a pause; nil where it does not exist.
func (l *look) next(ctx context.Context) (*unstructured.Unstructured, error) {
	if err := l.pause(ctx); err != nil {
		return nil, err
	}
	return l.read(ctx)
}

// read returns the object; nil where it does not exist.
func (l *look) read(ctx context.Context) (*unstructured.Unstructured, error) {
	u, err := l.Get(ctx, l.id)
	switch {
	case err == nil:
		return u, nil
	case resource.Missing(err):
		return nil, nil
	case ctx.Err() != nil:
		return nil, l.interrupted(ctx.Err())
	default:
		return nil, fmt.Errorf("wait for %s: %w", l.id, err)
	}
}

// pause waits until it is time for another look. Near the end of the time limit
// there is one more.
func (l *look) pause(ctx context.Context) error {
	d := l.after
	l.after = min(l.after*3/2, mostPause)
	if l.Timeout > 0 {
		left := l.Timeout - l.waited()
		if left <= 0 {
			return &Error{ID: l.id, State: l.last, Timeout: true, Waited: l.waited(), Deleting: l.deleting, Finalizers: l.finalizers}
		}
		d = min(d, left)
	}
	if err := l.Sleep(ctx, d); err != nil {
		return l.interrupted(err)
	}
	return nil
}

func (l *look) interrupted(cause error) error {
	return &Error{ID: l.id, State: l.last, Interrupted: true, Waited: l.waited(), Deleting: l.deleting, Finalizers: l.finalizers, cause: cause}
}

// TimedOut reports whether a wait ended because its time was over.
func TimedOut(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Timeout
}
