package observe_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/kube/observe"
	"github.com/kongctl/kongctl/internal/kube/ready"
)

// server holds objects and tells watches what is done to them.
type server struct {
	mu      sync.Mutex
	objects map[string]*unstructured.Unstructured // by kind and name
	// changes are told to the watch of a kind after its start, one after the other.
	changes map[string][]cluster.Event
	listErr error
	selects []string
	hang    bool
}

type missing struct{}

func (missing) Error() string { return "no such kind" }
func (missing) Missing() bool { return true }

func (s *server) Preferred(_ context.Context, gk schema.GroupKind) (cluster.Kind, error) {
	if gk.Kind == "Gizmo" {
		return cluster.Kind{}, missing{}
	}
	return cluster.Kind{GroupVersionKind: gk.WithVersion("v1"), Namespaced: true}, nil
}

func (s *server) List(ctx context.Context, k cluster.Kind, _ string, o cluster.ListOptions) ([]*unstructured.Unstructured, error) {
	if s.hang {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.selects = append(s.selects, o.FieldSelector)
	var out []*unstructured.Unstructured
	for _, u := range s.objects {
		if u.GetKind() == k.Kind {
			out = append(out, u)
		}
	}
	return out, s.listErr
}

func (s *server) Watch(ctx context.Context, k cluster.Kind, namespace string, o cluster.ListOptions, each func(cluster.Event) error) error {
	list, err := s.List(ctx, k, namespace, o)
	if err != nil {
		return err
	}
	for _, u := range list {
		if err := each(cluster.Event{Type: cluster.Present, Object: u}); err != nil {
			return err
		}
	}
	if err := each(cluster.Event{Type: cluster.Synced}); err != nil {
		return err
	}
	for _, e := range s.changes[k.Kind] {
		if err := each(e); err != nil {
			return err
		}
	}
	<-ctx.Done()
	return ctx.Err()
}

// replicas is a Deployment with some of its one replica available.
func replicas(name string, available int64) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment",
		"metadata": map[string]any{"name": name, "namespace": "prod", "generation": int64(1)},
		"spec":     map[string]any{"replicas": int64(1)},
		"status": map[string]any{
			"observedGeneration": int64(1), "replicas": int64(1), "updatedReplicas": int64(1), "readyReplicas": available, "availableReplicas": available,
			"conditions": []any{map[string]any{"type": "Available", "status": map[int64]string{0: "False", 1: "True"}[available]}},
		},
	}}
	return u
}

func config(name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": name, "namespace": "prod"}}}
}

var (
	web   = object.ID{Group: "apps", Kind: "Deployment", Namespace: "prod", Name: "web"}
	cm    = object.ID{Kind: "ConfigMap", Namespace: "prod", Name: "a"}
	other = object.ID{Kind: "ConfigMap", Namespace: "prod", Name: "b"}
	gizmo = object.ID{Group: "example.com", Kind: "Gizmo", Namespace: "prod", Name: "g"}
)

// over is a clock that has run down.
func over(time.Duration) <-chan time.Time {
	c := make(chan time.Time, 1)
	c <- time.Time{}
	return c
}

func TestWatch(t *testing.T) {
	gone := func(u *unstructured.Unstructured) cluster.Event { return cluster.Event{Type: cluster.Gone, Object: u} }
	now := func(u *unstructured.Unstructured) cluster.Event {
		return cluster.Event{Type: cluster.Present, Object: u}
	}
	for name, tt := range map[string]struct {
		server  *server
		objects []object.ID
		until   string
		want    []string
	}{
		"statuses once": {
			&server{objects: map[string]*unstructured.Unstructured{"w": replicas("web", 0), "a": config("a"), "x": config("not-ours")}},
			[]object.ID{web, cm, other, gizmo},
			observe.Known,
			[]string{"Gizmo prod/g NotFound", "Deployment prod/web InProgress", "ConfigMap prod/a Current", "ConfigMap prod/b NotFound"},
		},
		"until all are ready": {
			&server{objects: map[string]*unstructured.Unstructured{"w": replicas("web", 0)}, changes: map[string][]cluster.Event{"Deployment": {now(replicas("web", 0)), now(replicas("web", 1))}}},
			[]object.ID{web},
			observe.Current,
			[]string{"Deployment prod/web InProgress", "Deployment prod/web Current"},
		},
		"until none exists": {
			&server{objects: map[string]*unstructured.Unstructured{"a": config("a")}, changes: map[string][]cluster.Event{"ConfigMap": {gone(config("not-ours")), gone(config("a"))}}},
			[]object.ID{cm, gizmo},
			observe.Deleted,
			[]string{"Gizmo prod/g NotFound", "ConfigMap prod/a Current", "ConfigMap prod/a NotFound"},
		},
		"nothing to follow": {&server{}, nil, observe.Current, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			err := observe.Watch{
				Connection: tt.server, Objects: tt.objects, Until: tt.until,
				Status: func(id object.ID, s ready.State) { got = append(got, fmt.Sprint(id, " ", s.Status)) },
			}.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("statuses (-want +got):\n%s", diff)
			}
		})
	}
}

// A kind of which one object is followed is not read as a whole.
func TestOneObjectIsReadAlone(t *testing.T) {
	s := &server{objects: map[string]*unstructured.Unstructured{"a": config("a")}}
	if err := (observe.Watch{Connection: s, Objects: []object.ID{cm}, Until: observe.Known}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.selects, []string{"metadata.name=a"}) {
		t.Errorf("read with %q", s.selects)
	}
}

func TestTimeLimit(t *testing.T) {
	for until, want := range map[string]string{
		observe.Known:   "live status: 1 object is not known after 1s\n  Deployment prod/web: Unknown: not read yet",
		observe.Current: "live status: 1 object is not current after 1s\n  Deployment prod/web: Unknown: not read yet",
		observe.Forever: "",
	} {
		s := &server{hang: true}
		err := observe.Watch{Connection: s, Objects: []object.ID{web}, Until: until, Timeout: time.Second, After: over}.Run(t.Context())
		var late *observe.Error
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", until, err)
		case want != "" && (!errors.As(err, &late) || err.Error() != want):
			t.Errorf("%s: got %v, want %s", until, err, want)
		}
	}
}

func TestWatchThatFails(t *testing.T) {
	refused := errors.New("list Deployments: 403 forbidden")
	for _, until := range observe.Until() {
		err := observe.Watch{Connection: &server{listErr: refused}, Objects: []object.ID{web}, Until: until}.Run(t.Context())
		if !errors.Is(err, refused) {
			t.Errorf("%s: %v", until, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (observe.Watch{Connection: &server{}, Objects: []object.ID{web}, Until: observe.Forever}).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
