package language

import (
	"fmt"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/value"
)

// mapKey checks the field that becomes a part of the path: no body of the
// contract has it.
func (c checker) mapKey() {
	key := catalog.Of(c.r).MapKey
	if key == "" || !c.r.Fields.Has(key) {
		return
	}
	p, v := value.Path{key}, c.r.Fields.Field(key)
	if e := v.Expr(); v.Kind() == value.String || e != nil && e.Op != value.OpSecret {
		return // an id, a reference, or was reported
	}
	wanted, fix := "a text", "write a text."
	if reference, ok := catalog.Of(c.r).Reference(p); ok {
		kind := catalog.Words(reference.Kind)
		wanted = "the ref, name or id of " + diag.A(kind)
		fix = fmt.Sprintf("write the ref or name of the %s.", kind)
	}
	if meant, ok := meant(v).Text(); ok {
		fix = fmt.Sprintf("write %s: %s", catalog.Of(c.r).ShortName(key), meant)
	}
	if v.Kind() == value.Null {
		c.add(diag.ValNull, p, fmt.Sprintf("The field %s of the %s must be %s and cannot be null.", p, c.what(), wanted), fix)
		return
	}
	c.add(diag.ValType, p, fmt.Sprintf("The field %s of the %s must be %s, not %s.", p, c.what(), wanted, shape(v)), fix)
}

// meant is the one value in a list or mapping that stands where a reference
// belongs.
func meant(v value.Value) value.Value {
	if len(v.Items()) == 1 {
		return v.Items()[0]
	}
	return v.Field(keyRef)
}
