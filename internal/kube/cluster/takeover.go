package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/util/csaupgrade"
)

// predecessors are the managers whose fields are taken over: those of kubectl
// apply, in both its forms, and of kpt.
var predecessors = []string{"kubectl", "kubectl-client-side-apply", "kpt"}

// inherited reports whether an entry of managed fields is taken over by a
// manager.
func inherited(entry metav1.ManagedFieldsEntry, manager string) bool {
	if entry.Subresource != "" || !slices.Contains(predecessors, entry.Manager) {
		return false
	}
	return entry.Operation == metav1.ManagedFieldsOperationUpdate || entry.Manager != manager
}

// NeedsTakeOver reports whether fields of an object belong to kubectl or kpt,
// so that an apply would conflict or leave dropped fields behind.
func NeedsTakeOver(live *unstructured.Unstructured, manager string) bool {
	return slices.ContainsFunc(live.GetManagedFields(), func(e metav1.ManagedFieldsEntry) bool { return inherited(e, manager) })
}

// TakenOver returns an object whose fields of kubectl and kpt belong to a
// manager. The object that comes in stays as it is.
func TakenOver(live *unstructured.Unstructured, manager string) (*unstructured.Unstructured, error) {
	out := live.DeepCopy()
	entries := out.GetManagedFields()
	// What was applied is treated as what was updated. The names tell the two
	// apart, because only one entry of a name is merged.
	var names []string
	for i := range entries {
		e := &entries[i]
		if !inherited(*e, manager) {
			continue
		}
		if e.Operation == metav1.ManagedFieldsOperationApply {
			e.Operation = metav1.ManagedFieldsOperationUpdate
			e.Manager += " (applied)"
		}
		if !slices.Contains(names, e.Manager) {
			names = append(names, e.Manager)
		}
	}
	out.SetManagedFields(entries)
	for _, name := range names {
		if err := csaupgrade.UpgradeManagedFields(out, sets.New(name), manager); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// TakeOver makes the fields of kubectl and kpt those of a manager, including the
// annotation with what kubectl applied last, and returns the object as it is
// then. It reports whether there was something to do.
func (c *Cluster) TakeOver(ctx context.Context, k Kind, live *unstructured.Unstructured, manager string, dry bool) (*unstructured.Unstructured, bool, error) {
	const most = 5
	uid := live.GetUID()
	for try := 1; ; try++ {
		if !NeedsTakeOver(live, manager) {
			return live, try > 1, nil
		}
		op := operation("take over fields of", k, live.GetNamespace(), live.GetName())
		taken, err := TakenOver(live, manager)
		if err != nil {
			return nil, false, &Error{Op: op, Attempts: 1, Err: err}
		}
		patch, err := json.Marshal([]map[string]any{
			{"op": "replace", "path": "/metadata/managedFields", "value": taken.GetManagedFields()},
			{"op": "test", "path": "/metadata/uid", "value": live.GetUID()},
			// Not a test: the store then answers with a conflict.
			{"op": "replace", "path": "/metadata/resourceVersion", "value": live.GetResourceVersion()},
		})
		if err != nil {
			return nil, false, &Error{Op: op, Attempts: 1, Err: err}
		}
		out, err := c.Patch(ctx, k, live.GetNamespace(), live.GetName(), types.JSONPatchType, patch, PatchOptions{Manager: manager, DryRun: dry})
		if err == nil {
			return out, true, nil
		}
		var failed *Error
		if !errors.As(err, &failed) || try == most || !failed.Conflicted() && !failed.Uncertain() {
			return nil, false, err
		}
		// It changed meanwhile, or the answer was lost: look again.
		now, lost := c.Get(ctx, k, live.GetNamespace(), live.GetName())
		if lost != nil || now.GetUID() != uid {
			return nil, false, err
		}
		live = now
	}
}
