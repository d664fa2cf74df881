package catalog

import (
	"slices"

	"github.com/kongctl/kongctl/internal/value"
)

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

// MayLackName reports whether resources of the type exist without a name: they are
// known by something else, and the contract does not ask for one. A configuration
// says so with name: null, because a ref stands for a name that is left out.
func MayLackName(b *Bound) bool {
	if b.ReadOnly || b.NameField() != "name" || b.IsIdentity(value.Path{"name"}) {
		return false
	}
	f := b.write.Object(nil).Field("name")
	return f != nil && !f.Required
}

// Renamed is the field by which a resource of the type may be known under another name
// than before and be the same one: the one that identifies it, or of several the one
// that an update can change. It refers to nothing. It is "" where no field is so.
func Renamed(b *Bound) string {
	fields := slices.DeleteFunc(slices.Clone(b.Identity), func(f string) bool {
		p := value.ParsePath(f)
		_, refers := b.Reference(p)
		return refers || len(b.Identity) > 1 && b.Immutable(p)
	})
	if len(fields) != 1 {
		return ""
	}
	return fields[0]
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
