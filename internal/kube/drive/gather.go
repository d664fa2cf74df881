package drive

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
)

// gather reads the objects that are waited for. Where many of a kind and a
// namespace are, it reads a list of them instead of each.
type gather struct {
	get   func(ctx context.Context, k cluster.Kind, id object.ID) (*unstructured.Unstructured, error)
	list  func(ctx context.Context, k cluster.Kind, namespace string) ([]*unstructured.Unstructured, error)
	sleep func(ctx context.Context, d time.Duration) error

	mu     sync.Mutex
	places map[place]*spot
}

const (
	// many is from how many objects on a list is read.
	many = 8
	// wide is how many times larger a list may be than what is looked for in it.
	wide = 8
	// collect is how long a list waits for others who want it, too.
	collect = 100 * time.Millisecond
)

// place is where a list is read.
type place struct {
	kind      cluster.Kind
	namespace string
}

// spot is what is known of a place.
type spot struct {
	waits  int // objects that are waited for there
	size   int // of the last list
	denied bool
	next   *batch // the list that is to be read; nil where nobody wants one
}

// batch is a list that several wait for.
type batch struct {
	done  chan struct{}
	found map[string]*unstructured.Unstructured
	err   error
}

// goneError is an object that a list does not hold.
type goneError struct{ id object.ID }

func (e *goneError) Error() string { return e.id.String() + " does not exist" }

// Missing is true: the list was complete.
func (*goneError) Missing() bool { return true }

// enter notes that an object is waited for; leave takes that back.
func (g *gather) enter(p place) (leave func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.places == nil {
		g.places = map[place]*spot{}
	}
	if g.places[p] == nil {
		g.places[p] = &spot{}
	}
	s := g.places[p]
	s.waits++
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		s.waits--
	}
}

// read returns an object as it is now.
func (g *gather) read(ctx context.Context, k cluster.Kind, id object.ID) (*unstructured.Unstructured, error) {
	p := place{k, id.Namespace}
	b := g.join(ctx, p)
	if b == nil {
		return g.get(ctx, k, id)
	}
	select {
	case <-b.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	switch u := b.found[id.Name]; {
	case resource.Denied(b.err):
		return g.get(ctx, k, id)
	case b.err != nil:
		return nil, b.err
	case u == nil:
		return nil, &goneError{id}
	default:
		return u, nil
	}
}

// join returns the next list of a place; nil where the object is better read
// alone.
func (g *gather) join(ctx context.Context, p place) *batch {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.places[p]
	if s == nil || s.waits < many || s.size > wide*s.waits || s.denied || !p.kind.Listable {
		return nil
	}
	if s.next == nil {
		s.next = &batch{done: make(chan struct{})}
		// Whoever asks first may give up before the others.
		go g.run(context.WithoutCancel(ctx), p, s, s.next)
	}
	return s.next
}

func (g *gather) run(ctx context.Context, p place, s *spot, b *batch) {
	defer close(b.done)
	if b.err = g.sleep(ctx, collect); b.err != nil {
		return
	}
	g.mu.Lock()
	s.next = nil // who comes now may want what is newer
	g.mu.Unlock()
	list, err := g.list(ctx, p.kind, p.namespace)
	b.err = err
	b.found = make(map[string]*unstructured.Unstructured, len(list))
	for _, u := range list {
		if u.GetKind() == "" { // items of lists leave it out
			u.SetGroupVersionKind(p.kind.GroupVersionKind)
		}
		b.found[u.GetName()] = u
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	s.size, s.denied = len(list), resource.Denied(err)
}
