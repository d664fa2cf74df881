package language

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// named is a resource by what it belongs to, its kind and its name.
type named struct {
	parent     *resource.Resource
	kind, name string
}

// orderByName lets resources that are named by others come first. A name that no
// input declares must exist in Konnect, so it is looked up there.
func (b *reader) orderByName(s siblings) {
	all := map[named]*resource.Resource{}
	for _, r := range b.set.Resources {
		if r.External != nil && r.External.Unnamed {
			continue // others may stand for the same
		}
		all[named{r.Parent, r.Type.Kind, r.Name}] = r
		if name, ok := nameIn(b.state, r); ok {
			all[named{r.Parent, r.Type.Kind, name}] = r
		} else if r.External != nil && len(r.Type.Identity) == 1 {
			all[named{r.Parent, r.Type.Kind, r.External.Wanted(r.Type.Identity[0])}] = r
		}
		all[named{nil, r.Type.Kind, r.Ref}] = r
	}
	for _, r := range slices.Clone(b.set.Resources) {
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
				checkSplit(b, r, to, v.Pos())
			}
			from := s.source(ref.Kind, v, 0)
			if name, isText := inputText(b.state, from); to == nil && isText {
				for up := r.Parent; to == nil && up != nil; up = up.Parent {
					to = all[named{up, ref.Kind, name}]
				}
				if to == nil {
					to = b.existing(r, b.cat.Kind(ref.Kind), from.At(v.Pos()))
					refOf(to, v, all[named{nil, ref.Kind, name}])
				}
			}
			if to != nil && to != r {
				r.After = append(r.After, to)
				r.Named = append(r.Named, resource.NamedUse{At: p, ID: append(slices.Clone(p[:len(p)-1]), keyID), Target: to})
			}
			return true
		})
	}
}

// refOf notes that what stands for the name of something that exists is written like the
// ref of a declared resource.
func refOf(x *resource.Resource, v value.Value, to *resource.Resource) {
	if x != nil && to != nil && v.Expr() == nil && isDeclared(to) && to.Parent == x.Parent {
		x.External.RefOf = to
	}
}

// existing stands for a resource that a field names and no input declares. It is
// nil where nothing says whose it is.
func (b *reader) existing(r *resource.Resource, t *catalog.Bound, name value.Value) *resource.Resource {
	if t == nil || t.Parent == nil || len(t.Identity) != 1 || b.set.Incomplete {
		return nil
	}
	above := r.Parent
	for above != nil && above.Type != t.Parent.Neutral() {
		above = above.Parent
	}
	if above == nil {
		return nil
	}
	x := b.externals.newUnnamed(r, t, name.Pos())
	x.External.Named = true
	x.Parent = above
	if id, _ := inputText(b.state, name); idPattern.MatchString(id) {
		if name.Expr() != nil {
			return nil // ids are shown in plans, and what a variable holds is not
		}
		x.External.ID = oneID(id)
		return b.externals.share(x)
	}
	c, ok := selectors{b.state}.fieldCondition(t, value.Entry{Key: t.Identity[0], KeyPos: name.Pos(), Value: name})
	if !ok {
		return nil
	}
	x.External.Selector = &resource.Selector{Pos: name.Pos(), Conditions: []resource.Condition{c}}
	return b.externals.share(x)
}

// checkSplit reports that a field takes the name of what does not lie below the same
// resource.
func checkSplit(b *reader, r, to *resource.Resource, pos value.Pos) {
	if to == nil {
		return
	}
	if own, other := resource.Split(r, to); own != nil && own.External == nil && other.External == nil {
		b.diags = append(b.diags, resource.OtherParent(pos, r, to, own, other))
	}
}

// bothForms tells of mappings that hold the id and the name of another resource:
// Konnect takes one of them.
func bothForms(c checker) {
	t := catalog.Of(c.r)
	if len(t.References) == 0 {
		return
	}
	c.r.Fields.Walk(func(p value.Path, v value.Value) bool {
		if v.Kind() == value.Map && v.Has(keyID) && v.Has("name") {
			if _, either := catalog.ByName(t, p.Child("name").Generic()); either {
				c.addKey(diag.ValUnion, p.Child("name"), fmt.Sprintf("The field %s of the %s does not go with id.", p.Child("name"), c.what()), "keep id or name.")
			}
		}
		return true
	})
}
