package model

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// seed puts what a new organization has, where it is not there.
func (m *Model) seed() error {
	missing := false
	if err := m.o.Store.View(func(tx store.Tx) error {
		missing = founder(tx) == nil
		m.eachSeed(func(region string, rec *store.Record) {
			missing = missing || m.scene(tx, region).Tx.Get(rec.Kind, rec.ID) == nil
		})
		return nil
	}); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	if !missing {
		return nil
	}
	if err := m.o.Store.Update(m.sow); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	return nil
}

func (m *Model) sow(tx store.Tx) error {
	m.found(tx)
	m.eachSeed(func(region string, rec *store.Record) {
		if in := m.scene(tx, region).Tx; in.Get(rec.Kind, rec.ID) == nil {
			in.Put(rec)
		}
	})
	return nil
}

// seeded are the shelves and ids of what a new organization has.
func (m *Model) seeded(tx store.Tx) map[[2]string]bool {
	out := map[[2]string]bool{}
	m.eachSeed(func(region string, rec *store.Record) {
		if r := m.scene(tx, region).Tx.Get(rec.Kind, rec.ID); r != nil {
			out[[2]string{r.Shelf(), r.ID}] = true
		}
	})
	return out
}

func (m *Model) eachSeed(f func(region string, rec *store.Record)) {
	now := m.o.Clock().UTC()
	for _, kind := range slices.Sorted(maps.Keys(m.rules)) {
		b := m.cat.Kind(kind)
		if b == nil {
			continue
		}
		for _, fields := range m.rules[kind].Seeds {
			rec := &store.Record{Kind: kind, Created: now, Updated: now, Fields: CloneMap(fields), Made: map[string]any{}}
			if b.SystemFlag != "" {
				rec.Made[b.SystemFlag] = true
			}
			rec.Unique = m.rule(b).keyOf(b, rec)
			if key, ok := rec.Fields[b.IDField].(string); ok {
				rec.ID = recordID(b, "", key)
			} else if id, ok := rec.Fields["id"].(string); ok {
				rec.ID = id
				delete(rec.Fields, "id")
			} else {
				rec.ID = idOf(b, uuid.NewSHA1(uuid.Nil, []byte(b.Neutral().FirstKind()+"\x00"+rec.Unique)).String())
			}
			if m.global[kind] {
				f("", rec)
				continue
			}
			for _, region := range Regions() {
				f(region, rec)
			}
		}
	}
}

// rename brings records of a store of before to the kinds that their types have
// now.
func (m *Model) rename() error {
	old := func(tx store.Tx) []*store.Record {
		var out []*store.Record
		for _, shelf := range tx.Kinds() {
			if kind, _ := store.SplitShelf(shelf); m.cat.Types().Now(kind) != kind {
				tx.Range(shelf, "", func(r *store.Record) bool { out = append(out, r); return true })
			}
		}
		return out
	}
	found := false
	if err := m.o.Store.View(func(tx store.Tx) error { found = len(old(tx)) > 0; return nil }); err != nil {
		return fmt.Errorf("rename: %w", err)
	}
	if !found {
		return nil
	}
	if err := m.o.Store.Update(func(tx store.Tx) error {
		for _, r := range old(tx) {
			now := *r
			now.Kind = m.cat.Types().Now(r.Kind)
			tx.Delete(r.Shelf(), r.ID)
			tx.Put(&now)
		}
		return nil
	}); err != nil {
		return fmt.Errorf("rename: %w", err)
	}
	return nil
}

// organizationKind is the shelf of the one record whose id is that of the
// organization which a store holds. No type of the catalog is called so.
const organizationKind = "_organization"

// found gives a store without an organization a new one: what was planned for
// one store must not be carried out on another.
func (m *Model) found(tx store.Tx) {
	if founder(tx) != nil {
		return
	}
	now := m.o.Clock().UTC()
	tx.Put(&store.Record{Kind: organizationKind, ID: m.o.NewOrganization(), Created: now, Updated: now})
}

// founder returns the record of the organization, or nil.
func founder(tx store.Tx) *store.Record {
	var found *store.Record
	tx.Range(organizationKind, "", func(r *store.Record) bool { found = r; return false })
	return found
}

// Reset empties the store and puts what a new organization has.
func (m *Model) Reset() error {
	return m.o.Store.Update(func(tx store.Tx) error {
		for _, kind := range tx.Kinds() {
			tx.Range(kind, "", func(r *store.Record) bool { tx.Delete(kind, r.ID); return true })
		}
		return m.sow(tx)
	})
}
