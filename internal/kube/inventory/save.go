package inventory

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/clock"
	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
)

// SaveOptions say how an inventory is saved.
type SaveOptions struct {
	// Split spreads an inventory that one ResourceGroup cannot hold over several.
	// One that is split stays split as long as it must be.
	Split  bool
	Limit  Limit
	DryRun bool
}

const (
	maxTries   = 20
	maxUnclear = 3 // where the server fails, it hardly recovers at once
	pause      = 50 * time.Millisecond
)

// IDError is an inventory that another run made with another id.
type IDError struct{ Namespace, Name, ID, Other string }

// Error names both ids.
func (e *IDError) Error() string {
	return fmt.Sprintf("inventory %s/%s has the id %q, not %q; fix: use the id of the cluster, or pass --inventory-policy adopt", e.Namespace, e.Name, e.Other, e.ID)
}

// Rejected is true: saving it again does not help.
func (*IDError) Rejected() bool { return true }

// Refused is true: the cluster would take it.
func (*IDError) Refused() bool { return true }

// Save creates or updates the ResourceGroup of an inventory. Where another
// writer came first, it reads again and keeps what that writer added. What is
// saved already is not sent.
func Save(ctx context.Context, c *cluster.Cluster, i *Inventory, o SaveOptions) error {
	unclear := 0
	for try := 1; ; try++ {
		part, err := i.write(ctx, c, o)
		if err == nil || o.DryRun && resource.Missing(err) {
			return nil
		}
		if resource.Uncertain(err) {
			unclear++
		}
		if !overtaken(err) || try == maxTries || unclear == maxUnclear || ctx.Err() != nil {
			return err
		}
		other, lost := load(ctx, c, i.Namespace, i.Name, part, true)
		if lost != nil {
			return lost
		}
		if other == nil && len(i.stored) == 0 {
			return err // it is not there, and cannot be made
		}
		if err := i.merge(other); err != nil {
			return err
		}
		if err := clock.Sleep(ctx, time.Duration(rand.Float64()*float64(pause)*float64(try))); err != nil {
			return err
		}
	}
}

// overtaken reports whether to read again: another writer came first, or the
// answer was lost.
func overtaken(err error) bool {
	var failed *cluster.Error
	return errors.As(err, &failed) && (failed.Conflicted() || failed.Taken() || failed.Missing() || failed.Uncertain())
}

// merge takes over what another writer saved: what it added stays, what this run
// removed goes, and what this run has is kept.
func (i *Inventory) merge(other *Inventory) error {
	if other == nil { // deleted meanwhile
		i.stored, i.base, i.savedID = nil, nil, ""
		i.UID, i.Version, i.Generation = "", "", 0
		return nil
	}
	if other.ID != i.ID && other.ID != i.savedID {
		return &IDError{Namespace: i.Namespace, Name: i.Name, ID: i.ID, Other: other.ID}
	}
	ours := ids(i.Entries)
	for _, e := range other.Entries {
		if !ours[e.ID] && !i.base[e.ID] {
			i.Entries = append(i.Entries, e)
		}
	}
	i.stored, i.base, i.savedID = other.stored, other.base, other.savedID
	i.UID, i.Version, i.Generation = other.UID, other.Version, other.Generation
	return nil
}

// write sends what differs from what is stored. With an error it returns the
// number of the part that failed.
func (i *Inventory) write(ctx context.Context, c *cluster.Cluster, o SaveOptions) (part int, err error) {
	layout, err := i.layout(o)
	if err != nil {
		return 0, err
	}
	order := make([]int, len(layout))
	for n := range order {
		order[n] = len(layout) - 1 - n
	}
	before := slices.Clone(i.stored)
	if len(layout) > len(i.stored) {
		i.stored = append(i.stored, make([]*unstructured.Unstructured, len(layout)-len(i.stored))...)
	}
	for _, n := range order {
		var old *unstructured.Unstructured
		if n < len(before) {
			old = before[n]
		}
		written, err := i.writeGroup(ctx, c, old, n, layout, o)
		if err != nil {
			i.stored = before
			return n + 1, err
		}
		i.stored[n] = written
	}
	if o.DryRun {
		i.stored = before
		return 0, nil
	}
	if err := i.drop(ctx, c, len(layout)); err != nil {
		return 0, err
	}
	saved := of(i.stored)
	i.base, i.savedID = saved.base, saved.savedID
	i.UID, i.Version, i.Generation = saved.UID, saved.Version, saved.Generation
	return 0, nil
}

