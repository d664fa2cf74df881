package catalog

import "slices"

// Terraform is how Konnect's Terraform provider (Kong/konnect) has a type.
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
	// None: the provider has no such resource.
	None bool
}

// TerraformType is the name that Konnect's Terraform provider has for a resource with
// these fields, "" where it has none.
func (t *Type) TerraformType(fields map[string]any) string {
	name := t.Terraform.Type
	if name == "" {
		name = t.Kind
	}
	switch {
	case t.Terraform.None:
		return ""
	case t.Terraform.By == "":
		return name
	}
	if which, _ := fields[t.Terraform.By].(string); slices.Contains(t.Terraform.Values, which) {
		return name + "_" + which
	}
	return ""
}

// TerraformTypes are all names that Konnect's Terraform provider has for a type.
func (t *Type) TerraformTypes() []string {
	if t.Terraform.By == "" {
		if name := t.TerraformType(nil); name != "" {
			return []string{name}
		}
		return nil
	}
	var out []string
	for _, v := range t.Terraform.Values {
		out = append(out, t.TerraformType(map[string]any{t.Terraform.By: v}))
	}
	return out
}
