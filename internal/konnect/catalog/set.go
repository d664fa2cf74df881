package catalog

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// bindSet binds a Singleton that is read as a list and written whole, by a PUT
// whose body has that list and nothing else.
func bindSet(b *Bound, c *contract.Contract) {
	put := c.Operation("PUT", b.Path)
	if put == nil || put.Body() == nil {
		return
	}
	o := put.Body().Object(nil)
	if names := o.Names(); len(names) == 1 && o.Field(names[0]).Schema.Type == "array" {
		b.Set, b.Update, b.Listed = names[0], put, false
	}
}

// Collected makes a set of the items of its list: what a request has of each.
func Collected(b *Bound, items []map[string]any) map[string]any {
	fields := b.write.At([]string{b.Set}, nil).Items.Object(nil)
	list := make([]any, len(items))
	for i, item := range items {
		kept := map[string]any{}
		for k, v := range item {
			if fields.Field(k) != nil {
				kept[k] = v
			}
		}
		list[i] = kept
	}
	return map[string]any{b.Set: list}
}

// setField is the field of a Singleton that is nothing but a list without an order; "" for
// others.
func setField(b *Bound) string {
	if b.Shape != Singleton || b.write == nil || b.Set != "" {
		return b.Set
	}
	names := b.write.Object(nil).Names()
	if len(names) != 1 || !slices.Contains(b.Unordered, names[0]) {
		return ""
	}
	return names[0]
}

// Members is the kind of what a set holds, and the field of its items that refers
// to it.
func Members(b *Bound) (kind, field string) {
	for _, r := range b.References {
		if len(r.Field) > len(b.Set) && r.Field[:len(b.Set)+1] == b.Set+"." {
			return r.Kind, r.Field[len(b.Set)+1:]
		}
	}
	return "", ""
}
