package drive

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/kube/ready"
	"github.com/kongctl/kongctl/internal/resource"
)

// waiter waits for objects.
type waiter struct{ *site }

// wait waits until an applied object is ready and a deleted one is gone.
func (w waiter) wait(ctx context.Context, it *item, o execute.Outcome) (execute.Outcome, error) {
	known := nativeOf(o)
	var err error
	switch it.does {
	case apply:
		o, err = w.readiness(ctx, it, o, known)
	case remove:
		if !known.gone {
			wait, end := w.waiting(it.gvk, w.scope.Options.DeleteTimeout)
			defer end()
			err = wait.Gone(ctx, it.id, types.UID(it.call.Change.ResourceID))
		}
	case detach, record, forget:
	}
	if ready.TimedOut(err) {
		w.note(func() { w.late[it.call.Change.ID] = true })
	}
	return o, err
}

// nativeOf is what the driver needs of an outcome.
func nativeOf(o execute.Outcome) *native {
	if o.Object != nil {
		if n, ok := o.Object.Native.(*native); ok {
			return n
		}
	}
	return &native{}
}

// readiness waits until an applied object is ready. The kind that it defines is
// usable then.
func (w waiter) readiness(ctx context.Context, it *item, o execute.Outcome, known *native) (execute.Outcome, error) {
	if known.live == nil {
		return o, nil
	}
	wait, end := w.waiting(it.gvk, w.scope.Options.ReconcileTimeout)
	defer end()
	live, err := wait.Current(ctx, known.live)
	if err != nil {
		return o, err
	}
	if it.id.IsCRD() {
		if err := w.defined(ctx, live); err != nil {
			return o, err
		}
	}
	if live == known.live {
		return o, nil
	}
	return made(live)
}

// defined waits until the server lists the kind of a definition, in the versions
// that the plan needs.
func (w waiter) defined(ctx context.Context, definition *unstructured.Unstructured) error {
	const (
		pause = 100 * time.Millisecond
		most  = 100
	)
	gk, ok := definedIn(definition.Object)
	if !ok {
		return nil
	}
	w.note(func() { w.fresh[gk] = true })
	for _, it := range w.order {
		if it.does != apply || it.gvk.GroupKind() != gk {
			continue
		}
		for try := 1; ; try++ {
			err := w.lists(ctx, it.gvk)
			if err == nil {
				break
			}
			if !resource.Missing(err) || try == most {
				return err
			}
			if err := w.Sleep(ctx, pause); err != nil {
				return err
			}
		}
	}
	return nil
}

// lists reports that the server has a kind, and asks it again where it was not
// known.
func (w waiter) lists(ctx context.Context, gvk schema.GroupVersionKind) error {
	_, err := w.cluster.Kind(ctx, gvk)
	if !resource.Missing(err) {
		return err
	}
	w.cluster.Rediscover()
	_, err = w.cluster.Kind(ctx, gvk)
	return err
}

// await waits until an object is ready that others depend on and that the plan
// does not change.
func (w waiter) await(ctx context.Context, id object.ID) error {
	gvk := id.GroupKind().WithVersion("")
	live, err := w.get(ctx, gvk, id)
	if err != nil {
		return err
	}
	if live == nil {
		return fmt.Errorf("wait for %s: it does not exist; fix: apply it, too", id)
	}
	wait, end := w.waiting(gvk, w.scope.Options.ReconcileTimeout)
	defer end()
	_, err = wait.Current(ctx, live)
	return err
}
