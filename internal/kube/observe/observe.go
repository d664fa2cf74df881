// Package observe follows the statuses of the objects that inventories list.
//
// In: inventories, and a connection. Out: each status that an object gets, until
// all have the one that is waited for. It must never change anything, and never
// import what plans or applies.
package observe

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/kube/ready"
	"github.com/kongctl/kongctl/internal/resource"
)

// What to wait for.
const (
	Known   = "known"   // all statuses
	Current = "current" // all objects are ready
	Deleted = "deleted" // no object exists
	Forever = "forever" // the end of the context
)

// Until lists what can be waited for.
func Until() []string { return []string{Known, Current, Deleted, Forever} }

// Connection is what is asked of an API server.
type Connection interface {
	Preferred(ctx context.Context, gk schema.GroupKind) (cluster.Kind, error)
	List(ctx context.Context, k cluster.Kind, namespace string, o cluster.ListOptions) ([]*unstructured.Unstructured, error)
	Watch(ctx context.Context, k cluster.Kind, namespace string, o cluster.ListOptions, each func(cluster.Event) error) error
}

// Watch follows objects.
type Watch struct {
	Connection Connection
	Objects    []object.ID
	Until      string
	// Timeout bounds it; 0 does not. After is the clock.
	Timeout time.Duration
	After   func(time.Duration) <-chan time.Time
	// Status hears of every status that an object gets, one at a time.
	Status func(id object.ID, s ready.State)
}

// Error is a time limit that was over before all objects had the status that was
// waited for.
type Error struct {
	Until string
	After time.Duration
	// Left are the objects without it, with the status that they have.
	Left map[object.ID]ready.State
}

// most bounds how many objects an error names.
const most = 10

// Error names what is missing.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "live status: %d objects are not %s after %s", len(e.Left), e.Until, e.After)
	if len(e.Left) == 1 {
		b.Reset()
		fmt.Fprintf(&b, "live status: 1 object is not %s after %s", e.Until, e.After)
	}
	for i, id := range slices.SortedFunc(maps.Keys(e.Left), object.Compare) {
		if i == most {
			fmt.Fprintf(&b, "\n  and %d more", len(e.Left)-most)
			break
		}
		fmt.Fprintf(&b, "\n  %s: %s", id, e.Left[id])
	}
	return b.String()
}

// Expired reports that a time limit was over.
func (*Error) Expired() bool { return true }

// source is what one list or watch reads: the objects of a kind in a namespace.
type source struct {
	kind      cluster.Kind
	namespace string
	ids       map[string]object.ID // by name
	synced    bool
}

// options narrow a source to the one object that it is about.
func (s *source) options() cluster.ListOptions {
	var o cluster.ListOptions
	if len(s.ids) == 1 {
		for name := range s.ids {
			o.FieldSelector = "metadata.name=" + name
		}
	}
	return o
}

// news is something that a source found.
type news struct {
	from   *source
	object *unstructured.Unstructured
	gone   bool
	synced bool
	err    error
}

// run is a watch that is under way.
type run struct {
	Watch
	sources []*source
	states  map[object.ID]ready.State
}

// Run follows the objects until they have the status that is waited for. The end
// of the context is no error where that is forever.
func (w Watch) Run(ctx context.Context) error {
	r := &run{Watch: w, states: map[object.ID]ready.State{}}
	if err := r.find(ctx); err != nil {
		return err
	}
	if w.Until == Known {
		return r.look(ctx)
	}
	return r.follow(ctx)
}

// find groups the objects by where they are read. Objects of a kind that the
// server does not have do not exist.
func (r *run) find(ctx context.Context) error {
	by := map[string]*source{}
	for _, id := range r.Objects {
		kind, err := r.Connection.Preferred(ctx, id.GroupKind())
		switch {
		case resource.Missing(err):
			r.heard(id, ready.State{Status: ready.NotFound, Message: "the server does not have this kind"})
			continue
		case err != nil:
			return err
		}
		key := fmt.Sprint(kind.GroupVersionKind, "/", id.Namespace)
		if by[key] == nil {
			by[key] = &source{kind: kind, namespace: id.Namespace, ids: map[string]object.ID{}}
			r.sources = append(r.sources, by[key])
		}
		by[key].ids[id.Name] = id
	}
	return nil
}

// heard reports a status that is new.
func (r *run) heard(id object.ID, s ready.State) {
	if old, known := r.states[id]; known && old == s {
		return
	}
	r.states[id] = s
	if r.Status != nil {
		r.Status(id, s)
	}
}

// found takes an object of a source.
func (r *run) found(s *source, u *unstructured.Unstructured, gone bool) {
	id, ours := s.ids[u.GetName()]
	switch {
	case !ours || u.GetNamespace() != s.namespace:
	case gone:
		r.heard(id, ready.Of(nil, 0))
	default:
		r.heard(id, ready.Of(u, 0))
	}
}

// complete reports what a source did not find.
func (r *run) complete(s *source) {
	s.synced = true
	for _, name := range slices.Sorted(maps.Keys(s.ids)) {
		if _, known := r.states[s.ids[name]]; !known {
			r.heard(s.ids[name], ready.Of(nil, 0))
		}
	}
}

// over reports whether all objects have the status that is waited for.
func (r *run) over() bool {
	for _, s := range r.sources {
		if !s.synced {
			return false
		}
	}
	return r.Until != Forever && len(r.left()) == 0
}

// left are the objects without the status that is waited for.
func (r *run) left() map[object.ID]ready.State {
	out := map[object.ID]ready.State{}
	for _, id := range r.Objects {
		s, known := r.states[id]
		if !known {
			out[id] = ready.State{Status: ready.Unknown, Message: "not read yet"}
			continue
		}
		if r.Until == Current && s.Status != ready.Current || r.Until == Deleted && s.Status != ready.NotFound {
			out[id] = s
		}
	}
	return out
}
