package catalog

// NameField is the field that people would call the name, or "".
func (b *Bound) NameField() string {
	if b.write != nil && b.write.At([]string{"name"}, nil) != nil && !b.keyed() {
		return "name"
	}
	if len(b.Identity) == 1 {
		return b.Identity[0]
	}
	return ""
}

// keyed reports whether a key of a form that the contract gives identifies the
// resource, so that its name is only shown.
func (b *Bound) keyed() bool {
	if len(b.Identity) != 1 || b.Identity[0] == "name" || b.write == nil || b.write.At([]string{"name"}, nil) == nil {
		return false
	}
	s := b.write.At(b.Identity, nil)
	return s != nil && s.Pattern != ""
}
