package observe

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/kube/cluster"
)

// parallel bounds the lists at a time.
const parallel = 8

// errOver ends the watches when all is seen.
var errOver = errors.New("all is seen")

// look reads the objects once.
func (r *run) look(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if r.Timeout > 0 {
		expired := r.After(r.Timeout)
		go func() {
			select {
			case <-expired:
				cancel(errOver)
			case <-ctx.Done():
			}
		}()
	}
	lists := make([][]*unstructured.Unstructured, len(r.sources))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(parallel)
	for i, s := range r.sources {
		g.Go(func() (err error) {
			lists[i], err = r.Connection.List(gctx, s.kind, s.namespace, s.options())
			s.synced = err == nil
			return err
		})
	}
	err := g.Wait()
	for i, s := range r.sources {
		if s.synced {
			r.all(s, lists[i])
		}
	}
	if err != nil && errors.Is(context.Cause(ctx), errOver) {
		return r.expired()
	}
	return err
}

func (r *run) all(s *source, list []*unstructured.Unstructured) {
	for _, u := range list {
		r.found(s, u, false)
	}
	r.complete(s)
}

func (r *run) expired() error {
	return &Error{Until: r.Until, After: r.Timeout, Left: r.left()}
}

// follow watches the objects. All news are handled by one side.
func (r *run) follow(ctx context.Context) error {
	inner, cancel := context.WithCancel(ctx)
	heard := make(chan news)
	var watches sync.WaitGroup
	defer watches.Wait()
	defer cancel()
	for _, s := range r.sources {
		watches.Go(func() { watch(inner, r.Connection, s, heard) })
	}
	var expired <-chan time.Time
	if r.Timeout > 0 {
		expired = r.After(r.Timeout)
	}
	for !r.over() {
		select {
		case n := <-heard:
			if n.err != nil {
				return n.err
			}
			r.take(n)
		case <-expired:
			if r.Until == Forever {
				return nil
			}
			return r.expired()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (r *run) take(n news) {
	if n.synced {
		r.complete(n.from)
		return
	}
	r.found(n.from, n.object, n.gone)
}

// watch tells all that happens to the objects of a source.
func watch(ctx context.Context, c Connection, s *source, heard chan<- news) {
	tell := func(n news) error {
		n.from = s
		select {
		case heard <- n:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	err := c.Watch(ctx, s.kind, s.namespace, s.options(), func(e cluster.Event) error {
		return tell(news{object: e.Object, gone: e.Type == cluster.Gone, synced: e.Type == cluster.Synced})
	})
	if err != nil && ctx.Err() == nil {
		_ = tell(news{err: err}) // it fails when nobody listens any more
	}
}
