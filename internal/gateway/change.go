package gateway

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// changed tells the fields of an entity that differ, by path, lists as a whole,
// secrets hidden. Null, an empty list and no field are the same. Of an entity
// that another refers to the name counts, and the id where there is no name:
// ids of new entities are generated each time.
func changed(kind string, before, after map[string]any, secrets *masker) map[string]plan.OldNew {
	d := difference{kind: kind, secrets: secrets, out: map[string]plan.OldNew{}}
	if kind == kindPlugin {
		d.plugin = text(after, "name")
	}
	d.compare(nil, strip(before), strip(after))
	if len(d.out) == 0 {
		return nil
	}
	return d.out
}

// strip leaves out what the server keeps about an entity.
func strip(entity map[string]any) map[string]any {
	out := make(map[string]any, len(entity))
	for k, v := range entity {
		if k != "id" && k != "created_at" && k != "updated_at" {
			out[k] = v
		}
	}
	return out
}

type difference struct {
	kind, plugin string
	secrets      *masker
	out          map[string]plan.OldNew
}

func (d *difference) compare(path []string, a, b any) {
	am, aIs := a.(map[string]any)
	bm, bIs := b.(map[string]any)
	if (aIs || value.Empty(a)) && (bIs || value.Empty(b)) && (aIs || bIs) {
		for _, key := range keys(am, bm) {
			if len(path) > 0 && key == "id" && (named(am) || named(bm)) {
				continue
			}
			d.compare(append(path[:len(path):len(path)], key), am[key], bm[key])
		}
		return
	}
	if value.Empty(a) && value.Empty(b) || value.Equal(a, b) || sameSet(path, a, b) {
		return
	}
	x := plan.OldNew{Old: d.show(path, a), New: d.show(path, b)}
	if d.holds(path, b) && !d.holds(path, a) && !value.Empty(a) {
		x.Old = Hidden // where a variable stands now, its last value may have stood
	}
	d.out[value.Path(path).String()] = x
}

// holds tells that a secret is in a value.
func (d *difference) holds(path []string, v any) bool {
	return !value.Equal(d.secrets.all(path, v), v)
}

func (d *difference) show(path []string, v any) any {
	return d.secrets.all(path, hide(d.kind, d.plugin, path, v))
}

func named(m map[string]any) bool { return text(m, "name") != "" || text(m, "username") != "" }

func keys(a, b map[string]any) []string {
	var out []string
	for _, m := range []map[string]any{a, b} {
		for k := range m {
			if !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out
}

// isSet tells of tags, whose order says nothing.
func isSet(path []string) bool { return len(path) == 1 && path[0] == "tags" }

func sameSet(path []string, a, b any) bool { return isSet(path) && sorted(a) == sorted(b) }

func sorted(v any) string {
	list, _ := v.([]any)
	out := make([]string, 0, len(list))
	for _, x := range list {
		s, _ := x.(string)
		out = append(out, s)
	}
	slices.Sort(out)
	return strings.Join(out, "\x00")
}
