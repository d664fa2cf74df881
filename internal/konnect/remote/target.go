// Package remote says what can be reconciled: something that holds resources
// of the catalog's types and lets them be read and changed.
//
// In: types, ids and plain fields. Out: objects as they are. It must never
// import what decides about changes (live, diff, plan, execute).
package remote

import (
	"context"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
)

// Scope is where resources of a type are: below the ancestors with these ids,
// root first. For types listed over all parents, no ancestors means all.
type Scope struct {
	Type      *catalog.Bound
	Ancestors []string
	// Filter narrows a list: fields and the one value wanted of each.
	Filter map[string]string
}

// Target holds resources.
type Target interface {
	// List reads all objects of a scope.
	List(ctx context.Context, s Scope) ([]*resource.Object, error)
	// Read reads one object, or nil.
	Read(ctx context.Context, s Scope, id string) (*resource.Object, error)
	// Create makes one; of a Map type, id is the key.
	Create(ctx context.Context, s Scope, id string, w Write) (*resource.Object, error)
	// Update changes one.
	Update(ctx context.Context, s Scope, id string, w Write) (*resource.Object, error)
	// Delete removes one; one that is gone counts as removed.
	Delete(ctx context.Context, s Scope, id string) error
	// Organization tells whose resources these are.
	Organization(ctx context.Context) (id, name string, err error)
}

// Watcher is a target that wants to know how far the reads for a plan are.
type Watcher interface {
	// Reading takes how many reads are about to start, and how many ended.
	Reading(started, ended int)
}

// Reading says how far reads are, to a target that wants to know.
func Reading(t Target, started, ended int) {
	if w, ok := t.(Watcher); ok {
		w.Reading(started, ended)
	}
}

// Write is what a change sends.
type Write struct {
	Fields map[string]any
	// Secrets are texts in Fields that no error may show.
	Secrets []string
	// Method is that of the update, where a type has two.
	Method string
	// New writes make a resource.
	New bool
}
