package language

import (
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// emptyLists writes null for an empty list where the contract asks for at least
// one item and takes null for none.
func emptyLists(r *resource.Resource) value.Value {
	return r.Fields.Map(func(p value.Path, v value.Value) value.Value {
		if v.Kind() != value.List || len(v.Items()) > 0 || len(p) == 0 {
			return v
		}
		s := catalog.Of(r).Write().At(p.Generic(), nil)
		if s == nil || s.Type != "array" || !s.Nullable || s.MinItems == nil || *s.MinItems == 0 {
			return v
		}
		return value.NullAt(v.Pos())
	})
}
