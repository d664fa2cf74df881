package resource

import (
	"slices"
	"strings"
	"sync"

	"github.com/kongctl/kongctl/internal/value"
)

// Type is what the core knows of a resource type: facts, and what the target
// answers. The pointer is its identity.
type Type struct {
	// Kind names the type in plans, Words in sentences; Key is its list in the
	// configuration below its parent, Root the one at the top.
	Kind, Words, Key, Root string
	// Former are the kinds that it had before, the oldest first.
	Former   []string
	Parent   *Type
	Children []*Type
	// Identity are the fields by which a resource is found again.
	Identity []string
	// Variant is the field by which resources of one identity differ, where the target
	// keeps several of them; "" where it keeps one.
	Variant string
	// PerNamespace: each namespace may have one of an identity.
	PerNamespace bool
	// References are the fields that hold another resource's id.
	References []Reference
	// Nest is the field with the id of the resource of the same type that one
	// nests in, "" where none does.
	Nest string
	// KeyField is the field that is the id of the resource, chosen by people, ""
	// where the target makes ids.
	KeyField string
	// NameField is what people would call the name, or "".
	NameField string
	// Keyed ones are called by the key that identifies them: their name is only
	// shown, and several may share one.
	Keyed bool
	// Unique are fields that no two resources may share, whatever they belong to.
	Unique []string
	// Short maps fields to how people may write them.
	Short map[string]string
	// Follows are kinds whose resources below the same parent must be there first.
	Follows []string
	// Requires is what must be there for a resource of the type, or for a value of it.
	Requires []Requirement
	// Orders is the kind of the parent's other resources whose order the type holds, in
	// the field that refers to them; "" where it holds none.
	Orders string
	// SetField is the list of a resource that is but a list, without an order; "" for others.
	SetField string
	// Namings are fields that hold names of resources with the same parent, or of items
	// inside the parent, as texts.
	Namings []Naming
	// Either are the fields with the name of a resource, as texts, that stand in place of
	// a field of References with its id. It lies below the same parent as the user, or
	// below one that the user belongs to.
	Either []Reference
	// Single resources have no siblings. ReadOnly ones are never written here.
	// Fixed ones are there as soon as their parent is: they are never created or
	// deleted. Owned roots carry a mark of who manages them. Updatable ones can
	// be changed in place.
	// Writer is the target that writes ReadOnly ones.
	Writer                                    string
	Single, ReadOnly, Fixed, Owned, Updatable bool
	// Derived ones are read from what their parent has: nobody makes them, and they go
	// with it. It is nil for all others.
	Derived *Derivation
	// Computed ones have fields that the target fills in from elsewhere, FromParent
	// ones take them from their parent when they are created.
	Computed, FromParent bool
	// BuiltIn: the target makes some by itself, which cannot be managed.
	BuiltIn bool
	// Referred ones are referred to by types that are written here.
	Referred bool
	// Attached resources are planned right behind what they are attached to: Tool
	// carries them out, on what the target Writes, and Unknown stands for an id
	// that they make known.
	Attached              bool
	Tool, Writes, Unknown string
	// PruneWritten: undeclared ones are deleted only where their list is written.
	PruneWritten bool
	// Apart names the target of types that are not read with those of others: what
	// takes their values, or gives them some, waits for them.
	Apart string
	// Withheld is a field that every resource has and that the target never returns,
	// though it is no secret; "" where all are returned.
	Withheld string
	// Shows are the fields by which people tell apart what has the id of another
	// resource for its identity.
	Shows []string
	// Abridged: lists leave out fields that reading one resource gives.
	Abridged bool
	// Whole: an update sends the whole resource, with all of its secrets.
	Whole bool
	// Together names types that count as one for the guard that asks whether all
	// resources of a type may be deleted; "" where the type counts by itself.
	Together string
	Behaviour
}

// Behaviour is what the core asks of a type that is more than a fact.
type Behaviour interface {
	// Readable reports whether others may take the value of a field: detail is
	// empty where they may, else it says why not, and fix what to write instead.
	// Name is how the reference names the resource.
	Readable(r *Resource, p value.Path, name string) (detail, fix string)
	// Coerce turns the text of a variable into what a field takes.
	Coerce(path []string, v any) any
	// AsText turns a value of another resource into the text that a field takes.
	AsText(p value.Path, v any) any
	// Gives are the kinds of values that others get from a field, Takes those that a
	// field can be given.
	Gives(r *Resource, p value.Path) Kinds
	Takes(r *Resource, p value.Path) Kinds
	// Fills reports whether a field may have a value that its resource does not
	// declare.
	Fills(r *Resource, p value.Path) bool
	// Misfit says why a field cannot take a value, "" where it can.
	Misfit(path []string, v any) string
	// Field is the value of a field of an object.
	Field(o *Object, p value.Path) (any, bool)
	// Immutable reports whether a change of the field needs a new resource.
	Immutable(path []string) bool
	// Without is the value of a reference field without some ids, and whether the
	// field can have it and the resource stays. Where the reference stands in the
	// items of a list, both values are that list.
	Without(path []string, now any, ids []string) (any, bool)
	// UniqueText is the form in which values of a unique field are compared.
	UniqueText(path []string, text string) string
	// Generates reports whether the target may choose this text for a field that a
	// new resource with these other fields leaves out.
	Generates(path []string, text string, fields map[string]any) bool
	// Generated is the text that the target chooses for such a field, "" where
	// nothing says which one.
	Generated(path []string, fields map[string]any) string
	// Fingerprint is the digest of all that people could have changed. Essence
	// returns that of types that are written here.
	Fingerprint(o *Object) string
	Essence(o *Object) map[string]any
	// Recorded is an object as a plan recorded it.
	Recorded(id string, fields map[string]any) *Object
}

