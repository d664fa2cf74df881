// Package inventory is the record of a set in the cluster: a ResourceGroup that
// lists the objects of the set, in the form that kpt reads and writes.
//
// In: the identifiers of objects and what became of them. Out: ResourceGroups
// that never lose an object to another writer. It applies and deletes nothing
// else. It must never import what plans or carries out changes.
package inventory

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
)

// Kind is the kind of an inventory. Whether the server has it is not asked
// beforehand: what is not there is not found.
var Kind = cluster.Kind{
	GroupVersionKind: schema.GroupVersionKind{Group: object.GroupAPIGroup, Version: "v1alpha1", Kind: object.GroupKind},
	Resource:         "resourcegroups", Namespaced: true, Listable: true, Deletable: true,
}

const (
	// parts is the annotation with the number of ResourceGroups of an inventory
	// that one cannot hold.
	parts = "kongctl.konghq.com/inventory-parts"
	// partOf is the label of the second and the further ones, with the id of the
	// inventory. They do not have the label that kpt looks for.
	partOf = "kongctl.konghq.com/inventory-part-of"
	// barrier is the name of an entry of a split inventory for an object that
	// cannot exist. No client can ask for a name with a slash, so kpt fails before
	// it writes anything, instead of continuing with a part of the objects.
	barrier = "this inventory is split/use kongctl"
)

// What became of an object, in the words of kpt.
const (
	StrategyApply  = "Apply"
	StrategyDelete = "Delete"

	Pending   = "Pending" // actuations and reconciles
	Succeeded = "Succeeded"
	Skipped   = "Skipped"
	Failed    = "Failed"
	Timeout   = "Timeout" // reconciles alone

	Unknown = "Unknown" // what kpt writes as status
)

// Entry is an object of an inventory, and what became of it in the last run.
type Entry struct {
	object.ID
	Strategy, Actuation, Reconcile, Status string
}

// Inventory is the record of a set.
type Inventory struct {
	Name, Namespace string
	// ID is the label that objects name as their owner.
	ID string
	// Labels and Annotations are those of the user. Saving adds and changes; it
	// removes none.
	Labels, Annotations map[string]string
	UID                 types.UID
	Version             string // the resourceVersion
	Generation          int64
	Entries             []Entry

	stored  []*unstructured.Unstructured // as they were last seen: the group, then its parts; nil for a gap
	base    map[object.ID]bool           // the entries of stored
	savedID string                       // the ID of stored
}

// String names the inventory for people.
func (i *Inventory) String() string { return i.Namespace + "/" + i.Name }

// Parts returns the number of ResourceGroups that hold the inventory; 0 before
// it was saved.
func (i *Inventory) Parts() int { return len(i.stored) }

// Has reports whether the inventory lists an object.
func (i *Inventory) Has(id object.ID) bool {
	return slices.ContainsFunc(i.Entries, func(e Entry) bool { return e.ID == id })
}

// DamagedError is an inventory of which a part is missing.
type DamagedError struct{ Namespace, Name, Part string }

// Error names the part and the way out.
func (e *DamagedError) Error() string {
	return fmt.Sprintf("inventory %s/%s: its part %s is missing; fix: run kongctl live inventory rebuild", e.Namespace, e.Name, e.Part)
}

// Load returns an inventory, or nil, also where the cluster
// does not know ResourceGroups.
func Load(ctx context.Context, c *cluster.Cluster, namespace, name string) (*Inventory, error) {
	return load(ctx, c, namespace, name, 0, false)
}

// Salvage is Load for an inventory of which parts are missing: it returns what is
// left of it.
func Salvage(ctx context.Context, c *cluster.Cluster, namespace, name string) (*Inventory, error) {
	return load(ctx, c, namespace, name, 0, true)
}

// load also reads parts that the group does not count, up to a number: a run that
// ended early may have left them.
func load(ctx context.Context, c *cluster.Cluster, namespace, name string, most int, damaged bool) (*Inventory, error) {
	group, err := c.Get(ctx, Kind, namespace, name)
	if resource.Missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	stored := []*unstructured.Unstructured{group}
	count, err := partCount(group)
	if err != nil {
		return nil, err
	}
	for i := 2; i <= max(count, most); i++ {
		part, err := c.Get(ctx, Kind, namespace, partName(name, i))
		switch {
		case resource.Missing(err) && i <= count && !damaged:
			return nil, &DamagedError{Namespace: namespace, Name: name, Part: partName(name, i)}
		case resource.Missing(err):
			part = nil // there may be a later one
		case err != nil:
			return nil, err
		}
		stored = append(stored, part)
	}
	for stored[len(stored)-1] == nil {
		stored = stored[:len(stored)-1]
	}
	return of(stored), nil
}

