package gateway

import (
	"strings"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/value"
)

// FieldSchema is what the contract says of a field of a state, so that a
// variable can be the number that a port is. It says nothing of the
// configuration of plugins: what stands there stays a text.
func FieldSchema(cat *catalog.Catalog, path value.Path) *contract.Schema {
	var kind string
	rest, list := path.Generic(), shapes
	for len(rest) > 0 {
		s := shapeOf(list, rest[0])
		if s == nil {
			break
		}
		kind, rest, list = s.kind, rest[1:], s.nested
	}
	t := cat.Kind("gateway_" + strings.ReplaceAll(kind, "-", "_"))
	if t == nil || len(rest) == 0 {
		return nil
	}
	return t.Returned().At(rest, nil)
}

func shapeOf(list []shape, key string) *shape {
	for _, s := range list {
		if s.key == key {
			return &s
		}
	}
	return nil
}
