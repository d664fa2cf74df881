package emulator

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
	"github.com/kongctl/kongctl/internal/konnect/label"
)

// matches reports whether a row has what is searched for, in whatever case.
func (r pageRow) matches(search string) bool {
	search = strings.ToLower(strings.TrimSpace(search))
	for _, text := range []string{r.Name, r.ID, r.Parent, r.Namespace} {
		if strings.Contains(strings.ToLower(text), search) {
			return true
		}
	}
	return false
}

// sortRows puts rows in the order of what they belong to, then of their names; a
// tree stands below its root, because names of nested ones are paths.
func sortRows(rows []pageRow) {
	slices.SortStableFunc(rows, func(a, b pageRow) int {
		return cmp.Or(strings.Compare(strings.ToLower(a.Parent), strings.ToLower(b.Parent)),
			slices.Compare(strings.Split(strings.ToLower(a.Name), treeSign), strings.Split(strings.ToLower(b.Name), treeSign)), strings.Compare(a.ID, b.ID))
	})
}

// treeSign stands between the names of a path.
const treeSign = " / "

// path is the name of a resource, after those that it nests in, and their number.
func path(tx store.Tx, cat *catalog.Catalog, b *catalog.Bound, r *store.Record) (name string, depth int) {
	name = recordName(tx, cat, b, r)
	if b.Tree == nil {
		return name, 0
	}
	seen := map[string]bool{r.ID: true}
	for {
		above, _ := r.Fields[b.Tree.Parent].(string)
		if r = tx.Get(r.Shelf(), above); r == nil || seen[above] {
			return name, depth
		}
		seen[above] = true
		name = recordName(tx, cat, b, r) + treeSign + name
		depth++
	}
}

// recordName is what people would call the resource. What goes by another one is
// called by the type and the name of that.
func recordName(tx store.Tx, cat *catalog.Catalog, b *catalog.Bound, r *store.Record) string {
	fields := b.Identity
	if f := b.NameField(); f != "" {
		fields = []string{f}
	}
	var parts []string
	for _, f := range fields {
		v := model.At(r.Fields, f)
		if f == b.MapKey {
			v = r.Made[f]
		}
		texts := model.Texts(v)
		if ref, ok := b.Reference(strings.Split(f, ".")); ok && cat.Kind(ref.Kind) != nil && ref.Kind != b.Kind {
			for i, id := range texts {
				if name := referred(tx, cat, cat.Kind(ref.Kind), r, id); name != "" {
					texts[i] = catalog.Words(ref.Kind) + " " + name
				}
			}
		}
		parts = append(parts, texts...)
	}
	const long = 80
	name := strings.Join(parts, " ")
	if runes := []rune(name); len(runes) > long {
		return string(runes[:long]) + "…"
	}
	return name
}

// referred is the name of a resource that another one refers to by its id.
func referred(tx store.Tx, cat *catalog.Catalog, b *catalog.Bound, from *store.Record, id string) string {
	if b.NameField() == "" {
		return "" // it has an id only, or the name of a third
	}
	for _, shelf := range []string{store.Shelf(b.Kind, from.Region), b.Kind} {
		for _, key := range []string{id, from.Parent + "/" + id} { // that of core entities has the parent before it
			if r := tx.Get(shelf, key); r != nil {
				return recordName(tx, cat, b, r)
			}
		}
	}
	return ""
}

// ownership is the namespace that a resource is managed in, or the one that it
// belongs to, and whether it is protected.
func ownership(tx store.Tx, b *catalog.Bound, r *store.Record) (namespace string, protected bool) {
	for b.Parent != nil {
		region := r.Region
		b = b.Parent
		up := tx.Get(store.Shelf(b.Kind, region), r.Parent)
		if up == nil {
			return "", false
		}
		r = up
	}
	labels, _ := r.Fields["labels"].(map[string]any)
	text := func(key string) string { return strings.Join(model.Texts(labels[key]), "") }
	return text(label.Namespace), text(label.Protected) == "true"
}

// moreOf leads to the next rows of a kind.
func moreOf(shelf string, from int, search string) string {
	q := url.Values{"kind": {shelf}, "from": {strconv.Itoa(from)}}
	if search != "" {
		q.Set("q", search)
	}
	return q.Encode()
}
