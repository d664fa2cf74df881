package drive

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kongctl/kongctl/internal/kube/object"
)

// presence is what a look at an object says.
type presence int

const (
	unclear presence = iota
	gone
	foreign // it exists, and belongs to another inventory or to none
	ours
)

// sight is what a look at an object shows.
type sight struct {
	presence
	uid types.UID
}

// look looks whether objects exist, and whether they belong to the inventory,
// under its id or the one that it had. The error is about those that are unclear.
func (s *site) look(ctx context.Context, ids []object.ID, had string) (map[object.ID]sight, error) {
	var (
		g     errgroup.Group
		found = make([]sight, len(ids))
		errs  = make([]error, len(ids))
	)
	g.SetLimit(looks)
	for i, id := range ids {
		g.Go(func() error {
			u, err := s.get(ctx, id.GroupKind().WithVersion(""), id)
			switch {
			case err != nil:
				errs[i] = err
			case u == nil:
				found[i] = sight{presence: gone}
			case s.owns(u), had != "" && u.GetAnnotations()[object.Owner] == had:
				found[i] = sight{presence: ours, uid: u.GetUID()}
			default:
				found[i] = sight{presence: foreign, uid: u.GetUID()}
			}
			return nil
		})
	}
	_ = g.Wait() // no look ends the others
	out := make(map[object.ID]sight, len(ids))
	for i, id := range ids {
		out[id] = found[i]
	}
	return out, errors.Join(errs...)
}
