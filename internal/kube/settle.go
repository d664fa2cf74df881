package kube

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/kube/ready"
	"github.com/kongctl/kongctl/internal/plan"
)

// waits bounds how many objects are waited for at a time.
const waits = 16

// Settle waits until the declared objects that a plan leaves alone are ready, too.
// A plan that was not made in this process has none.
func (t *Target) Settle(ctx context.Context, p *plan.Plan) error {
	changed := map[string]bool{}
	for _, c := range p.Changes {
		changed[c.ResourceID] = true
	}
	var list []*unstructured.Unstructured
	for _, u := range t.state.Unchanged(changed) {
		if ready.Of(u, 0).Status != ready.Current {
			list = append(list, u)
		}
	}
	if len(list) == 0 {
		return nil
	}
	wait, err := t.wait(list)
	if err != nil {
		return err
	}
	errs := make([]error, len(list))
	var g errgroup.Group
	g.SetLimit(waits)
	for i, u := range list {
		g.Go(func() error {
			_, errs[i] = wait.Current(ctx, u)
			if t.options.Settled != nil {
				t.options.Settled(object.Of(u), errs[i])
			}
			return nil
		})
	}
	_ = g.Wait() // the errors are kept one by one
	return errors.Join(errs...)
}

// wait reads objects again until they are ready.
func (t *Target) wait(list []*unstructured.Unstructured) (ready.Wait, error) {
	c, err := t.cluster()
	if err != nil {
		return ready.Wait{}, err
	}
	kinds := map[object.ID]*unstructured.Unstructured{}
	for _, u := range list {
		kinds[object.Of(u)] = u
	}
	out := ready.Wait{
		Sleep: t.config.Sleep, Now: t.config.Now, Timeout: t.scope.Options.ReconcileTimeout,
		Get: func(ctx context.Context, id object.ID) (*unstructured.Unstructured, error) {
			kind, err := c.Kind(ctx, kinds[id].GroupVersionKind())
			if err != nil {
				return nil, err
			}
			return c.Get(ctx, kind, id.Namespace, id.Name)
		},
	}
	if t.options.Status != nil {
		out.Status = func(id object.ID, s ready.State) { t.options.Status(id, s.Status, s.Message) }
	}
	return out, nil
}
