package gateway_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/plan"
)

const one, two, three = "7a1d0f9e-0000-4000-8000-000000000001", "7a1d0f9e-0000-4000-8000-000000000002", "7a1d0f9e-0000-4000-8000-000000000003"

func id(id string) map[string]any { return map[string]any{"id": id} }

// What an entity refers to is told by name where there is one, and an id that is
// made again never.
func TestReferences(t *testing.T) {
	rows := map[string]struct {
		kind          string
		others        []gateway.Edit
		known         gateway.Names
		before, after map[string]any
		want          map[string]plan.OldNew
		unnamed       bool
	}{
		"both are known": {
			kind:   "key",
			others: []gateway.Edit{{Kind: "key-set", Action: plan.Create, After: map[string]any{"id": two, "name": "new"}}},
			known:  gateway.Names{one: "old"},
			before: map[string]any{"set": id(one)}, after: map[string]any{"set": id(two)},
			want: map[string]plan.OldNew{"set.name": {Old: "old", New: "new"}},
		},
		"a consumer": {
			kind:   "acl-group",
			known:  gateway.Names{one: "alice", two: "bob"},
			before: map[string]any{"consumer": id(one)}, after: map[string]any{"consumer": id(two)},
			want: map[string]plan.OldNew{"consumer.username": {Old: "alice", New: "bob"}},
		},
		"a new one without a name": {
			kind:   "sni",
			others: []gateway.Edit{{Kind: "certificate", Action: plan.Create, After: id(two)}},
			before: map[string]any{"certificate": id(one)}, after: map[string]any{"certificate": id(two)},
			want:    map[string]plan.OldNew{"certificate.id": {Old: one, New: gateway.New}},
			unnamed: true,
		},
		"nobody knows": {
			kind:   "sni",
			before: map[string]any{"certificate": id(one)}, after: map[string]any{"certificate": id(two)},
			want:    map[string]plan.OldNew{"certificate.id": {Old: one, New: two}},
			unnamed: true,
		},
		"in a list": {
			kind:   "plugin",
			others: []gateway.Edit{{Kind: "partial", Action: plan.Delete, After: map[string]any{"id": three, "name": "old"}}},
			known:  gateway.Names{two: "new"},
			before: map[string]any{"partials": []any{map[string]any{"id": three, "path": "config"}}},
			after:  map[string]any{"partials": []any{map[string]any{"id": two, "path": "config"}}},
			want: map[string]plan.OldNew{"partials": {
				Old: []any{map[string]any{"name": "old", "path": "config"}}, New: []any{map[string]any{"name": "new", "path": "config"}},
			}},
		},
		"what stays has no need of a name": {
			kind:   "target",
			before: map[string]any{"upstream": id(one), "weight": true}, after: map[string]any{"upstream": id(one), "weight": false},
			want: map[string]plan.OldNew{"weight": {Old: true, New: false}},
		},
		"an id in the configuration is a value": {
			kind:   "plugin",
			known:  gateway.Names{two: "x"},
			before: map[string]any{"config": map[string]any{"client": id(one)}}, after: map[string]any{"config": map[string]any{"client": id(two)}},
			want: map[string]plan.OldNew{"config.client.id": {Old: one, New: two}},
		},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			edit := []gateway.Edit{{Kind: row.kind, Action: plan.Update, Before: row.before, After: row.after}}
			words := gateway.NewWording(append(row.others, edit...), row.known, nil)
			if diff := cmp.Diff(row.want, words.Changes(edit)[0].ChangedFields); diff != "" {
				t.Error(diff)
			}
			if got := words.Unnamed(edit); got != row.unnamed {
				t.Errorf("unnamed: %v", got)
			}
		})
	}
}

// A fingerprint goes by what was read, whoever wrote it down.
func TestFingerprint(t *testing.T) {
	printed := func(entity map[string]any) string {
		edit := []gateway.Edit{{Kind: "plugin", Action: plan.Delete, After: entity}}
		return gateway.NewWording(edit, nil, []string{"short", "from-a-variable"}).Changes(edit)[0].Fingerprint
	}
	plugin := func(key string, v any) map[string]any {
		out := map[string]any{
			"id": one, "name": "cors", "created_at": 1, "service": map[string]any{"id": two, "name": "shop"}, "tags": []any{"a", "b"},
			"config": map[string]any{"secret": "s", "max_age": 5, "url": "http://u:p@h"},
		}
		if key != "" {
			out[key] = v
		}
		return out
	}
	base := printed(plugin("", nil))
	same := map[string]map[string]any{
		"other id":         plugin("id", two),
		"other time":       plugin("created_at", 2),
		"null":             plugin("instance_name", nil),
		"empty":            plugin("protocols", []any{}),
		"order of tags":    plugin("tags", []any{"b", "a"}),
		"id of a named":    plugin("service", map[string]any{"id": three, "name": "shop"}),
		"secret":           plugin("config", map[string]any{"secret": "t", "max_age": 5, "url": "http://u:p@h"}),
		"password":         plugin("config", map[string]any{"secret": "s", "max_age": 5, "url": "http://u:q@h"}),
		"form of a number": plugin("config", map[string]any{"secret": "s", "max_age": 5.0, "url": "http://u:p@h"}),
	}
	for name, entity := range same {
		if printed(entity) != base {
			t.Errorf("%s: another fingerprint", name)
		}
	}
	others := map[string]map[string]any{
		"name":    plugin("name", "acl"),
		"enabled": plugin("enabled", false),
		"tags":    plugin("tags", []any{"a"}),
		"owner":   plugin("service", map[string]any{"id": two, "name": "users"}),
		"number":  plugin("config", map[string]any{"secret": "s", "max_age": 6, "url": "http://u:p@h"}),
	}
	for name, entity := range others {
		if printed(entity) == base {
			t.Errorf("%s: the same fingerprint", name)
		}
	}
	if len(base) != 16 {
		t.Error(base)
	}
}