// Reference is a field that holds the id of a resource of a kind. An empty
// kind stands for any. The field may stand in the items of a list.
type Reference struct {
	Field, Kind string
	// OnDelete is what becomes of the resource that has the field when the one
	// that it refers to is deleted.
	OnDelete Ending
	// All is a text that stands for all resources, or "" where no text does.
	All string
	// Named is the field beside it that names the type of the resource in words, where
	// the kind is any: Control Planes are control_planes.
	Named string
}

// Ending is what a target does with a resource when another one that it refers
// to is deleted.
type Ending uint8

// The endings.
const (
	// Refuses: the deletion is refused while the resource refers to it.
	Refuses Ending = iota
	// Cascades: the resource is deleted, too.
	Cascades
	// Keeps: the resource stays, and its reference leads nowhere.
	Keeps
)

// Reference finds the reference that a field path is; list places are left out
// of the path.
func (t *Type) Reference(path []string) (Reference, bool) {
	name := strings.Join(path, ".")
	for _, r := range t.References {
		if r.Field == name {
			return r, true
		}
	}
	if t.Nest != "" && name == t.Nest {
		return Reference{Field: name, Kind: t.Kind}, true
	}
	return Reference{}, false
}

// IsIdentity reports whether the field takes part in finding the resource.
func (t *Type) IsIdentity(path []string) bool {
	name := strings.Join(path, ".")
	return slices.Contains(t.Identity, name) || t.Nest != "" && name == t.Nest
}

// RefersByIdentity reports whether a resource is found by what it refers to.
func (t *Type) RefersByIdentity() bool {
	return slices.ContainsFunc(t.Identity, func(f string) bool {
		_, refers := t.Reference(strings.Split(f, "."))
		return refers
	})
}

// Written is how people may write a field.
func (t *Type) Written(field string) string {
	if short := t.Short[field]; short != "" {
		return short
	}
	return field
}

// Top is the root that resources of the type belong to.
func (t *Type) Top() *Type {
	for t.Parent != nil {
		t = t.Parent
	}
	return t
}

// Depth is the number of ancestors.
func (t *Type) Depth() int {
	n := 0
	for p := t.Parent; p != nil; p = p.Parent {
		n++
	}
	return n
}

// Names are the names that an object answers to.
func (t *Type) Names(o *Object) []string {
	fields := []string{"name", "slug"}
	if t.Keyed {
		fields = nil
	}
	if len(t.Identity) == 1 {
		fields = append(fields, t.Identity[0])
	}
	var out []string
	if o.Ref != "" {
		out = append(out, o.Ref)
	}
	if s := shownName(t, o); s != "" {
		out = append(out, s)
	}
	for _, f := range fields {
		v, _ := value.Get(o.Fields, value.ParsePath(f))
		if s, ok := v.(string); ok && s != "" {
			out = append(out, s)
		}
	}
	return out
}

// Name is what people would call an object.
func (t *Type) Name(o *Object) string {
	if s := shownName(t, o); s != "" {
		return s
	}
	for _, f := range append(t.Titles(), t.Identity...) {
		v, _ := value.Get(o.Fields, value.ParsePath(f))
		if s, ok := v.(string); ok && s != "" && len(s) <= MaxName {
			return s
		}
	}
	if o.ID != "" {
		return o.ID
	}
	return t.Key
}

// Describe names an object in a sentence. What exists once needs no name.
func (t *Type) Describe(o *Object) string {
	if t.Single {
		return t.Words
	}
	return WithName(t.Words, t.Name(o))
}

// ReferredIDs lists the ids that an object holds in a reference field.
func (t *Type) ReferredIDs(o *Object, field string) []string {
	if field == t.KeyField {
		return []string{o.ID}
	}
	return value.TextsAt(o.Fields, value.ParsePath(field))
}

// RefersTo lists the ids of others that fields hold.
func (t *Type) RefersTo(fields map[string]any) []string {
	var out []string
	for _, r := range t.References {
		out = append(out, value.TextsAt(fields, value.ParsePath(r.Field))...)
	}
	if t.Nest != "" {
		out = append(out, value.Texts(fields[t.Nest])...)
	}
	return out
}

// Use is a reference of a type to another one, which a deletion of that one
// meets: it is refused, or deletes the user, too.
type Use struct {
	By *Type
	Reference
	// ByName: the field holds the name of what has the same parent, not its id.
	ByName bool
}

