package live

import (
	"bytes"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/kongctl/kongctl/internal/kube/cluster"
	"github.com/kongctl/kongctl/internal/kube/object"
)

// owns reports whether a manager owns the same fields before and after.
func owns(live, after *unstructured.Unstructured, manager string) bool {
	was, is := ownedBy(live, manager), ownedBy(after, manager)
	return was != nil && is != nil && was.Equals(is)
}

// dropInherited takes out of what a dry run returned the fields that kubectl or
// kpt applied and the manifest does not have: once they are taken over, the apply
// removes them.
func dropInherited(f *Found, manager string) {
	taken, err := cluster.TakenOver(f.Live, manager)
	if err != nil {
		return // the take-over itself reports it
	}
	all := ownedBy(taken, manager)
	if all == nil {
		return
	}
	others, applied := othersOwn(taken, manager), lastApplied(f.Live)
	all.Iterate(func(p fieldpath.Path) {
		if has(f.Manifest.Object, p) || applied != nil && !has(applied, p) || shared(others, p) {
			return // what kubectl did not apply itself is a default, which comes back
		}
		drop(f.After.Object, p)
	})
}

// lastApplied is what kubectl keeps of its last apply, or nil.
func lastApplied(u *unstructured.Unstructured) map[string]any {
	var out map[string]any
	if utiljson.Unmarshal([]byte(u.GetAnnotations()[object.LastApplied]), &out) != nil {
		return nil
	}
	return out
}

// shared reports whether a set has a field, or something below it.
func shared(s *fieldpath.Set, p fieldpath.Path) bool {
	if s.Has(p) {
		return true
	}
	for _, step := range p {
		s = s.WithPrefix(step)
	}
	return !s.Empty()
}

// othersOwn are the fields of all other managers.
func othersOwn(u *unstructured.Unstructured, manager string) *fieldpath.Set {
	out := &fieldpath.Set{}
	for _, e := range u.GetManagedFields() {
		if e.Manager == manager || e.FieldsV1 == nil {
			continue
		}
		s := &fieldpath.Set{}
		if s.FromJSON(bytes.NewReader(e.FieldsV1.Raw)) == nil {
			out = out.Union(s)
		}
	}
	return out
}

// drop removes a field, or an item of a list, from an object.
func drop(fields map[string]any, p fieldpath.Path) {
	var v any = fields
	for i, step := range p {
		last := i == len(p)-1
		switch {
		case step.FieldName != nil:
			m, ok := v.(map[string]any)
			if !ok {
				return
			}
			if last {
				delete(m, *step.FieldName)
				return
			}
			if list, ok := m[*step.FieldName].([]any); ok && i == len(p)-2 && p[i+1].Key != nil {
				item := keyed(list, p[i+1])
				m[*step.FieldName] = slices.DeleteFunc(slices.Clone(list), func(x any) bool { return item != nil && same(x, item) })
				return
			}
			v = m[*step.FieldName]
		case step.Key != nil:
			v = keyed(v, step)
		default:
			return
		}
	}
}

// same reports whether two items of a list are one.
func same(a, b any) bool {
	return reflect.ValueOf(a).Kind() == reflect.Map && reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer()
}
