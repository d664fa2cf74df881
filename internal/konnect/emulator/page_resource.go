package emulator

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// pageTree is how many resources the tree below one shows.
const pageTree = 500

// resourceView is one resource with the way up and what is below it.
type resourceView struct {
	pageRow
	Words, Region, JSON, Raw string
	Up                       []pageStep
	Children, Uses, UsedBy   []pageBranch
}

// pageStep is a resource on the way up.
type pageStep struct{ Words, Name, Link string }

// pageBranch is the resources of one type in a tree.
type pageBranch struct {
	Words string
	Count int
	Nodes []pageNode
	More  string // leads to the rest
}

// Rest is how many are not shown.
func (b pageBranch) Rest() int { return b.Count - len(b.Nodes) }

// pageNode is a resource in a tree, with those below it.
type pageNode struct {
	pageRow
	Children []pageBranch
}

// resource shows one resource.
func (p page) resource(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	shelf, err := p.shelf(r.URL.Query().Get("kind"), id)
	if err != nil {
		p.s.reply.error(w, r, err)
		return
	}
	body, err := p.s.m.Resource(shelf, id)
	if err != nil {
		p.s.reply.error(w, r, err)
		return
	}
	text, err := readable(body)
	if err != nil {
		p.s.reply.error(w, r, err)
		return
	}
	view := &resourceView{JSON: text, Raw: resourcePath + "?" + url.Values{"kind": {shelf}, "id": {id}}.Encode()}
	err = p.s.store.View(func(tx store.Tx) error {
		kind, _ := store.SplitShelf(shelf)
		b, rec := p.s.cat.Kind(kind), tx.Get(shelf, id)
		if b == nil || rec == nil {
			return model.NotFound(kind, id)
		}
		f := forest{tx: tx, cat: p.s.cat, left: pageTree}
		view.pageRow, view.Words, view.Region = pageRowOf(tx, p.s.cat, b, rec), catalog.Words(kind), rec.Region
		view.Name = recordName(tx, p.s.cat, b, rec)
		view.Up = f.up(b, rec)
		view.Children = f.below(b, rec)
		view.Uses, view.UsedBy = f.uses(b, rec), f.usedBy(b, rec)
		return nil
	})
	if err != nil {
		p.s.reply.error(w, r, err)
		return
	}
	p.show(w, r, http.StatusOK, "resource", view)
}

// shelf returns where a resource is stored: there, or in any region where a type alone
// is named.
func (p page) shelf(name, id string) (string, error) {
	err := p.s.store.View(func(tx store.Tx) error {
		if tx.Get(name, id) != nil {
			return nil
		}
		for _, other := range tx.Kinds() {
			if kind, _ := store.SplitShelf(other); kind == name && tx.Get(other, id) != nil {
				name = other
				return nil
			}
		}
		return nil
	})
	return name, err
}

// forest finds what is above and below resources.
type forest struct {
	tx   store.Tx
	cat  *catalog.Catalog
	left int // how many resources may still be shown
}

// up is the way from the root to what a resource is directly below.
func (f *forest) up(b *catalog.Bound, r *store.Record) (out []pageStep) {
	step := func(b *catalog.Bound, r *store.Record) {
		out = append(out, pageStep{catalog.Words(b.Kind), recordName(f.tx, f.cat, b, r), recordLink(r.Shelf(), r.ID)})
	}
	seen := map[string]bool{r.ID: true}
	for at := r; b.Tree != nil; {
		above, _ := at.Fields[b.Tree.Parent].(string)
		if at = f.tx.Get(r.Shelf(), above); at == nil || seen[above] {
			break
		}
		seen[above] = true
		step(b, at)
	}
	for b.Parent != nil {
		if r = f.tx.Get(store.Shelf(b.Parent.Kind, r.Region), r.Parent); r == nil {
			break
		}
		b = b.Parent
		step(b, r)
	}
	slices.Reverse(out)
	return out
}

