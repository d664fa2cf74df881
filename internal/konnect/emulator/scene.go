package emulator

import (
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/emulator/store"
)

// scene is one transaction seen by the rules of behaviour.
type scene struct {
	s      *Server
	tx     store.Tx
	region string
	// noUnique lets names be taken twice.
	noUnique bool
}

// owner finds the record that a path's resource lies below. The id is empty for
// roots.
func (sc scene) owner(b *catalog.Bound, ancestors []string) (string, error) {
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
	rec, err := sc.find(b.Parent, above, ancestors[len(ancestors)-1])
	if err != nil {
		return "", err
	}
	return rec.ID, nil
}

// find looks a resource up by the id or key in its path.
func (sc scene) find(b *catalog.Bound, owner, id string) (*store.Record, error) {
	if rec := sc.named(b, owner, id, nil); rec != nil {
		return rec, nil
	}
	return nil, missing(b, owner, id)
}

func missing(b *catalog.Bound, owner, id string) *problem {
	if b.Shape == catalog.Singleton && !b.Listed {
		id = "of " + spaced(b.Parent.Kind) + " " + owner
	}
	return notFound(b.Kind, id)
}

// lookup is the resource that the path of a call names; nil when it is not
// there. What the path goes through must be there.
func (sc scene) lookup(c *call, owner, id string) (*store.Record, error) {
	up, err := sc.above(c)
	if err != nil {
		return nil, err
	}
	rec := sc.named(c.act.b, owner, id, func(field string) (string, bool) {
		if up == nil || field != c.act.via.field {
			return "", false
		}
		return up.Public(), true
	})
	if rec != nil && up != nil && at(rec.Fields, c.act.via.field) != up.Public() {
		return nil, nil
	}
	return rec, nil
}

// named finds a resource by its id or, where that may stand for it, by its
// name. Other fields of the identity are known from the path.
func (sc scene) named(b *catalog.Bound, owner, id string, known func(field string) (string, bool)) *store.Record {
	if rec := sc.tx.Get(b.Kind, recordID(b, owner, id)); rec != nil && rec.Parent == owner {
		return rec
	}
	con := sc.s.conduct(b)
	if !con.byName {
		return nil
	}
	var parts []string
	for _, f := range con.identity(b) {
		part := id
		if known != nil {
			if v, ok := known(f); ok {
				part = v
			}
		}
		parts = append(parts, part)
	}
	return sc.tx.Taken(b.Kind, uniqueKey(owner, parts...))
}

// recordID is the id in the store: a resource without an id of its own, or with
// one that clients choose, goes by that of its owner and its key.
func recordID(b *catalog.Bound, owner, id string) string {
	switch {
	case b.Shape == catalog.Map, b.External:
		return owner + "/" + id
	case b.Shape == catalog.Singleton && !b.Listed:
		return owner
	default:
		return id
	}
}
