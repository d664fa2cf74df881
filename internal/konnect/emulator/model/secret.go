package model

import (
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
	"github.com/kongctl/kongctl/internal/value"
)

// State is all stored resources by kind, without secrets; those that are not
// of the region of the options by kind and region. What a new organization has is
// left out without seeds.
func (m *Model) State(seeds bool) (map[string][]any, error) {
	out := map[string][]any{}
	err := m.o.Store.View(func(tx store.Tx) error {
		left := map[[2]string]bool{}
		if !seeds {
			left = m.seeded(tx)
		}
		for _, name := range tx.Kinds() {
			kind, region := store.SplitShelf(name)
			if m.cat.Kind(kind) == nil {
				continue
			}
			sc := m.scene(tx, region)
			list := []any{}
			tx.Range(name, "", func(r *store.Record) bool {
				if !left[[2]string{name, r.ID}] {
					list = append(list, sc.shown(r))
				}
				return true
			})
			if region == m.o.Region {
				name = kind
			}
			out[name] = list
		}
		return nil
	})
	return out, err
}

// shown is a resource without its secrets.
func (sc Scene) shown(r *store.Record) map[string]any {
	b, v := sc.Kind(r.Kind), sc.View(r)
	if schema := sc.m.actions.written(b); schema != nil {
		hideSecrets(schema, v)
	}
	if hide := sc.Rule(b).Hide; hide != nil {
		hide(v)
	}
	if r.Parent != "" {
		v["parent"] = r.Parent
	}
	return v
}

// Resource is one resource without its secrets.
func (m *Model) Resource(shelf, id string) (v map[string]any, err error) {
	err = m.o.Store.View(func(tx store.Tx) error {
		kind, region := store.SplitShelf(shelf)
		rec := tx.Get(shelf, id)
		if m.cat.Kind(kind) == nil || rec == nil {
			return NotFound(kind, id)
		}
		v = m.scene(tx, region).shown(rec)
		return nil
	})
	return v, err
}

// dropSecrets forgets what no answer shows: a secret that is not stored cannot
// leak. Core entities are shown with all that they have.
func dropSecrets(b *catalog.Bound, fields map[string]any) {
	op := b.Create
	if op == nil {
		op = b.Update
	}
	if op != nil && op.Body() != nil && b.Writer == "" {
		drop(op.Body(), responseSchema(b), fields)
	}
}

func drop(schema, shown *contract.Schema, fields map[string]any) {
	o := schema.Object(fields)
	for k, v := range fields {
		f := o.Field(k)
		// Nothing says that answers hide the secrets of plugins: their schema has the
		// configuration whole, and so has a gateway's. Who shows them must hide them.
		if f == nil || !f.Schema.Secret && plainValue(v) || f.Schema.Tabled() {
			continue
		}
		var visible *contract.Schema
		if shown != nil {
			if visible = shown.At([]string{k}, nil); visible == nil && shown.Object(nil).Open {
				visible = shown // anything may stand there
			}
		}
		if f.Schema.Secret && (visible == nil || visible.WriteOnly || !value.AllFromVault(v)) {
			delete(fields, k)
			continue
		}
		dropBelow(f.Schema, visible, v)
	}
}

func dropBelow(schema, shown *contract.Schema, v any) {
	schema, shown = schema.Deref(), shown.Deref()
	switch x := v.(type) {
	case map[string]any:
		drop(schema, shown, x)
	case []any:
		if schema.Items == nil {
			return
		}
		if shown != nil {
			shown = shown.Items
		}
		for _, e := range x {
			dropBelow(schema.Items, shown, e)
		}
	}
}

// plainValue reports whether a value has nothing below it.
func plainValue(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	default:
		return true
	}
}

func hideSecrets(schema *contract.Schema, v map[string]any) {
	o := schema.Object(v)
	for k, x := range v {
		field := o.Values
		if f := o.Field(k); f != nil {
			field = f.Schema
		}
		switch {
		case field == nil:
		case field.Secret:
			delete(v, k)
		default:
			v[k] = withoutSecrets(field, x)
		}
	}
}

// withoutSecrets copies what has something below it.
func withoutSecrets(schema *contract.Schema, v any) any {
	schema = schema.Deref()
	switch x := v.(type) {
	case map[string]any:
		m := CloneMap(x)
		hideSecrets(schema, m)
		return m
	case []any:
		if schema.Items == nil {
			return x
		}
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = withoutSecrets(schema.Items, e)
		}
		return out
	default:
		return v
	}
}

// secretAt reports whether a schema calls a field secret.
func secretAt(schema *contract.Schema, path []string) bool {
	at := schema.At(value.Path(path).Generic(), nil)
	return at != nil && at.Secret
}
