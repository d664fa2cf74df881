package resource

import (
	"slices"
	"strings"

	"kongctl/internal/value"
)

// Type is what the core asks of a resource type. Types of every target answer
// alike.
type Type interface {
	// Facts returns what is known of the type; the pointer is its identity.
	Facts() *Facts
	// Readable reports whether others may take the value of a field: detail is
	// empty where they may, else it says why not, and fix what to write instead.
	// Name is how the reference names the resource.
	Readable(r *Resource, p value.Path, name string) (detail, fix string)
}

// Facts are what the core knows of a type.
type Facts struct {
	// Kind names the type in plans, Words in sentences; Key is its list in the
	// configuration below its parent, Root the one at the top.
	Kind, Words, Key, Root string
	Parent                 Type
	Children               []Type
	// Identity are the fields by which a resource is found again.
	Identity []string
	// References are the fields that hold another resource's id.
	References []Reference
	// Nest is the field with the id of the resource of the same type that one
	// nests in, "" where none does.
	Nest string
	// Short maps fields to how people may write them.
	Short map[string]string
	// Single resources have no siblings; ReadOnly ones are never written here.
	Single, ReadOnly bool
}

// Reference is a field that holds the id of a resource of a kind; an empty kind
// stands for any.
type Reference struct{ Field, Kind string }

// Reference finds the reference that a field path is; list places are left out
// of the path.
func (f *Facts) Reference(path []string) (Reference, bool) {
	name := strings.Join(path, ".")
	for _, r := range f.References {
		if r.Field == name {
			return r, true
		}
	}
	if f.Nest != "" && name == f.Nest {
		return Reference{Field: name, Kind: f.Kind}, true
	}
	return Reference{}, false
}

// IsIdentity reports whether the field takes part in finding the resource.
func (f *Facts) IsIdentity(path []string) bool {
	name := strings.Join(path, ".")
	return slices.Contains(f.Identity, name) || f.Nest != "" && name == f.Nest
}

// Written is how people may write a field.
func (f *Facts) Written(field string) string {
	if short := f.Short[field]; short != "" {
		return short
	}
	return field
}
