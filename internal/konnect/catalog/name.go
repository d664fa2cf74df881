package catalog

// NameField is the field that people would call the name, or "".
func (b *Bound) NameField() string {
	if b.write != nil && b.write.At([]string{"name"}, nil) != nil {
		return "name"
	}
	if len(b.Identity) == 1 {
		return b.Identity[0]
	}
	return ""
}

// TerraformType is the type's name in Konnect's Terraform provider.
func (t *Type) TerraformType() string {
	if t.Terraform != "" {
		return t.Terraform
	}
	return t.Kind
}
