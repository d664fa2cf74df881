package propose

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Record returns what a plan keeps of an object, and what it expects of it.
func (p Proposer) Record(_ *resource.Type, o *resource.Object, _ []plan.Expression) (map[string]any, *plan.Expect) {
	return p.record(o, nil)
}

// record expects the fields that a manifest writes to stay; without one, all.
func (Proposer) record(o *resource.Object, manifest map[string]any) (map[string]any, *plan.Expect) {
	u, ok := o.Native.(*unstructured.Unstructured)
	if !ok { // the inventory
		return maps.Clone(o.Fields), &plan.Expect{Fingerprint: value.Fingerprint(o.Fields)}
	}
	fields, err := object.Recorded(u, plan.Hidden)
	if err != nil {
		fields = map[string]any{} // it came as JSON
	}
	return fields, &plan.Expect{Fingerprint: object.Fingerprint(u, manifest)}
}

// idOf identifies a live object.
func idOf(o *resource.Object) object.ID {
	return object.Of(&unstructured.Unstructured{Object: o.Fields})
}

// call names the request for people.
func call(method string, id object.ID) plan.ExecutionContext {
	at := id.Kind + "/" + id.Name
	if id.Namespace != "" {
		at = id.Namespace + "/" + at
	}
	if id.Group != "" {
		at = id.Group + "/" + at
	}
	return plan.ExecutionContext{HTTPMethod: method, APIEndpoint: at}
}

// strip leaves out what the server alone writes.
func strip(fields map[string]any) map[string]any {
	delete(fields, "status")
	if meta, ok := fields["metadata"].(map[string]any); ok {
		for _, key := range object.ServerKeys() {
			delete(meta, key)
		}
		if annotations, ok := meta["annotations"].(map[string]any); ok {
			delete(annotations, object.LastApplied)
		}
	}
	return fields
}

// differences lists the fields that differ, leaf by leaf; lists of the same
// length item by item, others whole.
func differences(was, now any, at value.Path) []plan.FieldChange {
	return compare(was, now, at, func(a, b map[string]any) []string {
		keys := maps.Clone(b)
		maps.Copy(keys, a)
		return slices.Sorted(maps.Keys(keys))
	})
}

// added lists the fields of a manifest that the live object does not have so.
func added(was, want any, at value.Path) []plan.FieldChange {
	return compare(was, want, at, func(_, b map[string]any) []string { return slices.Sorted(maps.Keys(b)) })
}

// compare compares two values by some of the keys of mappings.
func compare(was, now any, at value.Path, keys func(a, b map[string]any) []string) []plan.FieldChange {
	a, isMap := was.(map[string]any)
	b, likewise := now.(map[string]any)
	if isMap && likewise {
		var out []plan.FieldChange
		for _, k := range keys(a, b) {
			out = append(out, compare(a[k], b[k], at.Child(k), keys)...)
		}
		return out
	}
	x, isList := was.([]any)
	y, too := now.([]any)
	if isList && too && len(x) == len(y) {
		var out []plan.FieldChange
		for i := range x {
			out = append(out, compare(x[i], y[i], at.Index(i), keys)...)
		}
		return out
	}
	if value.Equal(was, now) {
		return nil
	}
	return []plan.FieldChange{{Field: at.String(), CurrentValue: was, DesiredValue: now}}
}
