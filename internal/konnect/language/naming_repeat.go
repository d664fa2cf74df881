package language

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// repeats reports lists of names that have one twice, however it is written: by the
// name, by a reference or by a variable.
func (s siblings) repeats() {
	for _, r := range s.set.Resources {
		if len(r.Type.Namings) == 0 || r.External != nil {
			continue
		}
		first := map[string]int{}
		r.Fields.Walk(func(p value.Path, list value.Value) bool {
			n := r.Type.NamedAt(p.Generic())
			if n.Kind == "" || list.Kind() != value.List {
				return true
			}
			for i, v := range list.Items() {
				name, known := s.saysName(n.Kind, v)
				if !known {
					continue
				}
				key := p.String() + " " + name
				if at, twice := first[key]; twice {
					s.diags.Add(diag.ValItems, v.Pos(), fmt.Sprintf("The field %s of the %s must not repeat items, but items %d and %d name the same.", p, r.Describe(), at+1, i+1), "keep each item once.")
					continue
				}
				first[key] = i
			}
			return false
		})
	}
}

// deepest is how many references a name is followed through: more make a circle, or
// might as well.
const deepest = 8

// saysName is the name that a value is, as far as inputs say it; false where they do not.
func (s siblings) saysName(kind string, v value.Value) (string, bool) {
	return inputText(s.state, s.source(kind, v, 0))
}

// source is where a name comes from: a text or a variable, else the value itself.
func (s siblings) source(kind string, v value.Value, depth int) value.Value {
	e := v.Expr()
	if e == nil || e.Op != value.OpRef || depth > deepest {
		return v
	}
	to := s.called[e.Name]
	if to == nil {
		return v
	}
	field := e.Field
	if id := to.Type.Identity; to.Type.Kind == kind && (field == "" || field == keyID) && len(id) == 1 {
		field = id[0] // its id names the same
	}
	if to.External != nil {
		if says, ok := to.External.Says(field, v.Pos()); ok {
			return says
		}
		return v
	}
	return s.source(kind, to.Fields.Lookup(value.ParsePath(field)), depth+1)
}
