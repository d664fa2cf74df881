package emulator

import (
	"kongctl/internal/catalog"
)

// scene is one transaction seen by the rules of behaviour.
type scene struct {
	s      *Server
	tx     Tx
	region string
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
func (sc scene) find(b *catalog.Bound, owner, id string) (*Record, error) {
	if rec := sc.lookup(b, owner, id); rec != nil {
		return rec, nil
	}
	if b.Shape == catalog.Singleton && !b.Listed {
		id = "of " + spaced(b.Parent.Kind) + " " + owner
	}
	return nil, notFound(b.Kind, id)
}

func (sc scene) lookup(b *catalog.Bound, owner, id string) *Record {
	if rec := sc.tx.Get(b.Kind, recordID(b, owner, id)); rec != nil && rec.Parent == owner {
		return rec
	}
	if !sc.s.conduct(b).byName {
		return nil
	}
	return sc.tx.Taken(b.Kind, uniqueKey(owner, id))
}

// recordID is the id in the store: a resource without an id of its own goes by
// that of its owner and its key.
func recordID(b *catalog.Bound, owner, id string) string {
	switch {
	case b.Shape == catalog.Map:
		return owner + "/" + id
	case b.Shape == catalog.Singleton && !b.Listed:
		return owner
	default:
		return id
	}
}
