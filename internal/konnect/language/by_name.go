package language

import (
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/resource"
	"kongctl/internal/value"
)

// named is a resource by what it belongs to, its kind and its name.
type named struct {
	parent     *resource.Resource
	kind, name string
}

// orderByName lets resources that are named by others come first.
func (b *reader) orderByName() {
	all := map[named]*resource.Resource{}
	for _, r := range b.set.Resources {
		all[named{r.Parent, r.Type.Kind, r.Name}] = r
		all[named{nil, r.Type.Kind, r.Ref}] = r
	}
	for _, r := range b.set.Resources {
		t := catalog.Of(r)
		if len(t.References) == 0 || r.External != nil {
			continue
		}
		r.Fields.Walk(func(p value.Path, v value.Value) bool {
			ref, ok := catalog.ByName(t, p.Generic())
			if !ok {
				return true
			}
			var to *resource.Resource
			if e := v.Expr(); e != nil && e.Op == value.OpRef {
				to = all[named{nil, ref.Kind, e.Name}]
			} else if name, isText := v.Text(); isText {
				for up := r.Parent; to == nil && up != nil; up = up.Parent {
					to = all[named{up, ref.Kind, name}]
				}
			}
			if to != nil && to != r {
				r.After = append(r.After, to)
			}
			return true
		})
	}
}
