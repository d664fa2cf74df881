package model

import (
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// GlobalRegion is the host that all regions share.
const GlobalRegion = "global"

// Regions lists the hosts below which Konnect keeps resources apart. What is
// sent to the global host and is not of the whole organization stands in a
// region of its own (assumed).
func Regions() []string { return []string{"us", "eu", "au", "me", "in", "sg", GlobalRegion} }

// regional is a transaction that sees one region and what belongs to the whole
// organization.
type regional struct {
	all    store.Tx
	global map[string]bool
	region string
}

// of is the region in which a kind is kept; "" for the whole organization.
func (t regional) of(kind string) string {
	if t.global[kind] {
		return ""
	}
	return t.region
}

func (t regional) shelf(kind string) string { return store.Shelf(kind, t.of(kind)) }

// Get finds a record of the region.
func (t regional) Get(kind, id string) *store.Record { return t.all.Get(t.shelf(kind), id) }

// Taken finds who holds a unique key in the region.
func (t regional) Taken(kind, unique string) *store.Record { return t.all.Taken(t.shelf(kind), unique) }

// Range goes over records of the region.
func (t regional) Range(kind, parent string, f func(*store.Record) bool) {
	t.all.Range(t.shelf(kind), parent, f)
}

// Referring goes over records of the region that have a reference.
func (t regional) Referring(kind, ref string, f func(*store.Record) bool) {
	t.all.Referring(t.shelf(kind), ref, f)
}

// Kinds lists the kinds that have records in the region.
func (t regional) Kinds() []string {
	var out []string
	for _, name := range t.all.Kinds() {
		if kind, region := store.SplitShelf(name); region == t.of(kind) {
			out = append(out, kind)
		}
	}
	return out
}

// Put keeps a record in the region.
func (t regional) Put(rec *store.Record) {
	if region := t.of(rec.Kind); rec.Region != region {
		moved := *rec
		moved.Region = region
		rec = &moved
	}
	t.all.Put(rec)
}

// Delete removes a record of the region.
func (t regional) Delete(kind, id string) { t.all.Delete(t.shelf(kind), id) }

// settle gives records a region that were written when there were none.
func (m *Model) settle() error {
	var homeless []string
	if err := m.o.Store.View(func(tx store.Tx) error {
		for _, name := range tx.Kinds() {
			kind, region := store.SplitShelf(name)
			if m.cat.Kind(kind) != nil && region == "" && !m.global[kind] {
				homeless = append(homeless, name)
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if homeless == nil {
		return m.index()
	}
	if err := m.o.Store.Update(func(tx store.Tx) error {
		for _, name := range homeless {
			tx.Range(name, "", func(r *store.Record) bool {
				tx.Delete(name, r.ID)
				moved := *r
				moved.Region = m.o.Region
				tx.Put(&moved)
				return true
			})
		}
		return nil
	}); err != nil {
		return err
	}
	return m.index()
}

// index notes the references of records that were written before there was a
// place for them, and puts core entities where ids are those of their parent.
func (m *Model) index() error {
	var old []*store.Record
	if err := m.o.Store.View(func(tx store.Tx) error {
		for _, name := range tx.Kinds() {
			kind, _ := store.SplitShelf(name)
			b := m.cat.Kind(kind)
			if b == nil {
				continue
			}
			tx.Range(name, "", func(r *store.Record) bool {
				if len(r.Refs) == 0 && len(m.rule(b).refs(b, r)) > 0 || b.Writer != "" && r.Public() == r.ID {
					old = append(old, r)
				}
				return true
			})
		}
		return nil
	}); err != nil || old == nil {
		return err
	}
	return m.o.Store.Update(func(tx store.Tx) error {
		for _, r := range old {
			known, b := *r, m.cat.Kind(r.Kind)
			known.Refs = m.rule(b).refs(b, r)
			if b.Writer != "" {
				tx.Delete(r.Shelf(), r.ID)
				known.ID = recordID(b, r.Parent, r.Public())
			}
			tx.Put(&known)
		}
		return nil
	})
}
