package language

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// beside is what a resource says under a key of another type.
type beside struct {
	of    *resource.Resource
	side  catalog.Side
	entry value.Entry
	doc   source.Document
}

// side finds the key of a type under which another type may be written.
func side(b *reader, t *catalog.Bound, key string) (catalog.Side, bool) {
	all, known := b.sides[t]
	if !known {
		all = b.cat.Sides(t)
		b.sides[t] = all
	}
	for _, s := range all {
		if s.Key == key {
			return s, true
		}
	}
	return catalog.Side{}, false
}

// turn makes resources of what others say under a key of another type, when it is
// clear what belongs to whom.
func turn(b *reader) {
	type list struct{ parent, owner *resource.Resource }
	said := map[list]map[*resource.Resource]bool{}
	for _, x := range b.besides {
		parent := parentOf(b, x)
		if parent == nil {
			continue
		}
		at := list{parent, x.of.Parent}
		if said[at] == nil {
			said[at] = map[*resource.Resource]bool{}
		}
		said[at][x.of] = true
		for _, v := range valuesOf(b, x) {
			b.doc = x.doc
			n := len(b.set.Resources)
			b.item(x.side.Type, parent, nil, value.MapAt(v.Pos(),
				value.Entry{Key: x.side.Item, KeyPos: v.Pos(), Value: v},
				value.Entry{Key: x.side.Field, KeyPos: v.Pos(), Value: value.ExprAt(v.Pos(), value.Expression{Op: value.OpRef, Name: x.of.Ref, Field: keyID})},
			))
			for _, r := range b.set.Resources[n:] {
				name(r)
				r.Namespace = parent.Namespace
			}
		}
	}
	// The list of the parent is written when all that could say something of it do.
	for _, x := range b.besides {
		for at, who := range said {
			if at.owner != x.of.Parent || !who[x.of] {
				continue
			}
			whole := true
			for _, r := range b.set.Resources {
				whole = whole && (r.Type != x.of.Type || r.Parent != at.owner || who[r])
			}
			if whole {
				at.parent.Written[x.side.Type.Key] = true
			}
		}
	}
}

// parentOf finds what the resources belong to: the only one of its owner.
func parentOf(b *reader, x beside) *resource.Resource {
	up := x.side.Type.Parent
	var found []*resource.Resource
	for _, r := range b.set.Resources {
		if catalog.Of(r) == up && r.Parent == x.of.Parent {
			found = append(found, r)
		}
	}
	one, own := catalog.Words(up.Kind), catalog.Words(x.side.Type.Kind)
	switch len(found) {
	case 1:
		return found[0]
	case 0:
		b.diags.Add(diag.CfgNoParent, x.entry.KeyPos, fmt.Sprintf("%s belongs to %s, and the %s has none in the configuration.", diag.Sentence(diag.A(own)), diag.A(one), catalog.OwnerWords(up)),
			fmt.Sprintf("declare %s under %s:.", diag.A(one), up.Key))
	default:
		b.diags.Add(diag.CfgNoParent, x.entry.KeyPos, fmt.Sprintf("%s belongs to %s, and the %s has %d of them.", diag.Sentence(diag.A(own)), diag.A(one), catalog.OwnerWords(up), len(found)),
			fmt.Sprintf("write it under %s: of the one that is meant.", x.side.Type.Key))
	}
	return nil
}

// valuesOf are the values that a key lists: in mappings with a list each, or by
// themselves.
func valuesOf(b *reader, x beside) []value.Value {
	items := []value.Value{x.entry.Value}
	switch kind := x.entry.Value.Kind(); {
	case kind == value.Null:
		return nil
	case kind == value.List:
		items = x.entry.Value.Items()
	}
	var out []value.Value
	for _, item := range items {
		if item.Kind() != value.Map {
			out = append(out, item)
			continue
		}
		for _, e := range item.Entries() {
			switch {
			case e.Key == keyRef:
			case e.Key == x.side.List && e.Value.Kind() == value.List:
				out = append(out, e.Value.Items()...)
			case e.Key == x.side.List:
				b.wrongShape(e.Value, fmt.Sprintf("%s must be a list and is %s.", e.Key, shape(e.Value)), "begin each of them with a dash.")
			default:
				b.diags.Add(diag.CfgUnknownKey, e.KeyPos, fmt.Sprintf("%s has no key %q.", x.side.Key, e.Key), fmt.Sprintf("write %s: with a list.", x.side.List))
			}
		}
	}
	return out
}
