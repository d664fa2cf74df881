package inventory

import (
	"context"
	"errors"
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/object"
)

// SaveStatus records what became of the entries of a saved inventory. What is
// recorded already is not sent. Near the limit of one value the statuses of the
// objects are left out.
func SaveStatus(ctx context.Context, c *cluster.Cluster, i *Inventory) error {
	states := make(map[object.ID]Entry, len(i.Entries))
	for _, e := range i.Entries {
		states[e.ID] = e
	}
	for n, u := range i.stored {
		written, err := saveStatus(ctx, c, u, states)
		if err != nil {
			return err
		}
		i.stored[n] = written
	}
	if len(i.stored) > 0 {
		i.Version, i.Generation = i.stored[0].GetResourceVersion(), i.stored[0].GetGeneration()
	}
	return nil
}

func saveStatus(ctx context.Context, c *cluster.Cluster, u *unstructured.Unstructured, states map[object.ID]Entry) (*unstructured.Unstructured, error) {
	for try := 1; ; try++ {
		next := u.DeepCopy()
		setStatus(next, states)
		if reflect.DeepEqual(u.Object["status"], next.Object["status"]) {
			return u, nil
		}
		out, err := c.UpdateStatus(ctx, Kind, next, false)
		if err == nil {
			return out, nil
		}
		var failed *cluster.Error
		if !errors.As(err, &failed) || try == maxTries || !failed.Conflicted() && (!failed.Uncertain() || try >= maxUnclear) {
			return nil, err
		}
		now, lost := c.Get(ctx, Kind, u.GetNamespace(), u.GetName())
		if lost != nil {
			return nil, lost
		}
		u = now
	}
}

// setStatus sets the status of a ResourceGroup. Conditions of others stay.
func setStatus(u *unstructured.Unstructured, states map[object.ID]Entry) {
	recorded := entries(u)
	status := map[string]any{}
	if old, ok := u.Object["status"].(map[string]any); ok && old["conditions"] != nil {
		status["conditions"] = old["conditions"]
	}
	status["observedGeneration"] = u.GetGeneration()
	u.Object["status"] = status
	var list []any
	for _, e := range recorded {
		if state, ok := states[e.ID]; ok && state.Strategy != "" {
			list = append(list, statusOf(state))
		} else if e.Strategy != "" {
			list = append(list, statusOf(e)) // of another run
		}
	}
	if len(list) == 0 {
		return
	}
	if status["resourceStatuses"] = list; jsonBytes(u.Object["spec"])+jsonBytes(status) > (Limit{}).bytes() {
		delete(status, "resourceStatuses")
	}
}

// dropStatuses removes the statuses of the objects from the status.
func dropStatuses(ctx context.Context, c *cluster.Cluster, u *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	light := u.DeepCopy()
	status, _ := light.Object["status"].(map[string]any)
	delete(status, "resourceStatuses")
	return c.UpdateStatus(ctx, Kind, light, false)
}
