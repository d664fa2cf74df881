package drive

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kongctl/kongctl/internal/clock"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
)

type deniedError struct{}

func (deniedError) Error() string { return "forbidden" }
func (deniedError) Denied() bool  { return true }

func TestGather(t *testing.T) {
	kind := cluster.Kind{GroupVersionKind: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, Resource: "deployments", Namespaced: true, Listable: true}
	for _, test := range []struct {
		name          string
		waits, exist  int
		unlistable    bool
		err           error
		gets, lists   int64
		again         bool // a second look
		missing, fail int64
	}{
		{name: "few are read one by one", waits: 3, exist: 3, gets: 3},
		{name: "many are listed", waits: 20, exist: 20, lists: 1},
		{name: "what a list does not hold is gone", waits: 20, exist: 15, lists: 1, missing: 5},
		{name: "every look is a new list", waits: 20, exist: 20, lists: 2, again: true},
		{name: "a list of mostly others is read once", waits: 10, exist: 500, lists: 1, gets: 10, again: true},
		{name: "who may not list reads one by one", waits: 10, exist: 10, err: deniedError{}, lists: 1, gets: 20, again: true},
		{name: "a list that fails", waits: 10, exist: 10, err: context.DeadlineExceeded, lists: 1, fail: 10},
		{name: "a kind without lists", waits: 10, exist: 10, unlistable: true, gets: 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var gets, lists, missing, fail atomic.Int64
				k := kind
				k.Listable = !test.unlistable
				g := &gather{
					sleep: clock.Sleep,
					get: func(_ context.Context, _ cluster.Kind, id object.ID) (*unstructured.Unstructured, error) {
						gets.Add(1)
						return named(id.Name), nil
					},
					list: func(context.Context, cluster.Kind, string) ([]*unstructured.Unstructured, error) {
						lists.Add(1)
						if test.err != nil {
							return nil, test.err
						}
						var out []*unstructured.Unstructured
						for i := range test.exist {
							out = append(out, named(fmt.Sprint(i)))
						}
						return out, nil
					},
				}
				var all sync.WaitGroup
				for i := range test.waits {
					leave := g.enter(place{k, "a"})
					defer leave()
					all.Go(func() {
						time.Sleep(time.Millisecond) // all are there
						for look := 0; look == 0 || look == 1 && test.again; look++ {
							id := object.ID{Group: "apps", Kind: "Deployment", Namespace: "a", Name: fmt.Sprint(i)}
							u, err := g.read(t.Context(), k, id)
							switch {
							case resource.Missing(err):
								missing.Add(1)
							case err != nil:
								fail.Add(1)
							case u.GetName() != id.Name || u.GetKind() != "Deployment":
								t.Errorf("asked for %s, got %s %s", id, u.GetKind(), u.GetName())
							}
							time.Sleep(time.Second)
						}
					})
				}
				all.Wait()
				for what, got := range map[string][2]int64{"gets": {gets.Load(), test.gets}, "lists": {lists.Load(), test.lists}, "missing": {missing.Load(), test.missing}, "failed": {fail.Load(), test.fail}} {
					if got[0] != got[1] {
						t.Errorf("%s: %d, want %d", what, got[0], got[1])
					}
				}
			})
		})
	}
}

func named(name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": name}}}
}
