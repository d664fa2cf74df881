package live

import (
	"bytes"
	"encoding/json"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// unchanged reports whether applying a manifest surely changes nothing: the live
// object has all its values, and the manager owns the fields of the manifest and
// no others. Where it reports false, a dry run decides.
func unchanged(live, manifest *unstructured.Unstructured, manager string) bool {
	if !holds(live.Object, manifest.Object) {
		return false
	}
	owned := ownedBy(live, manager)
	if owned == nil {
		return false
	}
	count, all := 0, true
	owned.Leaves().Iterate(func(p fieldpath.Path) {
		count++
		all = all && has(manifest.Object, p)
	})
	return all && count > 0 && coversAll(owned, manifest.Object)
}

// holds reports whether a value has everything that another one has: the keys of
// mappings, and lists item by item.
func holds(live, manifest any) bool {
	switch m := manifest.(type) {
	case map[string]any:
		l, ok := live.(map[string]any)
		if !ok {
			return len(m) == 0 && live == nil
		}
		for k, v := range m {
			x, there := l[k]
			if !there && v == nil {
				continue
			}
			if !there || !holds(x, v) {
				return false
			}
		}
		return true
	case []any:
		l, ok := live.([]any)
		if !ok || len(l) != len(m) {
			return false
		}
		for i := range m {
			if !holds(l[i], m[i]) {
				return false
			}
		}
		return true
	default:
		return reflect.DeepEqual(live, manifest)
	}
}

// ownedBy is what a manager has applied; nil where it has not.
func ownedBy(u *unstructured.Unstructured, manager string) *fieldpath.Set {
	for _, e := range u.GetManagedFields() {
		if e.Manager != manager || e.Operation != metav1.ManagedFieldsOperationApply || e.Subresource != "" || e.FieldsV1 == nil {
			continue
		}
		if e.APIVersion != u.GetAPIVersion() {
			return nil
		}
		s := &fieldpath.Set{}
		if s.FromJSON(bytes.NewReader(e.FieldsV1.Raw)) == nil {
			return s
		}
	}
	return nil
}

// has reports whether a manifest has the field that a path leads to.
func has(v any, p fieldpath.Path) bool {
	for _, step := range p {
		switch {
		case step.FieldName != nil:
			m, ok := v.(map[string]any)
			if !ok {
				return false
			}
			if v, ok = m[*step.FieldName]; !ok {
				return false
			}
		case step.Key != nil:
			if v = keyed(v, step); v == nil {
				return false
			}
		case step.Value != nil:
			if v = valued(v, step); v == nil {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// keyed is the item of a list that has some keys. Keys that the manifest leaves
// to their defaults are not compared.
func keyed(v any, step fieldpath.PathElement) any {
	items, _ := v.([]any)
	for _, item := range items {
		m, ok := item.(map[string]any)
		if !ok {
			return nil
		}
		fits, given := true, false
		for _, k := range *step.Key {
			x, there := m[k.Name]
			if !there {
				continue
			}
			given = true
			fits = fits && reflect.DeepEqual(x, k.Value.Unstructured())
		}
		if fits && given {
			return item
		}
	}
	return nil
}

// valued is the item of a list that has a value.
func valued(v any, step fieldpath.PathElement) any {
	items, _ := v.([]any)
	want, err := json.Marshal((*step.Value).Unstructured())
	if err != nil {
		return nil
	}
	for _, item := range items {
		if raw, err := json.Marshal(item); err == nil && bytes.Equal(raw, want) {
			return item
		}
	}
	return nil
}

// coversAll reports whether the fields of a manifest are owned, as far as
// mappings lead; lists are owned whole or by their items.
func coversAll(owned *fieldpath.Set, manifest map[string]any) bool {
	for k, v := range manifest {
		switch k {
		case "apiVersion", "kind":
			continue
		case "metadata":
			if !coversMeta(owned, v) {
				return false
			}
			continue
		}
		if !covers(owned, fieldpath.MakePathOrDie(k), v) {
			return false
		}
	}
	return true
}

func coversMeta(owned *fieldpath.Set, v any) bool {
	meta, _ := v.(map[string]any)
	for k, x := range meta {
		if k == "name" || k == "namespace" {
			continue
		}
		if !covers(owned, fieldpath.MakePathOrDie("metadata", k), x) {
			return false
		}
	}
	return true
}

func covers(owned *fieldpath.Set, p fieldpath.Path, v any) bool {
	m, isMap := v.(map[string]any)
	if owned.Has(p) && (!isMap || len(m) == 0) {
		return true
	}
	below := owned.WithPrefix(p[0])
	for _, step := range p[1:] {
		below = below.WithPrefix(step)
	}
	switch {
	case isMap && below.Empty():
		return owned.Has(p) // a mapping that is owned as a whole
	case isMap:
		for k, x := range m {
			if !covers(owned, append(p.Copy(), fieldpath.MakePathOrDie(k)...), x) {
				return false
			}
		}
		return true
	case v == nil:
		return true
	default:
		list, isList := v.([]any)
		return isList && items(below) == len(list)
	}
}

// items counts the items of a list that are owned one by one.
func items(below *fieldpath.Set) int {
	seen := map[string]bool{}
	below.Iterate(func(p fieldpath.Path) {
		if len(p) > 0 {
			seen[p[0].String()] = true
		}
	})
	return len(seen)
}
