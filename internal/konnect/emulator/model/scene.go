package model

import (
	"time"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// Scene is one transaction in one region, as rules see it.
type Scene struct {
	m      *Model
	Tx     store.Tx
	Region string
	// noUnique lets names be taken twice.
	noUnique bool
}

// Kind is a type of the catalog, or nil.
func (sc Scene) Kind(name string) *catalog.Bound { return sc.m.cat.Kind(name) }

// Rule is what the contract cannot express about a type.
func (sc Scene) Rule(b *catalog.Bound) *Rule { return sc.m.rule(b) }

// Contract is Konnect's API.
func (sc Scene) Contract() *contract.Contract { return sc.m.contract }

// NewID makes an id.
func (sc Scene) NewID() string { return sc.m.o.NewID() }

// Now is the time of the service.
func (sc Scene) Now() time.Time { return sc.m.o.Clock().UTC() }

// Stamp is the time of the service as answers show it, to be kept with a record.
func (sc Scene) Stamp() string { return sc.Now().Format(timeFormat) }

// NewRecord makes a record with a new id.
func (sc Scene) NewRecord(kind, owner string, now time.Time, fields map[string]any) *store.Record {
	return &store.Record{
		Kind: kind, ID: recordID(sc.Kind(kind), owner, idOf(sc.Kind(kind), sc.NewID())), Parent: owner, Created: now, Updated: now,
		Fields: fields, Made: map[string]any{},
	}
}

// Organization is the id of the organization which the store holds.
func (sc Scene) Organization() string {
	if r := founder(sc.Tx); r != nil {
		return r.ID
	}
	return ""
}

// Home is the region of requests that name none.
func (sc Scene) Home() string { return sc.m.o.Region }

// Project keeps of a value what a schema of responses has.
func (sc Scene) Project(schema *contract.Schema, v any) any { return sc.m.shapes.project(schema, v) }

// owner finds the record that a path's resource lies below. The id is empty for
// roots.
func (sc Scene) owner(b *catalog.Bound, ancestors []string) (string, error) {
	if b.Parent == nil {
		return "", nil
	}
	above, err := sc.owner(b.Parent, ancestors[:max(0, len(ancestors)-1)])
	if err != nil {
		return "", err
	}
	if len(ancestors) == 0 {
		return "", nil // a list over all parents
	}
	rec, err := sc.Find(b.Parent.Kind, above, ancestors[len(ancestors)-1])
	if err != nil {
		return "", err
	}
	return rec.ID, nil
}

// Find looks a resource up by the id or key in its path.
func (sc Scene) Find(kind, owner, id string) (*store.Record, error) {
	if rec := sc.Named(kind, owner, id); rec != nil {
		return rec, nil
	}
	return nil, missing(sc.Kind(kind), owner, id)
}

func missing(b *catalog.Bound, owner, id string) *Problem {
	if b.Shape == catalog.Singleton && !b.Listed {
		id = "of the " + catalog.OwnerWords(b)
		if b.Parent != nil {
			id = "of " + catalog.Words(b.Parent.Kind) + " " + owner
		}
	}
	return NotFound(b.Kind, id)
}

// lookup is the resource that the path of a call names; nil when it is not
// there. What the path goes through must be there.
func (t task) lookup(owner, id string) (*store.Record, error) {
	up, err := t.above()
	if err != nil {
		return nil, err
	}
	rec := t.sc.namedBy(t.c.act.b, owner, t.linkKey(owner, id), func(field string) (string, bool) {
		if up == nil || field != t.c.act.via.field {
			return "", false
		}
		return up.Public(), true
	})
	if rec != nil && up != nil && At(rec.Fields, t.c.act.via.field) != up.Public() {
		return nil, nil
	}
	return rec, nil
}

// Named finds a resource by its id or, where that may stand for it, by its name,
// or nil.
func (sc Scene) Named(kind, owner, id string) *store.Record {
	return sc.namedBy(sc.Kind(kind), owner, id, nil)
}

// namedBy finds a resource where other fields of the identity are known from the
// path.
func (sc Scene) namedBy(b *catalog.Bound, owner, id string, known func(field string) (string, bool)) *store.Record {
	if rec := sc.Tx.Get(b.Kind, recordID(b, owner, id)); rec != nil && rec.Parent == owner {
		return rec
	}
	rule := sc.Rule(b)
	if !rule.ByName {
		return nil
	}
	var parts []string
	for _, f := range rule.identity(b) {
		part := id
		if known != nil {
			if v, ok := known(f); ok {
				part = v
			}
		}
		parts = append(parts, part)
	}
	return sc.Holder(b.Kind, owner, parts...)
}

// Holder finds the resource that has an identity; nil when it is free.
func (sc Scene) Holder(kind, owner string, identity ...string) *store.Record {
	return sc.Tx.Taken(kind, uniqueKey(owner, identity...))
}

// recordID is the id in the store: a resource without an id of its own, or with
// one that clients choose, goes by that of its owner and its key.
func recordID(b *catalog.Bound, owner, id string) string {
	switch {
	case b.ReadOnly && b.Writer == "" && b.Shape != catalog.Map:
		return id
	case b.Shape == catalog.Map, b.IDField != "", b.Writer != "":
		return owner + "/" + id
	case b.Shape == catalog.Singleton && b.Parent == nil:
		return b.Kind
	case b.Shape == catalog.Singleton && !b.Listed:
		return owner
	default:
		return id
	}
}
