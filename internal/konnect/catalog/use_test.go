package catalog_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// listed reports whether a list returns a field, in its place or in another one.
func listed(b *catalog.Bound, field string) bool {
	for _, e := range b.Elsewhere {
		if rest, ok := strings.CutPrefix(field, e.Field); ok && (rest == "" || rest[0] == '.') {
			return b.Returned().At(strings.Split(e.At+rest, "."), nil) != nil
		}
	}
	return b.ReturnedAt(strings.Split(field, ".")).OK
}

// What deletes with it, or refuses, is known from lists alone: the planner reads
// no more than those of the types that refer to what it deletes.
func TestUsesAreSeenInLists(t *testing.T) {
	cat := load(t)
	cascades := 0
	for _, used := range cat.All() {
		for _, u := range cat.Types().Uses(used.Kind) {
			if !listed(catalog.OfType(u.By), u.Field) && u.Field != u.By.KeyField {
				t.Errorf("a list of %s does not return %s", u.By.Kind, u.Field)
			}
			if u.OnDelete != catalog.Cascades {
				continue
			}
			cascades++
			if len(u.By.Children) > 0 || len(cat.Types().Uses(u.By.Kind)) > 0 || u.By.Nest != "" {
				t.Errorf("%s is deleted with %s, and something with it in turn: resource.Users does not read that far", u.By.Kind, used.Kind)
			}
		}
	}
	if cascades == 0 {
		t.Error("nothing cascades: the law was not tried")
	}
}
