package catalog

import (
	"cmp"
	"slices"
)

// Terraform is how one of Konnect's Terraform providers (Kong/konnect) has a type.
type Terraform struct {
	// Type is the name of the resource, without the prefix of the provider; "" is the
	// kind.
	Type string
	// By is a field whose value ends the name, where the provider has one resource for
	// each of these Values.
	By     string
	Values []string
	// IDs are names in what a resource is imported by, by the name of the parameter of
	// the path, where they differ.
	IDs map[string]string
	// Beta: the resource is one of the provider Kong/konnect-beta, and not of
	// Kong/konnect.
	Beta bool
	// None: neither provider has such a resource.
	None bool
}

// Provider is the name by which configurations of Terraform know the provider.
func (t Terraform) Provider() string {
	if t.Beta {
		return "konnect-beta"
	}
	return "konnect"
}

// Name is what the provider calls a resource of a kind with these fields, "" where it
// has none.
func (t Terraform) Name(kind string, fields map[string]any) string {
	name := cmp.Or(t.Type, kind)
	switch {
	case t.None:
		return ""
	case t.By == "":
		return name
	}
	if which, _ := fields[t.By].(string); slices.Contains(t.Values, which) {
		return name + "_" + which
	}
	return ""
}

// Names are all names that the provider has for resources of a kind.
func (t Terraform) Names(kind string) []string {
	if t.By == "" {
		return slices.DeleteFunc([]string{t.Name(kind, nil)}, func(name string) bool { return name == "" })
	}
	var out []string
	for _, v := range t.Values {
		out = append(out, t.Name(kind, map[string]any{t.By: v}))
	}
	return out
}
