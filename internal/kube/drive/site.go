package drive

import (
	"context"
	"errors"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/inventory"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/kube/ready"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// site is a plan in its cluster, and what its changes have learnt so far.
type site struct {
	Config
	in execute.Input

	cluster *cluster.Cluster
	scope   object.Scope
	items   map[string]*item // by change
	order   []*item          // as the plan has them
	users   map[*item][]user // what must be gone before an object is deleted
	gather  *gather
	needed  map[string]object.ID // what changes depend on and no change is about

	mu sync.Mutex
	// applied are the objects that this run has applied, by their UIDs.
	applied map[types.UID]object.ID
	// fresh are the kinds of the definitions that this run has applied.
	fresh map[schema.GroupKind]bool
	// late are the changes whose object did not get ready, or go away, in time.
	late map[string]bool
	// sent are the changes that the server has accepted.
	sent map[string]bool
	// group is the inventory as this run last saw it.
	group *inventory.Inventory
}

// same refuses a plan that was made for another cluster. Whoever may not read what
// identifies a cluster is held to its address.
func (s *site) same(ctx context.Context, made *plan.Cluster) error {
	if made == nil {
		return &plan.InvalidError{Problems: []string{"metadata.cluster: the plan does not say which cluster its Kubernetes objects are in"}}
	}
	uid, err := s.cluster.UID(ctx)
	if err != nil {
		return err
	}
	here := plan.Cluster{Server: s.cluster.Server(), UID: uid}
	known := made.UID != "" && uid != ""
	if known && made.UID == uid || !known && made.Server == here.Server {
		return nil
	}
	return &execute.PlaceError{Made: clusterWords(*made), Here: clusterWords(here)}
}

func clusterWords(c plan.Cluster) string {
	if c.UID == "" {
		return "the cluster " + c.Server
	}
	return "the cluster " + c.Server + " (" + c.UID + ")"
}

// known gives the changes of kinds that the cluster does not have a problem,
// unless the plan applies the definition of the kind.
func (s *site) known(ctx context.Context) error {
	defined := map[schema.GroupKind]bool{}
	for _, it := range s.order {
		if gk, ok := it.defines(); ok {
			defined[gk] = true
		}
	}
	for _, it := range s.order {
		if it.does != apply || it.call.Problem != nil || defined[it.gvk.GroupKind()] {
			continue
		}
		k, err := s.cluster.Kind(ctx, it.gvk)
		switch {
		case resource.Missing(err):
			it.call.Problem = err
		case err != nil:
			return err
		case k.Namespaced && it.id.Namespace == "":
			it.call.Problem = errors.New("metadata.namespace is missing")
		}
	}
	return nil
}

// kind returns the kind of an object that is read or deleted: any version will
// do.
func (s *site) kind(ctx context.Context, gvk schema.GroupVersionKind) (cluster.Kind, error) {
	k, err := s.cluster.Kind(ctx, gvk)
	if resource.Missing(err) {
		return s.cluster.Preferred(ctx, gvk.GroupKind())
	}
	return k, err
}

// get returns an object; nil where it does not exist.
func (s *site) get(ctx context.Context, gvk schema.GroupVersionKind, id object.ID) (*unstructured.Unstructured, error) {
	k, err := s.kind(ctx, gvk)
	if err == nil {
		var u *unstructured.Unstructured
		if u, err = s.cluster.Get(ctx, k, id.Namespace, id.Name); err == nil {
			return u, nil
		}
	}
	if resource.Missing(err) {
		return nil, nil
	}
	return nil, err
}

// waiting waits for an object. End must be called when that is over.
func (s *site) waiting(gvk schema.GroupVersionKind, timeout time.Duration) (w ready.Wait, end func()) {
	leave := func() {}
	entered := false
	w = ready.Wait{Sleep: s.Sleep, Now: s.Now, Timeout: timeout}
	w.Get = func(ctx context.Context, id object.ID) (*unstructured.Unstructured, error) {
		k, err := s.kind(ctx, gvk)
		if err != nil {
			return nil, err
		}
		if !entered {
			entered, leave = true, s.gather.enter(place{k, id.Namespace})
		}
		return s.gather.read(ctx, k, id)
	}
	if s.Status != nil {
		w.Status = func(id object.ID, is ready.State) { s.Status(id, is.Status, is.Message) }
	}
	return w, func() { leave() }
}

// note keeps what is learnt in concurrent changes.
func (s *site) note(learn func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	learn()
}

// owns reports whether an object belongs to the inventory.
func (s *site) owns(u *unstructured.Unstructured) bool {
	return u.GetAnnotations()[object.Owner] == s.scope.Inventory.ID
}

// isHome reports whether an object is the namespace of the inventory.
func (s *site) isHome(id object.ID) bool {
	return id.IsNamespace() && id.Name == s.scope.Inventory.Namespace
}