func partName(name string, i int) string { return name + "-part-" + strconv.Itoa(i) }

func partCount(group *unstructured.Unstructured) (int, error) {
	text, ok := group.GetAnnotations()[parts]
	if !ok {
		return 1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("inventory %s/%s: annotation %s: %q is not a number of parts; fix: remove the annotation and run kongctl live inventory rebuild", group.GetNamespace(), group.GetName(), parts, text)
	}
	return n, nil
}

// of returns the inventory that ResourceGroups hold.
func of(stored []*unstructured.Unstructured) *Inventory {
	group := stored[0]
	out := &Inventory{
		Name: group.GetName(), Namespace: group.GetNamespace(), ID: group.GetLabels()[object.InventoryID],
		Labels: group.GetLabels(), Annotations: group.GetAnnotations(),
		UID: group.GetUID(), Version: group.GetResourceVersion(), Generation: group.GetGeneration(),
		stored: stored, base: map[object.ID]bool{},
	}
	delete(out.Labels, object.InventoryID)
	delete(out.Annotations, parts)
	out.savedID = out.ID
	for _, u := range stored {
		for _, e := range entries(u) {
			if !out.base[e.ID] {
				out.base[e.ID] = true
				out.Entries = append(out.Entries, e)
			}
		}
	}
	slices.SortFunc(out.Entries, func(a, b Entry) int { return object.Compare(a.ID, b.ID) })
	return out
}

// entries reads what one ResourceGroup lists; nothing if it does not exist.
func entries(u *unstructured.Unstructured) []Entry {
	if u == nil {
		return nil
	}
	statuses := map[object.ID]Entry{}
	list, _, _ := unstructured.NestedSlice(u.Object, "status", "resourceStatuses")
	for _, item := range list {
		if fields, ok := item.(map[string]any); ok {
			e := Entry{ID: identifier(fields)}
			e.Strategy, _ = fields["strategy"].(string)
			e.Actuation, _ = fields["actuation"].(string)
			e.Reconcile, _ = fields["reconcile"].(string)
			e.Status, _ = fields["status"].(string)
			statuses[e.ID] = e
		}
	}
	var out []Entry
	list, _, _ = unstructured.NestedSlice(u.Object, "spec", "resources")
	for _, item := range list {
		fields, ok := item.(map[string]any)
		if !ok {
			continue
		}
		id := identifier(fields)
		if id.Name == barrier || id.Name == "" || id.Kind == "" {
			continue // no object
		}
		e, known := statuses[id]
		if !known {
			e = Entry{ID: id}
		}
		out = append(out, e)
	}
	return out
}

func identifier(fields map[string]any) object.ID {
	text := func(key string) string {
		s, _ := fields[key].(string)
		return strings.TrimSpace(s)
	}
	return object.ID{Group: text("group"), Kind: text("kind"), Namespace: text("namespace"), Name: text("name")}
}

// ByID returns the inventories of the cluster with an id.
func ByID(ctx context.Context, c *cluster.Cluster, id string) ([]*Inventory, error) {
	return selected(ctx, c, "", object.InventoryID+"="+id, false)
}

// All returns the inventories of a namespace; "" is of the whole cluster. Of one
// that lacks parts it returns what is left.
func All(ctx context.Context, c *cluster.Cluster, namespace string) ([]*Inventory, error) {
	return selected(ctx, c, namespace, object.InventoryID, true)
}

func selected(ctx context.Context, c *cluster.Cluster, namespace, labels string, damaged bool) ([]*Inventory, error) {
	list, err := c.List(ctx, Kind, namespace, cluster.ListOptions{LabelSelector: labels})
	if resource.Missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	out := make([]*Inventory, len(list))
	for i, u := range list {
		if out[i], err = load(ctx, c, u.GetNamespace(), u.GetName(), 0, damaged); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(out, func(i *Inventory) bool { return i == nil }), nil
}

// ids returns the identifiers of entries.
func ids(list []Entry) map[object.ID]bool {
	out := make(map[object.ID]bool, len(list))
	for _, e := range list {
		out[e.ID] = true
	}
	return out
}

// with returns labels or annotations with more set.
func with(have, more map[string]string) map[string]string {
	out := maps.Clone(have)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, more)
	return out
}
