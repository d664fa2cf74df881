package language

import (
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// dashed writes fields as the contract does where it has dashes: key_auth is
// key-auth.
func (b *state) dashed(t *catalog.Bound, fields value.Value) value.Value {
	has, known := b.dashes[t]
	if !known {
		has = t.Write() != nil && hasDashes(t.Write(), 0)
		b.dashes[t] = has
	}
	if !has {
		return fields
	}
	out, _ := withDashes(t.Write(), fields)
	return out
}

// maxDashDepth bounds the search in schemas that hold themselves.
const maxDashDepth = 8

func hasDashes(s *contract.Schema, depth int) bool {
	if s = s.Deref(); s == nil || depth > maxDashDepth {
		return false
	}
	o := s.Object(nil)
	for _, name := range o.Names() {
		if strings.Contains(name, "-") || o.Field(name).Schema != nil && hasDashes(o.Field(name).Schema, depth+1) {
			return true
		}
	}
	return false
}

func withDashes(s *contract.Schema, v value.Value) (out value.Value, changed bool) {
	if s = s.Deref(); s == nil || v.Kind() != value.Map {
		return v, false
	}
	o := s.Object(nil)
	entries := v.Entries()
	for i, e := range entries {
		f := o.Field(e.Key)
		if f == nil {
			name := strings.ReplaceAll(e.Key, "_", "-")
			if f = o.Field(name); f != nil && !v.Has(name) {
				entries[i].Key, changed = name, true
			}
		}
		if f == nil || f.Schema == nil {
			continue
		}
		if inner, other := withDashes(f.Schema, e.Value); other {
			entries[i].Value, changed = inner, true
		}
	}
	if !changed {
		return v, false
	}
	return value.MapAt(v.Pos(), entries...), true
}
