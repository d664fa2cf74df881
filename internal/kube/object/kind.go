package object

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kongctl/kongctl/internal/pattern"
)

// kindPrefix starts the names of resource types that are Kubernetes'.
const kindPrefix = "k8s:"

// TypeName is the name of the resource type of a kind: k8s:apps/v1/Deployment.
func TypeName(gvk schema.GroupVersionKind) string {
	return kindPrefix + gvk.GroupVersion().String() + "/" + gvk.Kind
}

var typeName = pattern.New(`^k8s:(?:([a-z0-9.-]+)/)?(v[a-z0-9]+)/([A-Z][A-Za-z0-9]*)$`)

// ParseType reads what TypeName writes; false where it is no such name.
func ParseType(name string) (schema.GroupVersionKind, bool) {
	m := typeName.FindStringSubmatch(name)
	if m == nil {
		return schema.GroupVersionKind{}, false
	}
	return schema.GroupVersionKind{Group: m[1], Version: m[2], Kind: m[3]}, true
}

// GroupGVK is the kind of inventories.
func GroupGVK() schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(GroupVersion, GroupKind)
}

// IsSecret reports whether objects of a kind hold secrets.
func IsSecret(gk schema.GroupKind) bool { return gk.Group == "" && gk.Kind == "Secret" }

// SecretField reports whether a field of a Secret, by its first key, holds
// secret values.
func SecretField(key string) bool { return key == "data" || key == "stringData" }
