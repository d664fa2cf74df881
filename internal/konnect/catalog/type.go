// Package catalog holds the resource types: one literal each, one file per
// family, bound to the operations of the contract.
//
// In: the contract. Out: for every type its operations, fields, identity,
// references and place in the configuration. Everything that differs between
// types is said here and nowhere else. It must never import a package that
// works on types (language, propose, emulator…).
package catalog

import (
	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Shape says how a type's resources sit in the API.
type Shape uint8

// The shapes.
const (
	// Collection: created by POST, found by id.
	Collection Shape = iota
	// Membership: added and removed, never changed.
	Membership
	// Singleton: at most one below its parent.
	Singleton
	// Map: put at a key that the configuration chooses.
	Map
)

// Type is a resource type. Operations, fields, required, immutable, secret and
// default come from the contract; what stands here is what it cannot say.
type Type struct {
	// Kind is the name of one resource; Key the name of its list in the
	// configuration: at the root, or below the parent's.
	Kind, Key string
	// Former are the kinds that it had before, the oldest first: saved plans,
	// journals and filters still say them.
	Former []string
	// Aliases are other names of the root list.
	Aliases []string
	// Short are other names of one resource on the command line: cp.
	Short []string
	// ChildOf is the type of the parents: they own these resources, which are
	// created below them and go with them.
	ChildOf *Type
	// Identity are the fields by which a resource is found again.
	Identity []string
	// Variant is the field by which resources of one identity differ, where Konnect
	// keeps several of them. It tells them apart where there are several, and is a
	// field like any other where there is one.
	Variant string
	// PerNamespace: Konnect asks of no two that their identities differ, so each
	// namespace may have one of an identity.
	PerNamespace bool
	Shape        Shape
	// Path is the collection's path in the contract; of a Singleton its own
	// path, of a Map the path that ends in the key.
	Path string
	// ListPath is the path of the list where it is not Path: a list over all
	// parents.
	ListPath string
	// Tree says that resources nest in each other.
	Tree *Tree
	// References are the fields that hold another resource's id.
	References []Reference
	// Unordered are list fields whose order means nothing.
	Unordered []string
	// Computed are fields that Konnect fills in when they are left out, though
	// the contract does not say so.
	Computed []string
	// Inherits are fields that a new resource takes from another one where they
	// are left out.
	Inherits []Inherited
	// Keeps are fields that Konnect offers no way to reset.
	Keeps []Kept
	// ReplaceOn are fields that the contract lets us change and Konnect not.
	ReplaceOn []string
	// InPlace are fields of ReplaceOn that an update changes all the same where the
	// resource has a certain form.
	InPlace []InPlace
	// Formats are what Konnect asks of texts and the contract does not say.
	Formats []Formatted
	// Unique are fields that no two resources of the organization may share,
	// whatever they belong to.
	Unique []string
	// Evidence tells of fields that Konnect does not return whether they changed.
	Evidence []Evidence
	// Orders is the kind of the parent's other resources whose order a Singleton
	// holds: their ids in a list. Where a configuration declares them and not the
	// order, the order of their list is meant.
	Orders string
	// Follows are kinds whose resources of the same owner must be there first,
	// though no field refers to them.
	Follows []string
	// Requires is what Konnect asks to be there, and to have a value, for a resource or
	// a value of it.
	Requires []Requirement
	// Namings are fields that hold the names of resources with the same parent, as
	// texts: those are made first and deleted last. What Konnect has and nobody
	// declares may be named, too. Open ones need not exist: groups may come from the
	// claims of an identity provider. Inside ones are names of items of the parent,
	// which have different ones then.
	Namings []Naming
	// Under are values that a parent must have, else it has no resources of this
	// type.
	Under map[string]any
	// Page is the path of one resource in Konnect's web application, with {region}
	// and {id}; "" where none is known.
	Page string
	// Parts are mappings that get reads by themselves, key by key.
	Parts []string
	// KeyedPrune: sync removes undeclared ones only where the list is written.
	KeyedPrune bool
	// OrderedByLabel: a label with this key that names one of these resources
	// lets it go first.
	OrderedByLabel string
	// AsList: get gives a list, also of one.
	AsList bool
	// ReadOnly types are read and referred to, never written here.
	ReadOnly bool
	// Derived ones Konnect reads from texts of others below the same parent: nobody
	// makes them, and they go with those.
	Derived *Derivation
	// Writer is the target that writes these resources; "" for this one.
	Writer string
	// Normalize rewrites what people may write into what the contract knows.
	Normalize func(value.Value) (value.Value, diag.List)
	// FrontMatter are the fields that the front matter of a Markdown content stands for.
	FrontMatter []string
	// Loads are the fields that Normalize takes in ways of its own, for those who
	// describe what people may write.
	Loads []Loaded
	// Elsewhere are fields that a response has in another place than the request.
	Elsewhere []Elsewhere
	// Versions says how Konnect keeps several versions of one resource.
	Versions *Versions
	// Emptied is the list whose removal stands for that of the resource, where there
	// is no DELETE: one whose list is empty counts as absent.
	Emptied string
	// ForceDelete: a DELETE is refused while there are children, unless it says
	// force=true.
	ForceDelete bool
	// Terraform is how Konnect's Terraform provider has the type, where that is not
	// by its kind and the names of its path.
	Terraform Terraform
	// Helm makes the values of a Helm chart of what Konnect returned.
	Helm func(body map[string]any) (map[string]any, error)
	// Example has values that cannot be generated, and fields that others need.
	Example map[string]any
}

// Loaded is a field that Normalize takes in a way of its own, or a key that the
// contract does not have.
type Loaded struct {
	Field string
	// From are the fields one of which must be there where this one is left out.
	From []string
	// Free: a text or another mapping may stand for it.
	Free bool
	// Says is that way in words, or what a key means that the contract does not have.
	Says string
	// Ignored: it loads and has no effect. Says is why.
	Ignored bool
	// By is the command that makes what the key names: nothing declares that.
	By string
}

// Tree says how resources of one type nest in each other.
type Tree struct {
	// Parent is the field with the id of the resource above.
	Parent string
	// Children is the key of nested ones, in the configuration and in lists.
	Children string
}

// Elsewhere is a field of the request that a response has in another place.
type Elsewhere struct {
	// Field is its path in the request, At the one in the response.
	Field, At string
}

// Reference is a field that holds the id of a resource of a kind. An empty
// kind stands for any. The contract does not say what a deletion does.
type Reference = resource.Reference

// Derivation says what resources are derived from.
type Derivation = resource.Derivation

// Source is a field that resources are derived from.
type Source = resource.Source

// Naming is a field that holds names of resources with the same parent.
type Naming = resource.Naming

// Requirement says that a resource needs another one.
type Requirement = resource.Requirement

// Setting is a field with a value.
type Setting = resource.Setting

// Ending is what Konnect does with a resource when another one that it refers
// to is deleted.
type Ending = resource.Ending

// What Konnect does with a resource when another one that it refers to is
// deleted.
const (
	Refuses  = resource.Refuses
	Cascades = resource.Cascades
	Keeps    = resource.Keeps
)

// Formatted is a field whose text has a format.
type Formatted struct {
	Field string
	Is    Format
}

// InPlace is a field that an update changes where another one has one of some values.
type InPlace struct {
	Field string
	// Where is the other field, and Is the values.
	Where string
	Is    []string
}

// Inherited is a field that a new resource takes from another one where it is
// left out.
type Inherited struct {
	Field string
	// From is the reference that leads to the other resource; "" is the parent.
	From string
	// Of is the field of the other one.
	Of string
}

// Kept is a field that Konnect offers no way to reset: it keeps what it was
// given when a declaration drops it.
type Kept struct {
	Field string
	// Why is the reason, as it stands after "keeps X: ".
	Why string
	// Copies is the field whose value it has when nobody gave it one; Words are
	// those that it is made of, or their first words.
	Copies string
	Words  []string
	// Default is the value that it has then, where the contract does not say it.
	Default any
	// Wordless is the value that it has where those have no words.
	Wordless string
	// From works the value out that Konnect gives it then, of the fields beside it;
	// nil where that is not known. Sync sends it, so that the field is kept only where
	// it is not known.
	From func(fields map[string]any) any
	// Pinned: Konnect chooses its value where nobody does and keeps it from then on,
	// so that only the hash of a former declaration tells the two apart.
	Pinned bool
}

// noWay is why most fields are kept: no operation takes null, an empty list or a
// request without them for a reset, by the contract and what is known beside it.
const noWay = "Konnect documents no way to unset it"

// Evidence names a field that Konnect returns in place of one that it does not.
type Evidence struct {
	// Of is the field that people write, Seen the one that Konnect returns.
	Of, Seen string
	// Same tells whether what is seen can come from what is written.
	Same func(written, seen string) bool
}
