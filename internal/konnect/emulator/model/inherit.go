package model

import "github.com/kongctl/kongctl/internal/konnect/emulator/store"

// inherit gives fields that are left out what they take from other resources.
func (d draft) inherit() {
	for _, f := range d.b.Inherits {
		if _, given := d.rec.Fields[f.Field]; given {
			continue
		}
		if from := d.source(f.From); from != nil && from.Fields[f.Of] != nil {
			d.rec.Fields[f.Field] = Clone(f.As(d.b, from.Fields[f.Of]))
		}
	}
}

// source is the resource that a reference field names; "" is the parent.
func (d draft) source(field string) *store.Record {
	if field == "" {
		return d.sc.Tx.Get(d.b.Parent.Kind, d.rec.Parent)
	}
	from := d.rec.Fields
	if field == d.b.MapKey {
		from = d.rec.Made
	}
	ref, ok := d.b.Reference([]string{field})
	id, isText := from[field].(string)
	if !ok || !isText {
		return nil
	}
	return d.sc.Tx.Get(ref.Kind, id)
}
