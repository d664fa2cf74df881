package kube

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kongctl/kongctl/internal/kube/live"
	"github.com/kongctl/kongctl/internal/kube/object"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// behaviour says how objects differ from plain data: their mark is an annotation,
// and nobody may take the values of a Secret.
type behaviour struct {
	resource.Plain
	secret bool
}

// Readable refuses the values of Secrets, and fields that only a typo can mean: the
// server fills in no others than these three.
func (b behaviour) Readable(r *resource.Resource, p value.Path, name string) (detail, fix string) {
	switch {
	case len(p) == 0:
	case b.secret && object.SecretField(p[0]):
		return fmt.Sprintf("The values of the Secret %q cannot be taken from it.", name), "use !secret, with the source that the Secret has."
	case fromSecret(r.Fields.Lookup(p)):
		return fmt.Sprintf("The field %s of the %s %q comes from a secret.", p, r.Type.Words, name), "use !secret, with the source that it has."
	case slices.Contains([]string{"metadata", "spec", "status"}, p[0]) || p[0] == "id":
	case r.Fields.Lookup(p).IsAbsent():
		return fmt.Sprintf("The %s %q has no field %s.", r.Type.Words, name, p), "refer to a field that the object declares, or to one below metadata, spec or status."
	}
	return "", ""
}

// Recorded is an object as a plan recorded it.
func (behaviour) Recorded(id string, fields map[string]any) *resource.Object {
	u := &unstructured.Unstructured{Object: fields}
	owner := u.GetAnnotations()[object.Owner]
	if object.IsGroup(u.GetAPIVersion(), u.GetKind()) {
		owner = u.GetLabels()[object.InventoryID]
	}
	return &resource.Object{ID: id, Fields: fields, Owner: live.Owner(owner)}
}

// Fingerprint is the digest that changes expect.
func (b behaviour) Fingerprint(o *resource.Object) string {
	if u, ok := o.Native.(*unstructured.Unstructured); ok {
		return object.Fingerprint(u, nil)
	}
	return b.Plain.Fingerprint(o)
}

func fromSecret(v value.Value) bool { return v.Expr() != nil && v.Expr().Op == value.OpSecret }
