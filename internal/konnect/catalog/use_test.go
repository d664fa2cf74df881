package catalog_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
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
	cascades, named := 0, 0
	for _, used := range cat.All() {
		for _, u := range cat.Types().NamedBy(used.Kind) {
			named++
			if !listed(catalog.OfType(u.By), u.Field) || u.By.Parent != used.Neutral().Parent || used.Parent == nil {
				t.Errorf("a list of %s beside %s does not return %s", u.By.Kind, used.Kind, u.Field)
			}
		}
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
	if cascades == 0 || named == 0 {
		t.Error("nothing cascades, or is named: the law was not tried")
	}
}

// What is derived comes from texts of resources with the same parent, and has an
// identity that is read from them.
func TestDerivedComesFromSiblings(t *testing.T) {
	cat := load(t)
	found := 0
	for _, b := range cat.All() {
		if b.Derived == nil {
			continue
		}
		found++
		if !b.ReadOnly || b.Writer != "" || len(b.Derived.From) == 0 {
			t.Errorf("%s is derived, and written, or from nothing", b.Kind)
		}
		for _, from := range b.Derived.From {
			source := cat.Kind(from.Kind)
			if source == nil || source.Parent != b.Parent || source.ReadOnly {
				t.Errorf("%s is derived from %s, which nobody writes below the same parent", b.Kind, from.Kind)
				continue
			}
			if !slices.Contains(cat.Types().DerivedFrom(from.Kind), b.Neutral()) {
				t.Errorf("a change of %s does not meet what refers to %s", from.Kind, b.Kind)
			}
		}
		read := b.Derived.Read("openapi: 3.0.0\npaths:\n  x-note: hi\n  /flights: {summary: Flights, get: {}, post: {}}\n  /b:\n")
		if len(read) != 2 || read[0]["method"] != "GET" || read[1]["method"] != "POST" || read[1]["path"] != "/flights" {
			t.Errorf("%s: %v", b.Kind, read)
		}
	}
	if found == 0 {
		t.Error("nothing is derived: the law was not tried")
	}
}

// What refers to something that comes into being below a root, and is not listed with
// what goes with it, is found when the root is deleted.
func TestUsesLeadThroughWhatIsReadOnly(t *testing.T) {
	cat := load(t)
	found := 0
	for _, b := range cat.All() {
		if !b.ReadOnly || b.Writer != "" || b.Parent == nil {
			continue
		}
		through := cat.Types().UsesThrough(b.Parent.Kind)
		for _, u := range cat.Types().Uses(b.Kind) {
			if u.By.Top() == b.Neutral().Top() {
				continue
			}
			found++
			if !slices.ContainsFunc(through, func(x resource.Use) bool { return x.By == u.By && x.Kind == b.Kind && x.Field == u.Field }) {
				t.Errorf("%s refers to %s, and a deletion of %s does not meet that", u.By.Kind, b.Kind, b.Parent.Kind)
			}
			if b.Parent.Parent != nil {
				t.Errorf("%s is below a child: live.ReadUsers knows no ancestors of what is deleted", b.Kind)
			}
			if len(cat.Types().UsesThrough(u.By.Kind)) > 0 {
				t.Errorf("%s is deleted with %s, and something with it in turn", u.By.Kind, b.Parent.Kind)
			}
		}
	}
	if found == 0 {
		t.Error("nothing refers to what is read-only below a root: the law was not tried")
	}
}
