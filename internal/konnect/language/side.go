package language

import (
	"fmt"
	"slices"
	"strings"

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

// place is where resources of a type stand: below an owner, or at the root.
type place struct {
	of    *catalog.Bound
	owner *resource.Resource
}

// turn makes resources of what others say under a key of another type, when it is
// clear what belongs to whom.
func turn(b *reader) {
	if len(b.besides) == 0 {
		return
	}
	at := map[place][]*resource.Resource{}
	for _, r := range b.set.Resources {
		p := place{catalog.Of(r), r.Parent}
		at[p] = append(at[p], r)
	}
	lists := map[place]catalog.Side{} // with their parents
	for _, x := range b.besides {
		parent := parentOf(b, x, at[place{x.side.Type.Parent, x.of.Parent}])
		if parent == nil {
			continue
		}
		lists[place{x.side.Type, parent}] = x.side
		saysOf(parent, x)
		for _, item := range itemsOf(b, x) {
			for _, v := range item.values {
				sideItem(b, x, parent, item, v)
			}
		}
	}
	// A list is written as a whole when all that could say something of it do.
	for l, side := range lists {
		share := l.owner.Shares[side.Type.Key]
		silent := func(r *resource.Resource) bool { return !slices.Contains(share.Of, r) }
		if !slices.ContainsFunc(at[place{catalog.Of(share.Of[0]), l.owner.Parent}], silent) {
			l.owner.Written[side.Type.Key] = true
		}
	}
}

// saysOf notes which share of a list of the parent was written.
func saysOf(parent *resource.Resource, x beside) {
	if parent.Shares == nil {
		parent.Shares = map[string]resource.Share{}
	}
	key := x.side.Type.Key
	parent.Shares[key] = resource.Share{Field: x.side.Field, Of: append(parent.Shares[key].Of, x.of)}
}

// parentOf is what the resources belong to: the only one of its owner.
func parentOf(b *reader, x beside, found []*resource.Resource) *resource.Resource {
	up := x.side.Type.Parent
	one, own := catalog.Words(up.Kind), catalog.Words(x.side.Type.Kind)
	switch len(found) {
	case 1:
		return found[0]
	case 0:
		if saysNone(x.entry.Value) {
			return nil
		}
		b.diags.Add(diag.CfgNoParent, x.entry.KeyPos, fmt.Sprintf("%s belongs to %s, and the %s has none in the configuration.%s", diag.Sentence(diag.A(own)), diag.A(one), catalog.OwnerWords(up), older(b, x, up)),
			fmt.Sprintf("declare %s under %s:. kongctl explain %s describes the fields.", diag.A(one), up.Key, up.Kind))
	default:
		b.diags.Add(diag.CfgNoParent, x.entry.KeyPos, fmt.Sprintf("%s belongs to %s, and the %s has %d of them.", diag.Sentence(diag.A(own)), diag.A(one), catalog.OwnerWords(up), len(found)),
			fmt.Sprintf("write it under %s: of the one that is meant.", x.side.Type.Key))
	}
	return nil
}

// saysNone reports whether a key lists nothing: neither by itself nor in mappings.
func saysNone(v value.Value) bool {
	return v.Kind() == value.List && !slices.ContainsFunc(v.Items(), func(item value.Value) bool {
		return item.Kind() != value.Map || slices.ContainsFunc(item.Entries(), func(e value.Entry) bool {
			return e.Key != keyRef && (e.Value.Kind() != value.List || len(e.Value.Items()) > 0)
		})
	})
}

// older says that what goes with the missing parent does not stand for it, where the
// same owner has that: Konnect keeps the mappings of its older settings apart.
func older(b *reader, x beside, up *catalog.Bound) string {
	for _, r := range b.set.Resources {
		if r.Parent == x.of.Parent && slices.Contains(catalog.Of(r).Follows, up.Kind) {
			return fmt.Sprintf(" Its %s do not stand for one: kongctl writes the mappings of %s, and not those of the older form of Konnect.", strings.TrimPrefix(catalog.Words(catalog.Of(r).Kind), catalog.Words(up.Parent.Kind)+" "), up.Key)
		}
	}
	return ""
}

// sideItem makes the resource that one value of an item stands for. It has the ref
// of an item with one value; of several, each begins with it.
func sideItem(b *reader, x beside, parent *resource.Resource, item sideValues, v value.Value) {
	b.doc = x.doc
	n := len(b.set.Resources)
	b.item(x.side.Type, parent, nil, value.MapAt(v.Pos(),
		value.Entry{Key: x.side.Item, KeyPos: v.Pos(), Value: v},
		value.Entry{Key: x.side.Field, KeyPos: v.Pos(), Value: value.ExprAt(v.Pos(), value.Expression{Op: value.OpRef, Name: x.of.Ref, Field: keyID})},
	))
	for _, r := range b.set.Resources[n:] {
		switch text, _ := v.Text(); {
		case item.ref.Ref == "":
		case len(item.values) == 1:
			r.Ref, r.Explicit, r.RefPos = item.ref.Ref, true, item.ref.RefPos
		default:
			r.Ref = resource.ShortRef(strings.Trim(item.ref.Ref+"-"+slug(text), "-"))
		}
		name(r)
		r.Namespace = parent.Namespace
	}
}

// sideValues are the values of one item, and its ref.
type sideValues struct {
	ref    *resource.Resource
	values []value.Value
}

// itemsOf are the values that a key lists: in mappings with a list each, or by
// themselves.
func itemsOf(b *reader, x beside) []sideValues {
	items := []value.Value{x.entry.Value}
	if x.entry.Value.Kind() == value.List {
		items = x.entry.Value.Items()
	}
	out := make([]sideValues, 0, len(items))
	for _, item := range items {
		one := sideValues{ref: &resource.Resource{Type: x.side.Type.Neutral()}}
		if item.Kind() != value.Map {
			one.values = []value.Value{item}
		} else {
			mappingOf(b, x, item, &one)
		}
		out = append(out, one)
		if len(one.values) != 1 && one.ref.Explicit {
			b.sideRefs = append(b.sideRefs, one.ref)
		}
	}
	return out
}

// mappingOf reads the form {ref: mine, groups: [...]}.
func mappingOf(b *reader, x beside, item value.Value, out *sideValues) {
	for _, e := range item.Entries() {
		switch {
		case e.Key == keyRef:
			b.readRef(out.ref, e.Value)
		case e.Key == x.side.List && e.Value.Kind() == value.List:
			out.values = e.Value.Items()
		case e.Key == x.side.List:
			b.wrongShape(e.Value, fmt.Sprintf("%s must be a list and is %s.", e.Key, shape(e.Value)), "begin each of them with a dash.")
		default:
			b.diags.Add(diag.CfgUnknownKey, e.KeyPos, fmt.Sprintf("%s has no key %q.", x.entry.Key, e.Key), fmt.Sprintf("write %s: with a list.", x.side.List))
		}
	}
	if !item.Has(x.side.List) {
		b.diags.Add(diag.ValRequired, item.Pos(), fmt.Sprintf("%s without %s says nothing.", diag.Sentence("an item of "+x.entry.Key), x.side.List), fmt.Sprintf("write %s: with a list; an empty one removes all.", x.side.List))
	}
}
