// Package store keeps the records of the embedded Konnect.
//
// In: records, in transactions. Out: the same records, found by id, unique key,
// parent or reference, as they are or as they were a while ago; in memory or in
// a file. It knows nothing of types and must never import the catalog, the
// contract or anything else of this module.
package store

import (
	"errors"
	"strings"
	"time"
)

// Store keeps the records. All work happens in transactions: many readers, one
// writer at a time. Update returns once the change is as durable as the store
// can make it; when f fails, nothing has changed.
type Store interface {
	View(f func(Tx) error) error
	Update(f func(Tx) error) error
	Close() error
}

// Tx reads and writes records. What it hands out must not be changed: writers
// put a new record in place of the old one. A kind is the name of a shelf: it
// carries the region of what is kept apart by region.
type Tx interface {
	// Get finds a record by kind and id, or nil.
	Get(kind, id string) *Record
	// Taken finds the record that holds a unique key; nil when it is free.
	Taken(kind, unique string) *Record
	// Range calls f for the records below a parent, or for all of the kind when
	// parent is empty, oldest first, until f returns false.
	Range(kind, parent string, f func(*Record) bool)
	// Referring calls f for the records that have a reference, oldest first,
	// until f returns false.
	Referring(kind, ref string, f func(*Record) bool)
	// Kinds lists the kinds that have records.
	Kinds() []string
	// Put adds a record or takes the place of the one with its id.
	Put(*Record)
	// Delete removes a record; it may be gone already.
	Delete(kind, id string)
}

// Record is one stored resource.
type Record struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
	// Region is where it is kept; empty for what the whole organization has.
	Region string `json:"region,omitempty"`
	// Parent is the id of the record that owns this one.
	Parent string `json:"parent,omitempty"`
	// Unique is a key that no other record of the kind may have.
	Unique string `json:"unique,omitempty"`
	// Also are further such keys.
	Also []string `json:"also,omitempty"`
	// Refs is what the record can be found by: "field=id" for what it refers to.
	Refs    []string  `json:"refs,omitempty"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
	// Order is the place among siblings in a tree.
	Order int `json:"order,omitempty"`
	// Fields is what was written, in the words of the request.
	Fields map[string]any `json:"fields,omitempty"`
	// Made is what the service worked out and keeps.
	Made map[string]any `json:"made,omitempty"`
}

// Public is the id that clients know a record by: those of core entities are
// unique within their parent only.
func (r *Record) Public() string {
	if id, ok := strings.CutPrefix(r.ID, r.Parent+"/"); ok && r.Parent != "" {
		return id
	}
	return r.ID
}

// regionMark stands in the name of a shelf before its region.
const regionMark = "@"

// Shelf is the name under which the record's kind is kept: every region has its
// own shelves.
func (r *Record) Shelf() string { return Shelf(r.Kind, r.Region) }

// Shelf is the name of the shelf of a kind in a region.
func Shelf(kind, region string) string {
	if region == "" {
		return kind
	}
	return kind + regionMark + region
}

// SplitShelf returns the kind and the region that a shelf is for.
func SplitShelf(name string) (kind, region string) {
	kind, region, _ = strings.Cut(name, regionMark)
	return kind, region
}

// Keys are all unique keys of a record.
func (r *Record) Keys() []string {
	if r.Unique == "" {
		return r.Also
	}
	return append([]string{r.Unique}, r.Also...)
}

// Errors of stores.
var (
	// ErrInUse: another process has the data folder open.
	ErrInUse = errors.New("the data folder is in use by another process")
	// ErrCorrupt: the file cannot be trusted. It is left as it is.
	ErrCorrupt = errors.New("the data file is damaged")
	// ErrBroken: a change could not be written. What is in memory cannot be
	// trusted any more, so that nothing is read or written until the store is
	// opened again.
	ErrBroken = errors.New("the store could not be written: restart")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("the store is closed")
)
