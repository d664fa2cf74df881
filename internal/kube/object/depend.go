package object

import (
	"fmt"
	"strings"
)

// ParseDependsOn reads the annotation DependsOn: GROUP/KIND/NAME, or with
// namespaces GROUP/namespaces/NAMESPACE/KIND/NAME, separated by commas. The core
// group is empty.
func ParseDependsOn(text string) ([]ID, error) {
	var out []ID
	for one := range strings.SplitSeq(text, ",") {
		one = strings.TrimSpace(one)
		parts := strings.Split(one, "/")
		var id ID
		switch {
		case len(parts) == 3:
			id = ID{Group: parts[0], Kind: parts[1], Name: parts[2]}
		case len(parts) == 5 && parts[1] == "namespaces":
			id = ID{Group: parts[0], Namespace: parts[2], Kind: parts[3], Name: parts[4]}
			if id.Namespace == "" {
				return nil, fmt.Errorf("%q names no namespace", one)
			}
		default:
			return nil, fmt.Errorf("%q is not of the form GROUP/KIND/NAME or GROUP/namespaces/NAMESPACE/KIND/NAME", one)
		}
		if id.Kind == "" || id.Name == "" {
			return nil, fmt.Errorf("%q names no kind or no name", one)
		}
		out = append(out, id)
	}
	return out, nil
}

// IsNamespace reports whether the object is a namespace.
func (i ID) IsNamespace() bool { return i.Group == "" && i.Kind == "Namespace" }

// IsCRD reports whether the object defines a kind.
func (i ID) IsCRD() bool {
	return i.Group == "apiextensions.k8s.io" && i.Kind == "CustomResourceDefinition"
}