// below is the children of a resource by type, each with its own.
func (f *forest) below(b *catalog.Bound, r *store.Record) (out []pageBranch) {
	if b.Tree != nil {
		out = f.add(out, b, r, "", func(shelf string, take func(*store.Record) bool) {
			f.tx.Range(shelf, r.Parent, func(c *store.Record) bool {
				if above, _ := c.Fields[b.Tree.Parent].(string); above == r.ID {
					return take(c)
				}
				return true
			})
		}, nil)
	}
	for _, child := range f.cat.All() {
		if child.Parent == nil || child.Parent.Kind != b.Kind {
			continue
		}
		out = f.add(out, child, r, recordName(f.tx, f.cat, b, r), func(shelf string, take func(*store.Record) bool) { f.tx.Range(shelf, r.ID, take) }, f.below)
	}
	return out
}

// add adds the resources of a type that range finds, in the region of another.
// The rest of them are those that a search for text finds.
func (f *forest) add(out []pageBranch, b *catalog.Bound, near *store.Record, text string, find func(shelf string, take func(*store.Record) bool), below func(*catalog.Bound, *store.Record) []pageBranch) []pageBranch {
	for _, shelf := range f.tx.Kinds() {
		kind, region := store.SplitShelf(shelf)
		if kind != b.Kind || region != near.Region && region != "" && near.Region != "" {
			continue
		}
		records := map[string]*store.Record{}
		var rows []pageRow
		find(shelf, func(c *store.Record) bool {
			row := pageRowOf(f.tx, f.cat, b, c)
			records[row.Link] = c
			rows = append(rows, row)
			return true
		})
		if len(rows) == 0 {
			continue
		}
		sortRows(rows)
		branch := pageBranch{Words: catalog.Words(b.Kind), Count: len(rows), More: pagePath + "?" + moreOf(shelf, 0, text)}
		for _, row := range rows[:min(len(rows), max(f.left, 0))] {
			f.left--
			node := pageNode{pageRow: row}
			if below != nil && b.Tree == nil {
				node.Children = below(b, records[row.Link])
			}
			branch.Nodes = append(branch.Nodes, node)
		}
		out = append(out, branch)
	}
	return out
}

// uses is what a resource refers to.
func (f *forest) uses(b *catalog.Bound, r *store.Record) (out []pageBranch) {
	for _, ref := range b.References {
		target := f.cat.Kind(ref.Kind)
		if target == nil || target.Kind == b.Kind && b.Tree != nil {
			continue
		}
		from := r.Fields
		if ref.Field == b.MapKey {
			from = r.Made
		}
		ids := model.Texts(model.At(from, ref.Field))
		out = f.add(out, target, r, "", func(shelf string, take func(*store.Record) bool) {
			for _, id := range ids {
				for _, key := range []string{id, r.Parent + "/" + id} { // that of core entities has the parent before it
					if to := f.tx.Get(shelf, key); to != nil && !take(to) {
						return
					}
				}
			}
		}, nil)
	}
	return out
}

// usedBy is what refers to a resource.
func (f *forest) usedBy(b *catalog.Bound, r *store.Record) (out []pageBranch) {
	for _, user := range f.cat.All() {
		for _, ref := range user.References {
			if ref.Kind != b.Kind || user.Kind == b.Kind && b.Tree != nil {
				continue
			}
			out = f.add(out, user, r, "", func(shelf string, take func(*store.Record) bool) {
				f.tx.Referring(shelf, ref.Field+"="+r.Public(), func(c *store.Record) bool {
					if b.Writer != "" && c.Parent != r.Parent {
						return true // its id is one of another parent
					}
					return take(c)
				})
			}, nil)
		}
	}
	return out
}

// Title is what people would call the resource.
func (v *resourceView) Title() string {
	if v.Name != "" {
		return v.Name
	}
	return strings.TrimSpace(v.ID)
}
