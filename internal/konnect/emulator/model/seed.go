package model

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// seed puts what a new organization has, where it was never put: what people have
// deleted since stays away.
func (m *Model) seed() error {
	missing := false
	if err := m.o.Store.View(func(tx store.Tx) error {
		known := sown(tx)
		m.eachSeed(func(region string, rec *store.Record) {
			missing = missing || !known[seedKey(region, rec)]
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
	known := sown(tx)
	m.eachSeed(func(region string, rec *store.Record) {
		key := seedKey(region, rec)
		if in := m.scene(tx, region).Tx; !known[key] && in.Get(rec.Kind, rec.ID) == nil {
			in.Put(rec)
		}
		known[key] = true
	})
	organization := *founder(tx)
	organization.Made = map[string]any{sownField: anyTexts(slices.Sorted(maps.Keys(known)))}
	tx.Put(&organization)
	return nil
}

// sownField is where the record of the organization lists what was put.
const sownField = "sown"

func seedKey(region string, rec *store.Record) string {
	return store.Shelf(rec.Kind, region) + "/" + rec.ID
}

// sown are the keys of what was put into a store before. A store of the time when
// this was not kept has none.
func sown(tx store.Tx) map[string]bool {
	out := map[string]bool{}
	if organization := founder(tx); organization != nil {
		for _, key := range Texts(organization.Made[sownField]) {
			out[key] = true
		}
	}
	return out
}

func anyTexts(texts []string) []any {
	out := make([]any, len(texts))
	for i, s := range texts {
		out[i] = s
	}
	return out
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
