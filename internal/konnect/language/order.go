package language

import (
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// orders declares the order of resources that have one: it is that of their list,
// where none comes before the one that it lies below. They are created in this order.
// One alone has a place, too, among those that nobody declares.
func (b *reader) orders() {
	type list struct {
		parent *resource.Resource
		of     *catalog.Bound
	}
	var lists []list
	items, said := map[list][]*resource.Resource{}, map[list]bool{}
	for _, r := range b.set.Resources {
		t := catalog.Of(r)
		if r.Parent == nil || r.External != nil {
			continue
		}
		if t.Orders != "" {
			said[list{r.Parent, b.cat.Kind(t.Orders)}] = true
		}
		if catalog.OrderOf(t) == nil {
			continue
		}
		at := list{r.Parent, t}
		if items[at] == nil {
			lists = append(lists, at)
		}
		items[at] = append(items[at], r)
	}
	for _, at := range lists {
		all := sorted(items[at])
		for i := 1; i < len(all); i++ {
			all[i].After = append(all[i].After, all[i-1])
		}
		if !said[at] {
			b.declareOrder(at.parent, catalog.OrderOf(at.of), all)
		}
	}
}

// sorted keeps the order of a list, but for what stands before the one that it lies
// below: it comes right after it.
func sorted(list []*resource.Resource) []*resource.Resource {
	field := catalog.Beneath(catalog.Of(list[0]))
	if field == "" {
		return list
	}
	waiting := map[*resource.Resource][]*resource.Resource{}
	done := map[*resource.Resource]bool{}
	var out []*resource.Resource
	var add func(r *resource.Resource)
	add = func(r *resource.Resource) {
		out, done[r] = append(out, r), true
		for _, x := range waiting[r] {
			add(x)
		}
	}
	for _, r := range list {
		if up := above(r, field, list); up != nil && !done[up] {
			waiting[up] = append(waiting[up], r)
		} else {
			add(r)
		}
	}
	if len(out) < len(list) {
		return list // a circle, which is reported elsewhere
	}
	return out
}

// above is the resource of a list that another one lies below.
func above(r *resource.Resource, field string, list []*resource.Resource) *resource.Resource {
	e := r.Fields.Lookup(value.ParsePath(field)).Expr()
	if e == nil || e.Op != value.OpRef {
		return nil
	}
	for _, x := range list {
		if x != r && (x.Ref == e.Name || x.Name == e.Name) {
			return x
		}
	}
	return nil
}

func (b *reader) declareOrder(parent *resource.Resource, t *catalog.Bound, list []*resource.Resource) {
	pos := list[0].Pos
	refs := make([]value.Value, len(list))
	for i, r := range list {
		refs[i] = value.ExprAt(r.Pos, value.Expression{Op: value.OpRef, Name: r.Ref, Field: keyID})
	}
	field := catalog.OrderField(t)
	r := &resource.Resource{
		Type: t.Neutral(), Parent: parent, Pos: pos, Written: map[string]bool{},
		Dir: list[0].Dir, Base: list[0].Base, Number: len(b.set.Resources),
		Namespace: parent.Namespace, Implied: true,
		Fields: value.MapAt(pos, value.Entry{Key: field, KeyPos: pos, Value: value.ListAt(pos, refs)}),
	}
	name(r)
	b.set.Resources = append(b.set.Resources, r)
}

// follow lets resources come after those of the same owner that their type follows.
func (b *reader) follow() {
	type place struct {
		kind   string
		parent *resource.Resource
	}
	all := map[place][]*resource.Resource{}
	for _, r := range b.set.Resources {
		if r.External == nil {
			at := place{r.Type.Kind, r.Parent}
			all[at] = append(all[at], r)
		}
	}
	for _, r := range b.set.Resources {
		for _, kind := range r.Type.Follows {
			r.After = append(r.After, all[place{kind, r.Parent}]...)
		}
	}
}