// drop deletes parts that hold nothing any more.
func (i *Inventory) drop(ctx context.Context, c *cluster.Cluster, count int) error {
	for n := len(i.stored) - 1; n >= count; n-- {
		u := i.stored[n]
		if u == nil {
			i.stored = i.stored[:n]
			continue
		}
		err := c.Delete(ctx, Kind, u.GetNamespace(), u.GetName(), cluster.DeleteOptions{UID: u.GetUID()})
		if err != nil && !resource.Missing(err) {
			return err
		}
		i.stored = i.stored[:n]
	}
	return nil
}

// writeGroup sends one ResourceGroup, unless it is as stored already.
func (i *Inventory) writeGroup(ctx context.Context, c *cluster.Cluster, old *unstructured.Unstructured, n int, layout [][]Entry, o SaveOptions) (*unstructured.Unstructured, error) {
	u := i.group(old, n, layout)
	if old == nil {
		return c.Create(ctx, Kind, u, o.DryRun)
	}
	if sameGroup(old, u) {
		return old, nil
	}
	if !o.DryRun && jsonBytes(u.Object["spec"])+jsonBytes(old.Object["status"]) > o.Limit.bytes() {
		// Both are stored together: the statuses of the last run make room.
		light, err := dropStatuses(ctx, c, u)
		if err != nil {
			return nil, err
		}
		u.SetResourceVersion(light.GetResourceVersion())
	}
	return c.Update(ctx, Kind, u, o.DryRun)
}

// group returns a ResourceGroup with its entries, as it should be stored.
func (i *Inventory) group(old *unstructured.Unstructured, n int, layout [][]Entry) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{}}
	if old != nil {
		u = old.DeepCopy()
	}
	u.SetGroupVersionKind(Kind.GroupVersionKind)
	u.SetNamespace(i.Namespace)
	if n == 0 {
		u.SetName(i.Name)
		u.SetLabels(with(with(u.GetLabels(), i.Labels), map[string]string{object.InventoryID: i.ID}))
		annotations := with(u.GetAnnotations(), i.Annotations)
		delete(annotations, parts)
		if len(layout) > 1 {
			annotations[parts] = strconv.Itoa(len(layout))
		}
		u.SetAnnotations(annotations)
	} else {
		u.SetName(partName(i.Name, n+1))
		u.SetLabels(with(u.GetLabels(), map[string]string{partOf: i.ID}))
	}
	var list []any
	for _, e := range layout[n] {
		list = append(list, resourceOf(e.ID))
	}
	if len(layout) > 1 {
		list = append(list, resourceOf(object.ID{Kind: "Namespace", Name: barrier}))
	}
	spec, _ := u.Object["spec"].(map[string]any)
	if spec == nil {
		spec = map[string]any{}
		u.Object["spec"] = spec
	}
	if delete(spec, "resources"); len(list) > 0 {
		spec["resources"] = list
	}
	return u
}

// sameGroup reports whether nothing would change by an update.
func sameGroup(a, b *unstructured.Unstructured) bool {
	return maps.Equal(a.GetLabels(), b.GetLabels()) && maps.Equal(a.GetAnnotations(), b.GetAnnotations()) &&
		split(a) == split(b) && maps.Equal(ids(entries(a)), ids(entries(b)))
}

// split reports whether a ResourceGroup has the entry that keeps others away.
func split(u *unstructured.Unstructured) bool {
	list, _, _ := unstructured.NestedSlice(u.Object, "spec", "resources")
	return slices.ContainsFunc(list, func(item any) bool {
		fields, ok := item.(map[string]any)
		return ok && fields["name"] == barrier
	})
}

// Delete deletes the ResourceGroups of an inventory: those that were loaded or
// saved, no others of the same name.
func Delete(ctx context.Context, c *cluster.Cluster, i *Inventory) error {
	for _, u := range i.stored {
		err := c.Delete(ctx, Kind, u.GetNamespace(), u.GetName(), cluster.DeleteOptions{UID: u.GetUID()})
		if err != nil && !resource.Missing(err) {
			return err
		}
	}
	i.stored, i.base, i.savedID = nil, nil, ""
	i.UID, i.Version, i.Generation = "", "", 0
	return nil
}
