// Package remote says what can be reconciled: something that holds resources
// of the catalog's types and lets them be read and changed.
//
// In: types, ids and plain fields. Out: objects as they are. It must never
// import what decides about changes (live, diff, plan, execute).
package remote

import (
	"context"
	"time"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/label"
	"kongctl/internal/resource"
)

// Scope is where resources of a type are: below the ancestors with these ids,
// root first. For types listed over all parents, no ancestors means all.
type Scope struct {
	Type      *catalog.Bound
	Ancestors []string
	// Filter narrows a list: fields and the one value wanted of each.
	Filter map[string]string
}

// native is what Konnect alone knows of an object.
type native struct {
	parentID string
	labels   map[string]string
}

// NewObject makes an object of what Konnect returned: its fields in the form of
// requests, its labels, and the parent that a list over all parents names.
func NewObject(id string, fields map[string]any, labels map[string]string, parentID string) *resource.Object {
	return &resource.Object{ID: id, Fields: fields, Owner: OwnerOf(labels), Native: native{parentID: parentID, labels: labels}}
}

// With is an object with other fields.
func With(o *resource.Object, fields map[string]any) *resource.Object {
	out := *o
	out.Fields = fields
	return &out
}

// Recorded is an object as a plan recorded it.
func Recorded(id string, fields map[string]any) *resource.Object {
	labels := map[string]string{}
	recorded, _ := fields["labels"].(map[string]any)
	for k, v := range recorded {
		labels[k], _ = v.(string)
	}
	return NewObject(id, fields, labels, "")
}

// OwnerOf reads the labels that mark what is managed.
func OwnerOf(labels map[string]string) resource.Owner {
	at, _ := time.Parse(label.TimeForm, labels[label.LastUpdated])
	return resource.Owner{Namespace: labels[label.Namespace], Hash: labels[label.Hash], Protected: label.Protects(labels), At: at}
}

// Labels are the labels of an object.
func Labels(o *resource.Object) map[string]string {
	n, _ := o.Native.(native)
	return n.labels
}

// ParentID is the parent that a list over all parents names.
func ParentID(o *resource.Object) string {
	n, _ := o.Native.(native)
	return n.parentID
}

// Target holds resources.
type Target interface {
	// List reads all objects of a scope.
	List(ctx context.Context, s Scope) ([]*resource.Object, error)
	// Read reads one object; nil when there is none.
	Read(ctx context.Context, s Scope, id string) (*resource.Object, error)
	// Create makes one; of a Map type, id is the key.
	Create(ctx context.Context, s Scope, id string, w Write) (*resource.Object, error)
	// Update changes one.
	Update(ctx context.Context, s Scope, id string, w Write) (*resource.Object, error)
	// Delete removes one; one that is gone counts as removed.
	Delete(ctx context.Context, s Scope, id string) error
	// Organization tells whose resources these are.
	Organization(ctx context.Context) (id string, err error)
}

// Write is what a change sends.
type Write struct {
	Fields map[string]any
	// Secrets are texts in Fields that no error may show.
	Secrets []string
}
