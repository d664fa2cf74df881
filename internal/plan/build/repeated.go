package build

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// listed is what an item of a list stands for: the id of what exists, else the declared
// resource or the text itself.
type listed struct {
	list, id, text string
	of             *resource.Resource
}

// checkRepeated reports lists that have one thing twice: by its id in one place, and by
// its name or a reference in another. What has an id was read.
func checkRepeated(b *Draft) {
	if !b.Mode.Brings() {
		return
	}
	names := declaredNames(b)
	for _, r := range b.Links.Sorted() {
		if !b.writes(r) {
			continue
		}
		first := map[listed]int{}
		eachListed(b, r, names, func(n int, at value.Path, x listed) {
			before, twice := first[x]
			if !twice {
				first[x] = n
				return
			}
			b.diags.Add(diag.ValItems, r.Fields.Nearest(at), fmt.Sprintf("The field %s of the %s must not repeat items, but items %d and %d name the same.", x.list, r.Describe(), before+1, n+1), "keep each item once.")
		})
	}
}

// eachListed goes through the items of a resource's lists that stand for others, and say
// nothing else, in their order.
func eachListed(b *Draft, r *resource.Resource, names siblings, each func(n int, at value.Path, x listed)) {
	items, places := map[string]listed{}, map[string]value.Path{}
	add := func(at value.Path, to *resource.Resource) {
		list, place, ok := itemAt(r, at)
		if !ok {
			return
		}
		x := listed{list: list.String(), of: to}
		if o := b.object(to); o != nil {
			x.id, x.of = o.ID, nil
		}
		items[place], places[place] = x, at
	}
	for _, link := range b.Links.From(r) {
		if _, refers := r.Type.Reference(link.Path.Generic()); refers && link.Field == "id" {
			add(link.Path, link.Target)
		}
	}
	for _, u := range r.Named {
		if u.ID != nil {
			add(u.ID, u.Target)
		}
	}
	if len(r.Type.Namings) > 0 && r.Parent != nil {
		r.Type.NamesIn(b.resolve(r).Plain, func(n resource.Naming, at value.Path, v any) {
			text, isText := v.(string)
			list, place, ok := itemAt(r, at)
			if !ok || !isText || n.Open {
				return
			}
			x := names.meant(r.Parent, n.Kind, text)
			x.list = list.String()
			items[place], places[place] = x, at
		})
	}
	r.Fields.Walk(func(p value.Path, _ value.Value) bool {
		if x, ok := items[p.String()]; ok {
			n, _ := value.Place(p[len(p)-1])
			each(n, places[p.String()], x)
		}
		return true
	})
}

// meant is what a name or an id stands for below a parent.
func (n siblings) meant(parent *resource.Resource, kind, text string) listed {
	if to := n.by[n.place(parent, kind, text)]; to != nil {
		if o := n.b.object(to); o != nil {
			return listed{id: o.ID}
		}
		return listed{of: to}
	}
	if x, ok := found(n.b, parent, kind, text); ok {
		return listed{id: x.Object.ID}
	}
	return listed{text: text}
}

// itemAt is the list that a path leads to an item of, and the item, where that is no more
// than what it stands for: a text, or a mapping with one key.
func itemAt(r *resource.Resource, p value.Path) (list value.Path, item string, ok bool) {
	n := len(p)
	if _, isItem := value.Place(p[n-1]); !isItem {
		n--
		if len(r.Fields.Lookup(p[:n]).Keys()) != 1 {
			return nil, "", false
		}
	}
	if n < 2 {
		return nil, "", false
	}
	_, isItem := value.Place(p[n-1])
	return p[:n-1], p[:n].String(), isItem
}
