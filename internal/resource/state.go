package resource

import (
	"maps"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/value"
)

// State is what exists, as far as it was read. It never changes.
type State interface {
	// Object is the live counterpart of a resource, or nil.
	Object(r *Resource) *Object
	// Ancestors are the ids above a resource, root first; false when one of them
	// does not exist.
	Ancestors(r *Resource) ([]string, bool)
	// Failed is why a resource could not be looked for; nil when it could.
	Failed(r *Resource) error
	// Missing reports of an external that it was looked for and is not there.
	Missing(r *Resource) bool
	// Absent reports whether the list that an external would be in was read and
	// does not hold it: an id is taken as it is, and may be that of nothing.
	Absent(r *Resource) bool
	// Undeclared lists the objects of a type below some ancestors that no
	// resource declares, and whether they were read.
	Undeclared(t *Type, ancestors []string) ([]*Object, bool)
	// Below lists what was read of what goes with an object: what belongs to it
	// and what nests in it.
	Below(t *Type, ancestors []string, id string) []Part
	// Unread reports whether something of what goes with an object could not be
	// read.
	Unread(t *Type, ancestors []string, id string) bool
	// Objects lists everything that was read of a type.
	Objects(t *Type) []Part
	// Kinds lists the types that were read.
	Kinds() []string
	// Failures lists what could not be read, by kind.
	Failures() []Failure
}

// Part is a live object with its place.
type Part struct {
	Type *Type
	// Ancestors are the ids above it, root first.
	Ancestors []string
	Object    *Object
}

// Place names where the object is, by type and ids.
func (x Part) Place() string {
	return x.Type.Kind + "/" + strings.Join(append(slices.Clone(x.Ancestors), x.Object.ID), "/")
}

// Failure is a list that could not be read.
type Failure struct {
	Kind string
	Err  error
}

// User is a live object that refers to one that a plan deletes.
type User struct {
	Part
	Use Use
	// Root is what the object belongs to, or the object itself: its mark says
	// who manages it.
	Root *Object
	// Above is what the object belongs to below its root, from the root down; nil
	// where it was not read.
	Above []*Object
	// Through is what it refers to, where that goes with something else; else nil.
	Through *Through
}

// Namespace is the namespace that the object belongs to; "" where it is not
// managed. What belongs to a root is managed with it.
func (u User) Namespace() string {
	if u.Root == nil {
		return ""
	}
	return u.Root.Owner.Namespace
}

// Protected reports whether what the object belongs to is protected.
func (u User) Protected() bool { return u.Root != nil && u.Root.Owner.Protected }

// Removed is an object that a plan deletes.
type Removed struct {
	Kind, ID string
	// Derived: the object itself stays, and what is derived from what belongs to it may go.
	Derived bool
	// Name is what fields of others with the same parent may call it, "" where none do;
	// Above are the ids above it then, joined by slashes.
	Name, Above string
}

// Called is the object with its name and place, for those who name it.
func (x Removed) Called(name string, ancestors []string) Removed {
	x.Name, x.Above = name, strings.Join(ancestors, "/")
	return x
}

// Ancestors are the ids above an object that has a name.
func (x Removed) Ancestors() []string { return strings.Split(x.Above, "/") }

// Object is the object alone, as users are kept by.
func (x Removed) Object() Removed { return Removed{Kind: x.Kind, ID: x.ID, Derived: x.Derived} }

// Users is what refers to the objects that a plan deletes, in every namespace
// and unmanaged. Failed are the kinds that could not be read.
type Users struct {
	Refer  map[Removed][]User
	Failed map[string]error
}

// Add adds what another target found.
func (u *Users) Add(other *Users) {
	for removed, users := range other.Refer {
		u.Refer[removed] = append(u.Refer[removed], users...)
	}
	maps.Copy(u.Failed, other.Failed)
}

// Of lists what refers to an object.
func (u *Users) Of(kind, id string) []User {
	if u == nil {
		return nil
	}
	return u.Refer[Removed{Kind: kind, ID: id}]
}

// Naming lists what names one of the objects in a field, in a fixed order.
func (u *Users) Naming() []Part {
	if u == nil {
		return nil
	}
	found := map[string]Part{}
	for _, users := range u.Refer {
		for _, x := range users {
			if x.Use.ByName {
				found[x.Place()] = x.Part
			}
		}
	}
	var out []Part
	for _, place := range slices.Sorted(maps.Keys(found)) {
		out = append(out, found[place])
	}
	return out
}

// Failures lists the types that could not be read.
func (u *Users) Failures() []Failure {
	if u == nil {
		return nil
	}
	var out []Failure
	for _, kind := range slices.Sorted(maps.Keys(u.Failed)) {
		out = append(out, Failure{Kind: kind, Err: u.Failed[kind]})
	}
	return out
}

// Same reports whether two entries of a configuration are one resource. Nil, the
// parent of roots, is the same as nil alone.
func Same(s State, x, y *Resource) bool {
	if x == y || x == nil || y == nil {
		return x == y
	}
	ox, oy := s.Object(x), s.Object(y)
	return x.Type == y.Type && ox != nil && oy != nil && ox.ID == oy.ID
}

// Identified is what an entry of a configuration means: two have the same one where Same
// holds.
type Identified struct {
	t  *Type
	id string
	r  *Resource // one that does not exist
}

// Identify returns what an entry means; the zero Identified is that of no entry.
func Identify(s State, r *Resource) Identified {
	if r == nil {
		return Identified{}
	}
	if o := s.Object(r); o != nil {
		return Identified{t: r.Type, id: o.ID}
	}
	return Identified{r: r}
}

// Elsewhere counts the managed roots that were read in other namespaces than
// those of a configuration, by namespace, or nil.
func Elsewhere(s State, types *Types, set *Set) map[string]int {
	declared := map[*Object]bool{}
	for _, r := range set.Resources {
		if r.External == nil {
			declared[s.Object(r)] = true // taken over from another namespace, or left to it with a warning
		}
	}
	var out map[string]int
	for _, t := range types.All() {
		if !t.Owned {
			continue
		}
		for _, x := range s.Objects(t) {
			ns := x.Object.Owner.Namespace
			if ns == "" || declared[x.Object] || slices.Contains(set.Namespaces, ns) {
				continue
			}
			if out == nil {
				out = map[string]int{}
			}
			out[ns]++
		}
	}
	return out
}

// SameText compares values of identities; texts such as certificates may lose or gain line ends
// and remarks on the way.
func SameText(a, b any) bool { return value.Equal(trimmed(a), trimmed(b)) }

// SameField compares values of a field of an identity. Host names are the same in
// any case.
func SameField(t *Type, field string, a, b any) bool {
	return SameText(Folded(t, field, a), Folded(t, field, b))
}

// Folded is a value of a field of an identity in the form that counts.
func Folded(t *Type, field string, v any) any {
	if text, ok := v.(string); ok && t.Behaviour != nil {
		return t.UniqueText(value.ParsePath(field), text)
	}
	return v
}

func trimmed(x any) any {
	if s, ok := x.(string); ok {
		return value.Blocks(s)
	}
	return x
}
