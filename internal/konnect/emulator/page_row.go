package emulator

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/emulator/model"
	"kongctl/internal/konnect/emulator/store"
	"kongctl/internal/konnect/label"
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
func path(tx store.Tx, b *catalog.Bound, r *store.Record) (name string, depth int) {
	name = recordName(b, r)
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
		name = recordName(b, r) + treeSign + name
		depth++
	}
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
