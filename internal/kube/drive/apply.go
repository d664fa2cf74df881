package drive

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/kube/ready"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// native is what the driver itself needs of an outcome.
type native struct {
	live *unstructured.Unstructured
	gone bool // a deleted object is known not to exist
}

// made is the outcome of a change with an object as it is now.
func made(u *unstructured.Unstructured) (execute.Outcome, error) {
	plain := *u
	plain.Object = make(map[string]any, len(u.Object))
	for key, v := range u.Object {
		plain.Object[key] = v
	}
	if metadata, ok := value.Clone(u.Object["metadata"]).(map[string]any); ok {
		delete(metadata, "managedFields") // bookkeeping of the server: nobody refers to it
		plain.Object["metadata"] = metadata
	}
	fields, err := object.Fields(&plain)
	return execute.Outcome{Object: &resource.Object{ID: string(u.GetUID()), Fields: fields, Native: &native{live: u}}}, err
}

// applier applies objects.
type applier struct{ *site }

// apply applies an object.
func (a applier) apply(ctx context.Context, it *item) (execute.Outcome, error) {
	u, err := a.manifest(ctx, it)
	if err != nil {
		return execute.Outcome{}, err
	}
	live, err := a.settled(ctx, it, u)
	if err != nil {
		return execute.Outcome{}, err
	}
	if live.GetDeletionTimestamp() != nil {
		return execute.Outcome{}, &ready.Error{ID: it.id, State: ready.State{Status: ready.Terminating}, Finalizers: live.GetFinalizers()}
	}
	a.note(func() { a.applied[live.GetUID()] = it.id })
	return made(live)
}

// manifest puts together what is applied: with the values of other objects.
func (a applier) manifest(ctx context.Context, it *item) (*unstructured.Unstructured, error) {
	u, err := object.Make(it.call.Fields)
	if err != nil {
		return nil, err
	}
	for _, s := range it.substitutions {
		source, err := a.source(ctx, it, s)
		if err != nil {
			return nil, err
		}
		v, err := s.Put(u.Object, source.Object)
		if err != nil {
			return nil, fmt.Errorf("mutate %s: %w", it.id, err)
		}
		if object.IsSecret(s.Source.GroupKind()) {
			it.call.Secrets = append(it.call.Secrets, value.Texts(v)...)
		}
	}
	return object.Sendable(u), nil
}

// source reads an object that a value is taken from.
func (a applier) source(ctx context.Context, it *item, s object.Substitution) (*unstructured.Unstructured, error) {
	gvk := s.Source.GroupKind().WithVersion(s.Version)
	k, err := a.kind(ctx, gvk)
	if err != nil {
		return nil, fmt.Errorf("mutate %s: %w", it.id, err)
	}
	id := sourceID(s, k.Namespaced, it)
	if id == it.id {
		return nil, fmt.Errorf("mutate %s: it takes a value of itself", it.id)
	}
	u, err := a.cluster.Get(ctx, k, id.Namespace, id.Name)
	if err != nil {
		return nil, fmt.Errorf("mutate %s: %w", it.id, err)
	}
	return u, nil
}

// settled applies an object until all its fields are ours: what kubectl or kpt
// applied before is taken over. That takes more than one request only where
// there is something to take over.
func (a applier) settled(ctx context.Context, it *item, u *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	k, err := a.cluster.Kind(ctx, it.gvk)
	if err != nil {
		return nil, err
	}
	live, err := a.send(ctx, it, k, u)
	var failed *cluster.Error
	if errors.As(err, &failed) && len(failed.Conflicts()) > 0 {
		now, lost := a.cluster.Get(ctx, k, it.id.Namespace, it.id.Name)
		if lost != nil || !cluster.NeedsTakeOver(now, a.scope.Options.Manager) {
			return nil, conflict(err)
		}
		live, err = now, nil
	}
	if err != nil || !cluster.NeedsTakeOver(live, a.scope.Options.Manager) {
		return live, err
	}
	if _, _, err = a.cluster.TakeOver(ctx, k, live, a.scope.Options.Manager, false); err != nil {
		return nil, err
	}
	live, err = a.send(ctx, it, k, u)
	return live, conflict(err)
}

// send applies an object. A kind that was just defined, or defined again, may take
// the server a moment longer: until then it does not know it, or refuses fields
// that are new.
func (a applier) send(ctx context.Context, it *item, k cluster.Kind, u *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	const (
		pause = 200 * time.Millisecond
		most  = 25
	)
	o := cluster.ApplyOptions{Manager: a.scope.Options.Manager, Force: a.scope.Options.ForceConflicts, Hide: it.call.Secrets}
	for try := 1; ; try++ {
		live, err := a.cluster.Apply(ctx, k, u, o)
		if err == nil || try == most || !a.isFresh(it) || !tooEarly(err) {
			return live, err
		}
		waiting, cancel := resource.Waiting(ctx)
		ended := a.Sleep(waiting, pause)
		cancel()
		if ended != nil {
			return nil, err
		}
	}
}

// tooEarly reports whether a server that does not know a definition yet may have
// given an error.
func tooEarly(err error) bool {
	var failed *cluster.Error
	if !errors.As(err, &failed) {
		return false
	}
	switch failed.Status() {
	case http.StatusNotFound, http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return true
	default:
		return false
	}
}

// conflictError is an apply that other managers of fields stand against.
type conflictError struct{ error }

func (e *conflictError) Error() string {
	return e.error.Error() + "; fix: remove these fields from the manifest, or take them with --force-conflicts"
}

func (e *conflictError) Unwrap() error { return e.error }

// conflict says what to do about a conflict; other errors stay as they are.
func conflict(err error) error {
	var failed *cluster.Error
	if errors.As(err, &failed) && len(failed.Conflicts()) > 0 {
		return &conflictError{err}
	}
	return err
}
