package resource

import (
	"maps"
	"slices"
)

// Flat is the state of a target whose resources have no parents. It was read
// whole.
type Flat struct {
	// Of are the objects of each type, Declared those of declared resources.
	Of       map[*Type][]*Object
	Declared map[*Resource]*Object
}

var _ State = &Flat{}

// Object is the live counterpart of a resource.
func (f *Flat) Object(r *Resource) *Object { return f.Declared[r] }

// Ancestors is empty: it has none above it.
func (*Flat) Ancestors(*Resource) ([]string, bool) { return nil, true }

// Failed returns nil: everything was read.
func (*Flat) Failed(*Resource) error { return nil }

// Missing reports whether an external is not there.
func (f *Flat) Missing(r *Resource) bool { return r.External != nil && f.Declared[r] == nil }

// Absent reports the same.
func (f *Flat) Absent(r *Resource) bool { return f.Missing(r) }

// Undeclared lists the objects of a type that no resource declares.
func (f *Flat) Undeclared(t *Type, _ []string) ([]*Object, bool) {
	taken := slices.Collect(maps.Values(f.Declared))
	out := slices.DeleteFunc(slices.Clone(f.Of[t]), func(o *Object) bool { return slices.Contains(taken, o) })
	_, read := f.Of[t]
	return out, read
}

// Below is empty: nothing belongs to an object.
func (*Flat) Below(*Type, []string, string) []Part { return nil }

// Unread reports false: everything was read.
func (*Flat) Unread(*Type, []string, string) bool { return false }

// Objects lists everything of a type.
func (f *Flat) Objects(t *Type) []Part {
	var out []Part
	for _, o := range f.Of[t] {
		out = append(out, Part{Type: t, Object: o})
	}
	return out
}

// Kinds lists the types that were read.
func (f *Flat) Kinds() []string {
	out := []string{}
	for t := range f.Of {
		out = append(out, t.Kind)
	}
	slices.Sort(out)
	return out
}

// Failures is empty: everything was read.
func (*Flat) Failures() []Failure { return nil }
