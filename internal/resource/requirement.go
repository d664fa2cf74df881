package resource

// Requirement says that a resource, or one with a certain value, needs another one of
// a kind that has a certain value, below the parent of that kind. The target refuses
// it otherwise, though no field refers to the other one.
type Requirement struct {
	// When is the value that needs it; an empty field stands for every resource.
	When Setting
	Kind string
	Has  Setting
}

// Setting is a field with a value.
type Setting struct {
	Field string
	Value any
}

// Holder is the resource above r that others of a type belong to; nil where they
// belong to none.
func Holder(r *Resource, of *Type) *Resource {
	for x := r; x != nil; x = x.Parent {
		if x.Type == of.Parent {
			return x
		}
	}
	return nil
}
