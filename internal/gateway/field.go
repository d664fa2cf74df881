package gateway

import (
	"strings"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Coerce turns the text of a variable into what a field of a state takes, so that
// it can be the number that a port is. Nothing is known of the configuration of
// plugins: what stands there stays a text.
func Coerce(types *resource.Types, path value.Path, v any) any {
	var kind string
	rest, list := path.Generic(), shapes
	for len(rest) > 0 {
		s := shapeOf(list, rest[0])
		if s == nil {
			break
		}
		kind, rest, list = s.kind, rest[1:], s.nested
	}
	t := types.Kind("gateway_" + strings.ReplaceAll(kind, "-", "_"))
	if t == nil || len(rest) == 0 {
		return v
	}
	return t.Coerce(rest, v)
}

func shapeOf(list []shape, key string) *shape {
	for _, s := range list {
		if s.key == key {
			return &s
		}
	}
	return nil
}
