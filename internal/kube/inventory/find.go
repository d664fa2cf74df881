package inventory

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
)

// Unread is an API of which the objects could not be listed.
type Unread struct {
	schema.GroupVersion
	Resource string // "" for all of the version
	// Err is nil where the server cannot serve the version at present.
	Err error
}

// String names what was not listed, and why.
func (u Unread) String() string {
	what := u.GroupVersion.String()
	if u.Resource != "" {
		what = u.Resource + " (" + what + ")"
	}
	if u.Err == nil {
		return what + ": the server cannot serve it at present"
	}
	return what + ": " + u.Err.Error()
}

// Find returns all objects of the cluster that an inventory owns, by their
// annotation, and what could not be listed. Objects that a controller made are
// left out: Deployments, for one, hand their annotations on to what they make.
func Find(ctx context.Context, c *cluster.Cluster, id string) ([]*unstructured.Unstructured, []Unread, error) {
	kinds, broken, err := c.Kinds(ctx)
	if err != nil {
		return nil, nil, err
	}
	var unread []Unread
	for _, gv := range broken {
		unread = append(unread, Unread{GroupVersion: gv})
	}
	kinds = slices.DeleteFunc(kinds, func(k cluster.Kind) bool {
		return !k.Listable || !k.Deletable || k.Kind == "Event" || k.GroupKind() == Kind.GroupKind()
	})
	found := make([][]*unstructured.Unstructured, len(kinds))
	errs := make([]error, len(kinds))
	group, gctx := errgroup.WithContext(ctx)
	const most = 8
	group.SetLimit(most)
	for n, k := range kinds {
		group.Go(func() error {
			found[n], errs[n] = c.List(gctx, k, "", cluster.ListOptions{Keep: func(u *unstructured.Unstructured) bool { return owned(u, id) }})
			if errs[n] != nil && (gctx.Err() != nil || resource.Fatal(errs[n])) {
				return errs[n]
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	var out []*unstructured.Unstructured
	seen := map[types.UID]bool{} // some objects are served by two APIs
	for n, k := range kinds {
		if errs[n] != nil && !resource.Missing(errs[n]) {
			unread = append(unread, Unread{GroupVersion: k.GroupVersion(), Resource: k.Resource, Err: errs[n]})
		}
		for _, u := range found[n] {
			if !seen[u.GetUID()] {
				seen[u.GetUID()] = true
				out = append(out, u)
			}
		}
	}
	slices.SortFunc(out, func(a, b *unstructured.Unstructured) int { return object.Compare(object.Of(a), object.Of(b)) })
	return out, unread, nil
}

func owned(u *unstructured.Unstructured, id string) bool {
	return u.GetAnnotations()[object.Owner] == id && metav1.GetControllerOfNoCopy(u) == nil
}
