package language

import (
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// only fills in the required fields that have one allowed value, whatever else stands
// beside them: to write them says nothing. Null says as little as no key.
func only(r *resource.Resource) value.Value {
	t := catalog.Of(r)
	plain, _ := r.Fields.Plain(placeholder).(map[string]any)
	return r.Fields.Map(func(p value.Path, v value.Value) value.Value {
		if v.Kind() != value.Map || len(v.Keys()) == 0 {
			return v
		}
		at := catalog.SchemaAt(t.Write(), p, plain)
		if at == nil {
			return v
		}
		o := at.Object(nil) // of all variants: what tells them apart has several values
		for _, name := range o.Names() {
			if x, one := o.Field(name).Only(); one && (!v.Has(name) || v.Field(name).Kind() == value.Null) {
				v = v.With(value.Entry{Key: name, KeyPos: v.Pos(), Value: value.From(v.Pos(), x)})
			}
		}
		return v
	})
}
