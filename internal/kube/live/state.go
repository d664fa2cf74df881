// Package live reads what exists of Kubernetes objects: the inventory, the objects
// that are declared or listed there, and what a dry run makes of each.
//
// In: declared objects and a connection. Out: a state, and problems with their
// positions. It changes nothing and must never import what plans or carries out
// changes.
package live

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/inventory"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// State is what was read.
type State struct {
	resource.Flat
	// Inventory is the one in the cluster, or nil.
	Inventory *inventory.Inventory
	// Entries are what the inventory must list while a run is under way: what is
	// declared, and what it lists already and exists.
	Entries []object.ID
	// Refused is why the inventory is not this run's, "" where it is.
	Refused string

	found   map[*resource.Resource]*Found
	removed map[*resource.Object]*Removed
}

// Found is what was read of one declared object.
type Found struct {
	Kind cluster.Kind
	// Live is nil where the object does not exist.
	Live *unstructured.Unstructured
	// Manifest is what would be applied, as far as its values are known.
	Manifest *unstructured.Unstructured
	// Known reports that all values of the manifest are known.
	Known bool
	// After is what a dry run made of it; nil where none was made, because nothing
	// would change (Same) or because it cannot be made (Unchecked says why).
	After     *unstructured.Unstructured
	Same      bool
	Unchecked string
	// Owned reports that fields pass from other managers to this one.
	Owned bool
	// Refused is why the object is not this run's to change, "" where it is.
	Refused string
	// Conflict is which fields other managers own, "" for none.
	Conflict string
	// Secret reports that values of a Secret are put in when it is applied.
	Secret bool
	// Mark is the annotation with the fields that come from secrets, "" for none.
	Mark string
	// Hidden are the fields that come from secrets, now or before; Hide is what no
	// message may hold.
	Hidden []value.Path
	Hide   []string
	// NewSecret reports that a secret of the manifest is not in the live object.
	NewSecret bool
}

// Removed is what was read of an object that is listed and not declared.
type Removed struct {
	Kind cluster.Kind
	Live *unstructured.Unstructured
	// Keep is why the object is given up and not deleted, "" where it is deleted.
	Keep string
	// Refused is why the object must not be deleted, "" where it may.
	Refused string
	// Stage orders deletions: what others depend on goes later.
	Stage int
}

// Found returns what was read of a declared object; nil where nothing was.
func (s *State) Found(r *resource.Resource) *Found {
	if s == nil {
		return nil
	}
	return s.found[r]
}

// Lists reports whether the inventory in the cluster lists an object.
func (s *State) Lists(id object.ID) bool {
	return s != nil && s.Inventory != nil && slices.ContainsFunc(s.Inventory.Entries, func(e inventory.Entry) bool { return e.ID == id })
}

// Lost reports whether the inventory is not in the cluster although objects carry
// its id.
func (s *State) Lost() bool {
	if s == nil || s.Inventory != nil {
		return false
	}
	for _, f := range s.found {
		if f.Live != nil && f.Refused == "" && f.Manifest != nil && f.Live.GetAnnotations()[object.Owner] == f.Manifest.GetAnnotations()[object.Owner] {
			return true
		}
	}
	return false
}

// Manages reports whether a manager still owns all fields of the manifest: nobody
// else has changed them.
func (f *Found) Manages(manager string) bool {
	owned := ownedBy(f.Live, manager)
	return owned != nil && f.Manifest != nil && coversAll(owned, f.Manifest.Object)
}

// Dropped lists the fields that a manager owns and that the manifest does not have,
// as far as mappings lead.
func (f *Found) Dropped(manager string) []value.Path {
	owned := ownedBy(f.Live, manager)
	if owned == nil || f.Manifest == nil {
		return nil
	}
	var out []value.Path
	owned.Leaves().Iterate(func(p fieldpath.Path) {
		if at := names(p); len(at) == len(p) && !has(f.Manifest.Object, p) {
			out = append(out, at)
		}
	})
	return out
}

// names are the names of the mappings that a path leads through, up to a list.
func names(p fieldpath.Path) value.Path {
	var out value.Path
	for _, step := range p {
		if step.FieldName == nil {
			break
		}
		out = append(out, *step.FieldName)
	}
	return out
}

// Removed returns what was read of an object that is not declared.
func (s *State) Removed(o *resource.Object) *Removed {
	if s == nil {
		return nil
	}
	return s.removed[o]
}

// Unchanged returns what exists of the declared objects that are this run's and
// not left alone, but for those with a UID of the list.
func (s *State) Unchanged(changed map[string]bool) []*unstructured.Unstructured {
	if s == nil {
		return nil
	}
	var out []*unstructured.Unstructured
	for r, f := range s.found {
		item := object.ItemOf(r)
		if f.Live == nil || f.Refused != "" || item == nil || item.Ignored || changed[string(f.Live.GetUID())] {
			continue
		}
		out = append(out, f.Live)
	}
	slices.SortFunc(out, func(a, b *unstructured.Unstructured) int { return object.Compare(object.Of(a), object.Of(b)) })
	return out
}

// Object is a live object as the core knows it.
func Object(u *unstructured.Unstructured) (*resource.Object, error) {
	fields, err := object.Fields(u)
	if err != nil {
		return nil, err
	}
	item := object.Item{ID: object.Of(u)}
	ref := item.Names()[0]
	if item.ID.Namespace != "" {
		ref = item.Names()[1]
	}
	return &resource.Object{ID: string(u.GetUID()), Ref: ref, Fields: fields, Owner: Owner(u.GetAnnotations()[object.Owner]), Native: u}, nil
}

// Owner is who manages an object, by its annotation.
func Owner(inventory string) resource.Owner {
	if inventory == "" {
		return resource.Owner{}
	}
	return resource.Owner{Namespace: object.Space(inventory)}
}