// FirstKind is the kind that the type has had from the start. Hashes hold it, so
// that a new name changes none.
func (t *Type) FirstKind() string {
	if len(t.Former) > 0 {
		return t.Former[0]
	}
	return t.Kind
}

// EmptyName is what the guard against deleting all resources of a type calls it.
func (t *Type) EmptyName() string {
	if t.Together != "" {
		return t.Together
	}
	return t.Kind
}

// Types are all types of the targets that take part in a run.
type Types struct {
	all    []*Type
	byKind map[string]*Type
	named  []func(string) *Type
	uses   map[string][]Use
	left   map[string][]Use // that stay and lead nowhere, of kinds that others write
	// namedBy are the fields that hold names, by the kind that they name.
	namedBy map[string][]Use
	open    []*opened
}

// opened are types that are made when they are first asked for.
type opened struct {
	of func(kind string) *Type

	mu     sync.Mutex
	all    []*Type
	byKind map[string]*Type
}

func (o *opened) kind(kind string) *Type {
	o.mu.Lock()
	defer o.mu.Unlock()
	if t := o.byKind[kind]; t != nil {
		return t
	}
	t := o.of(kind)
	if t != nil {
		o.byKind[kind] = t
		o.all = append(o.all, t)
	}
	return t
}

func (o *opened) seen() []*Type {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.all)
}

// OpenTypes are those of a target that does not know its types in advance: of
// returns the type of a kind, nil where the kind is not the target's. It is asked
// once per kind. Such types are roots, and have no reference fields.
func OpenTypes(of func(kind string) *Type) *Types {
	t := NewTypes(nil, nil)
	t.open = []*opened{{of: of, byKind: map[string]*Type{}}}
	return t
}

// NewTypes gathers types, parents before children. Named finds one by another
// name than its kind; nil knows none.
func NewTypes(all []*Type, named func(name string) *Type) *Types {
	t := &Types{all: all, byKind: map[string]*Type{}, uses: map[string][]Use{}, left: map[string][]Use{}, namedBy: map[string][]Use{}}
	if named != nil {
		t.named = append(t.named, named)
	}
	for _, x := range all {
		t.byKind[x.Kind] = x
	}
	t.findUses()
	t.findNamings()
	return t
}

// With adds the types of another target.
func (t *Types) With(other *Types) *Types {
	out := NewTypes(slices.Concat(t.all, other.all), nil)
	out.named = slices.Concat(t.named, other.named)
	out.open = slices.Concat(t.open, other.open)
	return out
}

// All lists the types, parents before children; of those that are made when they
// are asked for, the ones that were.
func (t *Types) All() []*Type {
	if len(t.open) == 0 {
		return t.all
	}
	out := slices.Clone(t.all)
	for _, o := range t.open {
		out = append(out, o.seen()...)
	}
	return out
}

// Kind finds a type by its kind, or nil.
func (t *Types) Kind(kind string) *Type {
	if found := t.byKind[kind]; found != nil {
		return found
	}
	for _, o := range t.open {
		if found := o.kind(kind); found != nil {
			return found
		}
	}
	return nil
}

// Now is the present name of a kind.
func (t *Types) Now(kind string) string {
	if t.byKind[kind] != nil {
		return kind
	}
	for _, x := range t.all {
		if slices.Contains(x.Former, kind) {
			return x.Kind
		}
	}
	return kind
}

// Named finds a type by any name of one resource.
func (t *Types) Named(name string) *Type {
	if found := t.Kind(name); found != nil {
		return found
	}
	for _, f := range t.named {
		if found := f(name); found != nil {
			return found
		}
	}
	return nil
}

// InWords is the kind of the root type that a text names in words, "" where none has
// that name.
func (t *Types) InWords(text string) string {
	key := strings.ReplaceAll(strings.ToLower(text), " ", "_")
	for _, x := range t.All() {
		if x.Parent == nil && x.Root == key && key != "" {
			return x.Kind
		}
	}
	return ""
}

// Uses lists the references to a kind that its deletion meets. Those of types
// that others write are left out: they lead to what has the same parent, and go
// with that.
func (t *Types) Uses(kind string) []Use { return t.uses[kind] }

// UsesThrough lists the references that a deletion of a kind meets through what
// comes into being below it and goes unlisted with it: those to operations of an API
// when the API is deleted. Those from below the same root go with that.
func (t *Types) UsesThrough(kind string) []Use {
	var out []Use
	for _, child := range t.all {
		if child.Parent == nil || child.Parent.Kind != kind || !child.ReadOnly || child.Writer != "" {
			continue
		}
		for _, use := range t.uses[child.Kind] {
			if use.By.Top() != child.Top() {
				out = append(out, use)
			}
		}
	}
	return out
}

func (t *Types) findUses() {
	for _, x := range t.all {
		for _, r := range x.References {
			switch to := t.byKind[r.Kind]; {
			case to == nil || x.ReadOnly:
			case r.OnDelete != Keeps:
				t.uses[r.Kind] = append(t.uses[r.Kind], Use{By: x, Reference: r})
			case to.Writer != "":
				t.left[r.Kind] = append(t.left[r.Kind], Use{By: x, Reference: r})
			}
		}
	}
}
