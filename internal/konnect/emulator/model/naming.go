package model

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// namings are the fields that name resources with the same parent, which must be there.
func namings(b *catalog.Bound) []catalog.Reference {
	var out []catalog.Reference
	for _, n := range b.Namings {
		if n.Open || n.Inside != "" {
			continue
		}
		for _, f := range n.Fields {
			out = append(out, catalog.Reference{Field: f, Kind: n.Kind})
		}
	}
	return out
}

// names checks that what fields newly name is there.
func (d draft) names() error {
	for _, n := range namings(d.b) {
		for _, name := range d.sc.Newly(d.rec, n.Field) {
			byID := d.sc.Tx.Get(n.Kind, name)
			if d.sc.Holder(n.Kind, d.rec.Parent, name) == nil && (byID == nil || byID.Parent != d.rec.Parent) {
				return Bad("body", n.Field, "missing_reference", catalog.Words(n.Kind)+" "+name+" does not exist")
			}
		}
	}
	return nil
}

// refusalOf is the status that refuses to delete what a field names: the contract has
// it, or the deletion is never refused.
func refusalOf(b *catalog.Bound) (int, bool) {
	for _, status := range []int{http.StatusConflict, http.StatusBadRequest} {
		if b.Delete != nil && slices.Contains(b.Delete.Statuses, strconv.Itoa(status)) {
			return status, true
		}
	}
	return 0, false
}
