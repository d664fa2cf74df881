package laws

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/explain"
)

// What the diagnostic of an unknown key lists are all keys that the schema of the type
// has, and no others. Not listed are keys that name what the resource belongs to, which
// nested ones do not have, lists of what other tools write or only exists, and what
// Konnect does not know any more.
func TestKnownKeysAreListed(t *testing.T) {
	w := newWorld(t)
	x := engine.Explainer(w.cat)
	tried := 0
	for _, b := range writable(w.cat) {
		properties := schemaOf(t, x, b)
		want := slices.DeleteFunc(slices.Sorted(maps.Keys(properties)), func(key string) bool {
			return notListed(b, key)
		})
		s := newScene(w, b)
		diags := s.problems(map[string]any{strangeKey: "1"}, s.parent(b))
		i := slices.IndexFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.CfgUnknownKey })
		if i < 0 {
			t.Errorf("%s: %v", b.Kind, diags)
			continue
		}
		_, list, _ := strings.Cut(diags[i].Fix, "use one of ")
		list, _, _ = strings.Cut(list, ". kongctl")
		tried++
		if got := strings.Split(list, ", "); !slices.Equal(got, want) {
			t.Errorf("%s: the message lists\n%v\nand the schema has\n%v", b.Kind, got, want)
		}
	}
	if tried < 90 {
		t.Errorf("only %d types were tried", tried)
	}
}

// schemaOf are the keys that the schema of a type has.
func schemaOf(t *testing.T, x *explain.Explainer, b *catalog.Bound) map[string]any {
	t.Helper()
	found, err := x.Find(b.Kind)
	if err != nil {
		t.Fatal(err)
	}
	properties, _ := x.Schema(found)["properties"].(map[string]any)
	return properties
}

func notListed(b *catalog.Bound, key string) bool {
	for up := b.Parent; up != nil; up = up.Parent {
		if key == up.Kind || key == up.Kind+"_id" {
			return true
		}
	}
	if c := b.Child(key); c != nil && c.ReadOnly || key == "id" || slices.Contains(b.ParentKeys(), key) {
		return true
	}
	return slices.ContainsFunc(b.Loads, func(l catalog.Loaded) bool { return l.Field == key && l.Ignored })
}

// A group of children says what it cannot have by itself: the group is no unknown key.
func TestGroupsSayWhatTheyHave(t *testing.T) {
	w := newWorld(t)
	x := engine.Explainer(w.cat)
	groups := 0
	for _, b := range writable(w.cat) {
		for group, members := range catalog.Groups(b) {
			groups++
			schema, _ := schemaOf(t, x, b)[group].(map[string]any)
			has, _ := schema["properties"].(map[string]any)
			for name := range has {
				if !slices.ContainsFunc(members, func(m catalog.Member) bool { return m.Name == name }) {
					t.Errorf("%s of %s: the schema has %s", group, b.Kind, name)
				}
			}
			for _, row := range []struct {
				value any
				code  diag.Code
				says  string
			}{
				{map[string]any{strangeKey: "1"}, diag.CfgUnknownKey, strangeKey},
				{"text", diag.CfgWrongShape, group},
				{[]any{"text"}, diag.CfgWrongShape, group},
				{int64(1), diag.CfgWrongShape, group},
			} {
				s := newScene(w, b)
				fields := s.sampled(b, "", nil)
				fields[group] = row.value
				diags := s.problems(fields, s.parent(b))
				if len(diags) != 1 || diags[0].Code != row.code || !strings.Contains(diags[0].Detail, row.says) {
					t.Errorf("%s of %s with %v: %v", group, b.Kind, row.value, diags)
					continue
				}
				for _, m := range members {
					if has[m.Name] == nil || !strings.Contains(diags[0].Fix, m.Name) {
						t.Errorf("%s of %s: %s is not in the schema or not in %v", group, b.Kind, m.Name, diags)
					}
				}
			}
		}
	}
	if groups == 0 {
		t.Error("no type has a group")
	}
}
