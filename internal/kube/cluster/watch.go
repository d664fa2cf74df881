package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kongctl/kongctl/internal/clock"
)

// EventType says what happened to an object.
type EventType int

const (
	// Present is an object that exists, or that has changed.
	Present EventType = iota
	// Gone is an object that no longer exists, as it was last seen.
	Gone
	// Synced has no object: all that existed at the start were reported.
	Synced
)

// Event is what a watch reports.
type Event struct {
	Type   EventType
	Object *unstructured.Unstructured
}

// Watch reports the objects that exist, then Synced, then every change, until
// the context ends or each returns an error; that error is returned. Lost
// connections are made again, and what happened meanwhile is reported.
func (c *Cluster) Watch(ctx context.Context, k Kind, namespace string, o ListOptions, each func(Event) error) error {
	w := &watcher{cluster: c, kind: k, namespace: namespace, options: o, each: each, known: map[string]*unstructured.Unstructured{}}
	for synced := false; ; {
		if err := w.list(ctx); err != nil {
			return err
		}
		if !synced {
			synced = true
			if err := each(Event{Type: Synced}); err != nil {
				return err
			}
		}
		if err := w.follow(ctx); err != nil {
			return err
		}
	}
}

type watcher struct {
	cluster   *Cluster
	kind      Kind
	namespace string
	options   ListOptions
	each      func(Event) error
	known     map[string]*unstructured.Unstructured
	version   string // of the last event
}

func key(u *unstructured.Unstructured) string { return u.GetNamespace() + "/" + u.GetName() }

// list reports what has changed since what is known.
func (w *watcher) list(ctx context.Context) error {
	objects, version, err := w.cluster.list(ctx, w.kind, w.namespace, w.options)
	if err != nil {
		return err
	}
	w.version = version
	seen := make(map[string]bool, len(objects))
	for _, u := range objects {
		seen[key(u)] = true
		if old := w.known[key(u)]; old != nil && old.GetResourceVersion() == u.GetResourceVersion() {
			continue
		}
		if err := w.report(Present, u); err != nil {
			return err
		}
	}
	for name, u := range w.known {
		if !seen[name] {
			if err := w.report(Gone, u); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *watcher) report(t EventType, u *unstructured.Unstructured) error {
	if t == Gone {
		delete(w.known, key(u))
	} else {
		w.known[key(u)] = u
	}
	return w.each(Event{Type: t, Object: u})
}

// follow reports changes; nil means that the list must be read again.
func (w *watcher) follow(ctx context.Context) error {
	for {
		began := time.Now()
		relist, err := w.stream(ctx)
		if err != nil {
			return err
		}
		// A server that ends every stream at once is not asked in a circle.
		if rest := time.Second - time.Since(began); rest > 0 {
			if err := clock.Sleep(ctx, rest); err != nil {
				return w.ended(err)
			}
		}
		if relist {
			return nil
		}
	}
}

func (w *watcher) ended(err error) error {
	return &Error{Op: operation("watch", w.kind, w.namespace, ""), Attempts: 1, Err: err, interrupted: true}
}

// stream reports changes until the connection ends. It reports whether the list
// must be read again.
func (w *watcher) stream(ctx context.Context) (relist bool, err error) {
	var changes watch.Interface
	call := call{op: operation("watch", w.kind, w.namespace, ""), repeatable: true, stream: true}
	err = w.cluster.do(ctx, call, func(ctx context.Context) (err error) {
		changes, err = w.cluster.at(w.kind, w.namespace).Watch(ctx, metav1.ListOptions{
			LabelSelector: w.options.LabelSelector, FieldSelector: w.options.FieldSelector,
			ResourceVersion: w.version, AllowWatchBookmarks: true,
		})
		return err
	})
	if expired(err) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer changes.Stop()
	for {
		select {
		case <-ctx.Done():
			return false, w.ended(ctx.Err())
		case change, open := <-changes.ResultChan():
			if !open {
				return false, nil
			}
			if relist, err := w.handle(change); err != nil || relist {
				return relist, err
			}
		}
	}
}

func (w *watcher) handle(change watch.Event) (relist bool, err error) {
	if change.Type == watch.Error {
		err := apierrors.FromObject(change.Object)
		if status := apierrors.APIStatus(nil); errors.As(err, &status) {
			return true, nil // expired, or the server ends: the list says what is true
		}
		return false, &Error{Op: operation("watch", w.kind, w.namespace, ""), Attempts: 1, Err: err}
	}
	u, ok := change.Object.(*unstructured.Unstructured)
	if !ok {
		return false, &Error{Op: operation("watch", w.kind, w.namespace, ""), Attempts: 1, Err: fmt.Errorf("unexpected %T", change.Object)}
	}
	w.version = u.GetResourceVersion()
	switch change.Type {
	case watch.Added, watch.Modified:
		return false, w.report(Present, u)
	case watch.Deleted:
		return false, w.report(Gone, u)
	default: // a bookmark
		return false, nil
	}
}

// expired reports whether the server no longer has the version to continue from.
func expired(err error) bool {
	return err != nil && (apierrors.IsResourceExpired(errors.Unwrap(err)) || apierrors.IsGone(errors.Unwrap(err)))
}
