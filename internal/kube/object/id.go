// Package object holds what can be said about Kubernetes objects without a
// cluster: how they are identified, which of them come first, and what their
// annotations ask for.
//
// In: objects as plain data. Out: identifiers, orders, problems. It must never
// import a client or know what exists.
package object

import (
	"cmp"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ID identifies an object in a cluster, whatever version of its API is used.
type ID struct{ Group, Kind, Namespace, Name string }

// Of returns the identifier of an object.
func Of(u *unstructured.Unstructured) ID {
	gvk := u.GroupVersionKind()
	return ID{Group: gvk.Group, Kind: gvk.Kind, Namespace: u.GetNamespace(), Name: u.GetName()}
}

// In returns the identifier of an object of the same kind and name in a namespace.
func (i ID) In(namespace string) ID {
	i.Namespace = namespace
	return i
}

// GroupKind returns the group and the kind.
func (i ID) GroupKind() schema.GroupKind { return schema.GroupKind{Group: i.Group, Kind: i.Kind} }

// String names the object for people: Deployment prod/web.
func (i ID) String() string {
	if i.Namespace == "" {
		return i.Kind + " " + i.Name
	}
	return i.Kind + " " + i.Namespace + "/" + i.Name
}

// Compare orders identifiers by group, kind, namespace and name.
func Compare(a, b ID) int {
	return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}

// Listed is the spec of an inventory that lists some objects.
func Listed(ids []ID) map[string]any {
	entries := make([]any, 0, len(ids))
	for _, id := range ids {
		entries = append(entries, map[string]any{"group": id.Group, "kind": id.Kind, "namespace": id.Namespace, "name": id.Name})
	}
	return map[string]any{"resources": entries}
}
