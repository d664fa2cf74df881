package drive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
)

// deleted is the outcome of a delete.
func deleted(it *item, gone bool) execute.Outcome {
	return execute.Outcome{Object: &resource.Object{ID: it.call.Change.ResourceID, Native: &native{gone: gone}}}
}

// remover deletes objects, and gives them up.
type remover struct{ *site }

// remove deletes an object. One that is gone already, or that has become
// another one under its name, is what the change asks for.
func (r remover) remove(ctx context.Context, it *item) (execute.Outcome, error) {
	uid := types.UID(it.call.Change.ResourceID)
	if r.isApplied(uid) {
		return deleted(it, true), nil // it is the object that another kind of the set names, too
	}
	if err := r.mayRemove(it); err != nil {
		return execute.Outcome{}, err
	}
	k, err := r.kind(ctx, it.gvk)
	if resource.Missing(err) {
		return deleted(it, true), nil
	}
	if err != nil {
		return execute.Outcome{}, err
	}
	gone, err := r.cluster.Remove(ctx, k, it.id.Namespace, it.id.Name, cluster.DeleteOptions{UID: uid, Propagation: r.scope.Options.Propagation})
	if err == nil {
		return deleted(it, gone), nil
	}
	return deleted(it, true), r.stillThere(ctx, it, k, err)
}

// stillThere returns the error of a request about an object, or nil where the
// object that was meant does not exist any more.
func (r remover) stillThere(ctx context.Context, it *item, k cluster.Kind, err error) error {
	if resource.Missing(err) {
		return nil
	}
	var failed *cluster.Error
	if !errors.As(err, &failed) || !failed.Conflicted() {
		return err
	}
	u, lost := r.cluster.Get(ctx, k, it.id.Namespace, it.id.Name)
	if resource.Missing(lost) || lost == nil && string(u.GetUID()) != it.call.Change.ResourceID {
		return nil
	}
	return err
}

// heldError is a delete that is not sent, because of what would go or break
// with the object.
type heldError struct {
	id, by object.ID
	why    string
}

func (e *heldError) Error() string {
	return fmt.Sprintf("delete %s: not done, because %s %s and was not deleted", e.id, e.by, e.why)
}

// mayRemove refuses to delete an object while something is left that should have
// been deleted before it.
func (r remover) mayRemove(it *item) error {
	for _, u := range r.users[it] {
		if !u.call.Expected() {
			return &heldError{id: it.id, by: u.id, why: u.why}
		}
	}
	return nil
}

// user is an object that must be gone before another one, and why.
type user struct {
	*item
	why string
}

// findUsers finds for each object that is deleted what must be gone before.
func (s *site) findUsers() map[*item][]user {
	in, of, by := map[string][]*item{}, map[schema.GroupKind][]*item{}, map[object.ID][]*item{}
	var going []*item
	for _, it := range s.order {
		if it.does == apply || it.does == record {
			continue
		}
		going = append(going, it)
		in[it.id.Namespace] = append(in[it.id.Namespace], it)
		of[it.id.GroupKind()] = append(of[it.id.GroupKind()], it)
		for _, id := range dependsOn(it) {
			by[id] = append(by[id], it)
		}
	}
	out := map[*item][]user{}
	for _, it := range going {
		add := func(why string, users []*item) {
			for _, u := range users {
				if u != it {
					out[it] = append(out[it], user{u, why})
				}
			}
		}
		add("depends on it", by[it.id])
		if it.id.IsNamespace() {
			add("is in it", in[it.id.Name])
		}
		if kind, ok := definedIn(it.call.Change.CurrentState); ok && it.id.IsCRD() {
			add("is of this kind", of[kind])
		}
		if s.isHome(it.id) {
			add("is in the inventory there", going)
		}
	}
	return out
}

// dependsOn are the objects that the annotation of an object names.
func dependsOn(it *item) []object.ID {
	text := object.Annotation(it.call.Change.CurrentState, object.DependsOn)
	if text == "" {
		return nil
	}
	ids, err := object.ParseDependsOn(text)
	if err != nil {
		return nil // the server accepts any text
	}
	return ids
}

// detach removes the mark of the owner from an object that is kept, and nothing
// else.
func (r remover) detach(ctx context.Context, it *item) (execute.Outcome, error) {
	k, err := r.kind(ctx, it.gvk)
	if resource.Missing(err) {
		return deleted(it, true), nil
	}
	if err != nil {
		return execute.Outcome{}, err
	}
	// A patch with the UID is refused for another object.
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"uid": it.call.Change.ResourceID, "annotations": map[string]any{object.Owner: nil},
	}})
	if err != nil {
		return execute.Outcome{}, err
	}
	u, err := r.cluster.Patch(ctx, k, it.id.Namespace, it.id.Name, types.MergePatchType, patch, cluster.PatchOptions{Manager: r.scope.Options.Manager})
	if err != nil {
		return deleted(it, true), r.stillThere(ctx, it, k, err)
	}
	return made(u)
}
