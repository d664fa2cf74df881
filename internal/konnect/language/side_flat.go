package language

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/value"
)

// flatSides are the lists at the root that hold what resources have at their side.
func flatSides(b *reader) map[string]catalog.Flat {
	if b.flats == nil {
		b.flats = b.cat.FlatSides()
	}
	return b.flats
}

// readFlat reads a list at the root whose items name the resource that they stand
// beside. Until unflatten takes them out of the set, they are its children, and find
// it as all flat children find their parents.
func readFlat(b *reader, f catalog.Flat, e value.Entry) {
	switch e.Value.Kind() {
	case value.Null:
		b.scopes.null(f.Side.Type, e.Key, e.KeyPos)
	case value.List:
		if len(e.Value.Items()) == 0 {
			b.emptyFlats = append(b.emptyFlats, emptyFlat{emptyList{f.Type, e.Key, b.scopes.defaultsOf(b.doc), e.KeyPos}, f.Side, e, b.doc})
		}
		for _, item := range e.Value.Items() {
			if item.Kind() != value.Map {
				b.notAnItem(f.Type, item)
				continue
			}
			flatItem(b, f, e.Key, item)
		}
	default:
		b.hide(f.Side.Type, e.Value)
		b.wrongShape(e.Value, fmt.Sprintf("%s must be a list and is %s.", e.Key, shape(e.Value)), "begin each of them with a dash.")
	}
}

func flatItem(b *reader, f catalog.Flat, key string, item value.Value) {
	r := &resource.Resource{Type: f.Type.Neutral(), Pos: item.Pos(), Written: map[string]bool{}, Dir: b.doc.Dir, Base: b.doc.Base, Number: len(b.set.Resources)}
	var left []value.Entry
	for _, e := range item.Entries() {
		switch above := ancestorType(f.Type, e.Key); {
		case slices.Contains(f.Type.ParentKeys(), e.Key):
			b.readParent(r, e)
		case above != nil:
			b.above[r] = append(b.above[r], ancestor{above, reference(e.Value)})
		default:
			left = append(left, e)
		}
	}
	b.set.Resources = append(b.set.Resources, r)
	b.flat[r] = beside{side: f.Side, entry: value.Entry{Key: key, KeyPos: item.Pos(), Value: value.MapAt(item.Pos(), left...)}, doc: b.doc}
}

// emptyFlat is such a list without items.
type emptyFlat struct {
	emptyList
	side  catalog.Side
	entry value.Entry
	doc   source.Document
}

// unflattenEmpty lets an empty list say of every resource that it applies to that
// there is nothing beside it. Where nothing could be, it says nothing.
func unflattenEmpty(b *reader) {
	for _, l := range b.emptyFlats {
		for _, r := range b.set.Resources {
			if catalog.Of(r) != l.of.Parent || r.External != nil || !l.appliesTo(r) {
				continue
			}
			up := func(x *resource.Resource) bool { return catalog.Of(x) == l.side.Type.Parent && x.Parent == r.Parent }
			if slices.ContainsFunc(b.set.Resources, up) {
				b.besides = append(b.besides, beside{r, l.side, l.entry, l.doc})
			}
		}
	}
}

// unflatten takes the items of such lists out of the set. Those that have found the
// resource they stand beside say what that one has there.
func unflatten(b *reader) {
	b.set.Resources = slices.DeleteFunc(b.set.Resources, func(r *resource.Resource) bool {
		x, isFlat := b.flat[r]
		if isFlat {
			x.of = r.Parent
			b.besides = append(b.besides, x)
		}
		return isFlat
	})
	unflattenEmpty(b)
}
