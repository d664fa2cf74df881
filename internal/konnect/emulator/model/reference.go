package model

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// use is a field of a type that may refer to another.
type use struct {
	by     *catalog.Bound
	field  string
	ending catalog.Ending
	// forced: what would be refused cascades with force=true.
	forced bool
	// refuses is the status of a refusal where the field has the name, or 0.
	refuses int
}

// usesOf finds out by which types each kind may be referred to.
func usesOf(cat *catalog.Catalog, of func(*catalog.Bound) *Rule) map[string][]use {
	out := map[string][]use{}
	for _, b := range cat.All() {
		rule := of(b)
		for _, ref := range rule.references(b) {
			if cat.Kind(ref.Kind) != nil && ref.OnDelete != catalog.Keeps {
				out[ref.Kind] = append(out[ref.Kind], use{by: b, field: ref.Field, ending: ref.OnDelete, forced: slices.Contains(rule.Forced, ref.Field)})
			}
		}
		for _, n := range namings(b) {
			if status, ok := refusalOf(cat.Kind(n.Kind)); ok {
				out[n.Kind] = append(out[n.Kind], use{by: b, field: n.Field, refuses: status})
			}
		}
	}
	return out
}

// refs is what a record can be found by when something that it refers to is deleted.
func (r *Rule) refs(b *catalog.Bound, rec *store.Record) []string {
	var out []string
	note := func(field string, ids []string) {
		for _, id := range ids {
			if ref := refKey(field, id); !slices.Contains(out, ref) {
				out = append(out, ref)
			}
		}
	}
	for _, ref := range r.references(b) {
		from := rec.Fields
		if ref.Field == b.MapKey {
			from = rec.Made
		}
		note(ref.Field, Texts(At(from, ref.Field)))
	}
	for _, n := range namings(b) {
		note(n.Field, Texts(At(rec.Fields, n.Field)))
	}
	for _, field := range r.Marks {
		note(field, Texts(rec.Made[field]))
	}
	return out
}

func refKey(field, id string) string { return field + "=" + id }

// key is what those that use a record so are found by.
func (u use) key(rec *store.Record) string {
	if u.refuses == 0 {
		return refKey(u.field, rec.Public())
	}
	name, _ := rec.Fields["name"].(string)
	return refKey(u.field, name)
}

// Newly are the texts of a field that a record does not have yet as it is stored. Only
// what they name must be there: what was named before may be gone by now, and a change
// of something else leaves it alone.
func (sc Scene) Newly(rec *store.Record, field string) []string {
	named := Texts(At(rec.Fields, field))
	old := sc.Tx.Get(rec.Kind, rec.ID)
	if old == nil {
		return named
	}
	before := Texts(At(old.Fields, field))
	return slices.DeleteFunc(slices.Clone(named), func(text string) bool { return slices.Contains(before, text) })
}

// references checks that what fields newly refer to is there.
func (d draft) references() error {
	for _, ref := range d.rule.references(d.b) {
		target := d.sc.Kind(ref.Kind)
		if target == nil || ref.Field == d.b.MapKey || slices.Contains(d.rule.Loose, ref.Field) {
			continue
		}
		for _, id := range d.sc.Newly(d.rec, ref.Field) {
			if d.referred(target, id) == nil {
				return Bad("body", ref.Field, "missing_reference", catalog.Words(ref.Kind)+" "+id+" does not exist")
			}
		}
	}
	return nil
}

// referred finds what a field refers to. Core entities refer to those of the
// same control plane, and others too to what lies below the same resource, where both
// types lie below one.
func (d draft) referred(target *catalog.Bound, id string) *store.Record {
	if target.Writer != "" {
		id = recordID(target, d.rec.Parent, id)
	}
	rec := d.sc.Tx.Get(target.Kind, id)
	shared := catalog.Shared(d.b, target)
	if rec == nil || shared == nil {
		return rec
	}
	if there := (draft{sc: d.sc, b: target, rec: rec}); there.above(shared) != d.above(shared) {
		return nil
	}
	return rec
}

// resolve lets a reference between core entities be made by name, and refuses
// one that names nothing. What is kept is the id.
func (d draft) resolve() error {
	if d.b.Writer == "" {
		return d.resolveNames()
	}
	for _, ref := range d.b.References {
		field, ok := strings.CutSuffix(ref.Field, ".id")
		to, given := d.rec.Fields[field].(map[string]any)
		if !ok || !given {
			continue
		}
		id, _ := to["id"].(string)
		if id == "" {
			found, err := d.byName(d.sc.Kind(ref.Kind), field, to)
			if err != nil {
				return err
			}
			id = found.Public()
		}
		d.rec.Fields[field] = map[string]any{"id": id}
	}
	return nil
}

// byName finds what a reference without an id stands for.
func (d draft) byName(target *catalog.Bound, field string, to map[string]any) (*store.Record, error) {
	rule := d.sc.Rule(target)
	identity := rule.identity(target)
	if !rule.ByName || len(identity) != 1 {
		return nil, Bad("body", field+".id", "required", "is required")
	}
	name, _ := to[identity[0]].(string)
	if name == "" {
		return nil, Bad("body", field, "required", "needs id or "+identity[0])
	}
	rec := d.sc.Named(target.Kind, d.rec.Parent, name)
	if rec == nil {
		return nil, Bad("body", field+"."+identity[0], "missing_reference", catalog.Words(target.Kind)+" "+name+" does not exist")
	}
	return rec, nil
}

// elsewhere reports whether what a nested path names lies below another resource
// than the one that the path goes through.
func (t task) elsewhere(owner, id string) bool {
	return t.c.act.via != nil && t.sc.Tx.Get(t.c.act.b.Kind, recordID(t.c.act.b, owner, id)) != nil
}

// resolveNames puts ids in the place of names where the contract takes either.
func (d draft) resolveNames() error {
	for above, ref := range catalog.Either(d.b) {
		target := d.sc.Kind(ref.Kind)
		for _, m := range catalog.Mappings(d.rec.Fields, strings.Split(above, ".")) {
			name, _ := m["name"].(string)
			if m["id"] == nil {
				found := d.sc.Holder(ref.Kind, d.above(target.Parent), name)
				if found == nil {
					return Bad("body", above+".name", "missing_reference", catalog.Words(ref.Kind)+" "+name+" does not exist")
				}
				m["id"] = found.Public()
			}
			delete(m, "name")
		}
	}
	return nil
}

// above is the id of what a record lies below, at any depth.
func (d draft) above(b *catalog.Bound) string {
	id := d.rec.Parent
	for up := d.b.Parent; up != nil && up != b; up = up.Parent {
		rec := d.sc.Tx.Get(up.Kind, id)
		if rec == nil {
			return ""
		}
		id = rec.Parent
	}
	return id
}

// WithNames adds the names of what fields refer to where the contract takes the
// name for the id.
func WithNames(sc Scene, r *store.Record, v map[string]any) {
	for above, ref := range catalog.Either(sc.Kind(r.Kind)) {
		top, _, _ := strings.Cut(above, ".")
		v[top] = Clone(v[top])
		for _, m := range catalog.Mappings(v, strings.Split(above, ".")) {
			id, _ := m["id"].(string)
			if to := sc.Tx.Get(ref.Kind, id); to != nil {
				m["name"] = to.Fields["name"]
			}
		}
	}
}
