package live

import (
	"bytes"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"kongctl/internal/kube/cluster"
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
	others := othersOwn(taken, manager)
	all.Leaves().Iterate(func(p fieldpath.Path) {
		if !has(f.Manifest.Object, p) && !others.Has(p) {
			drop(f.After.Object, p)
		}
	})
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

// drop removes a field from an object, as far as mappings lead to it.
func drop(fields map[string]any, p fieldpath.Path) {
	for i, step := range p {
		if step.FieldName == nil {
			return
		}
		if i == len(p)-1 {
			delete(fields, *step.FieldName)
			return
		}
		next, ok := fields[*step.FieldName].(map[string]any)
		if !ok {
			return
		}
		fields = next
	}
}
