package catalog

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// Items is a list whose items have ids of Konnect's own: an update that sends an
// item with its id changes it, and one without makes another one.
type Items struct {
	// Field is the list.
	Field string
	// Known are the fields that an item is known by: the texts that each one has.
	Known []string
}

// itemID is the field with the id of an item.
const itemID = "id"

// ItemLists are the lists of a type whose items have ids: the update takes them and
// the create does not.
func ItemLists(b *Bound) []Items {
	if b.Create == nil || b.Update == nil || b.Create.Body() == nil || b.Update.Body() == nil {
		return nil
	}
	var out []Items
	update, create := b.Update.Body().Object(nil), b.Create.Body().Object(nil)
	for _, n := range update.Names() {
		changed, made := itemsOf(update.Field(n)), itemsOf(create.Field(n))
		if changed == nil || made == nil || changed.Field(itemID) == nil || made.Field(itemID) != nil {
			continue
		}
		out = append(out, Items{Field: n, Known: KnownBy(made)})
	}
	return out
}

// KnownBy are the texts that tell the items of a list apart: the one that names each
// item, with those that must be one of a few, else all that each item has. Nothing does
// where all of them must be one of a few: several items may have the same.
func KnownBy(item *contract.Object) []string {
	var texts, chosen []string
	for _, n := range item.Names() {
		f := item.Field(n)
		switch s := f.Schema.Deref(); {
		case !f.Required || s.Type != "string" || s.Secret || s.ReadOnly:
		case len(s.Enum) > 0 || s.Const != nil:
			chosen = append(chosen, n)
		default:
			texts = append(texts, n)
		}
	}
	if len(texts) == 0 {
		return nil
	}
	for _, name := range []string{itemID, "key", "name", "title", "slug", "alias"} {
		if slices.Contains(texts, name) {
			texts = []string{name}
			break
		}
	}
	return append(texts, chosen...)
}

func itemsOf(f *contract.Field) *contract.Object {
	if f == nil || f.Schema.Deref() == nil || f.Schema.Deref().Items == nil {
		return nil
	}
	return f.Schema.Deref().Items.Object(nil)
}

// KeepItems gives the items of a body the ids that they have: first those that are
// as they were, then those that are known by the same texts. Others are new.
func KeepItems(b *Bound, body, was map[string]any) {
	for _, list := range ItemLists(b) {
		items, _ := body[list.Field].([]any)
		old, _ := was[list.Field].([]any)
		taken := map[int]bool{}
		for _, same := range []func(item, old map[string]any) bool{unchanged, list.alike} {
			for _, x := range items {
				item, ok := x.(map[string]any)
				if !ok || item[itemID] != nil {
					continue
				}
				for i, y := range old {
					before, ok := y.(map[string]any)
					if ok && before[itemID] != nil && !taken[i] && same(item, before) {
						taken[i], item[itemID] = true, before[itemID]
						break
					}
				}
			}
		}
	}
}

// unchanged reports whether an item has all values that a body sends.
func unchanged(item, old map[string]any) bool {
	for k, v := range item {
		if !value.Equal(v, old[k]) {
			return false
		}
	}
	return true
}

// alike reports whether two items are known by the same texts.
func (x Items) alike(item, old map[string]any) bool {
	return len(x.Known) > 0 && !slices.ContainsFunc(x.Known, func(f string) bool { return !value.Equal(item[f], old[f]) })
}
