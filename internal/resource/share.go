package resource

import "slices"

// Share says which items of a list of children were written, where others of the
// same list were left to what exists: those that have one of some resources in a
// field. Groups of a team are such a share of an identity provider's mappings.
type Share struct {
	Field string
	Of    []*Resource
}

// Holds reports whether an object is in the share: object finds what a resource is
// in the target, or nil.
func (s Share) Holds(o *Object, object func(*Resource) *Object) bool {
	is, _ := o.Fields[s.Field].(string)
	return is != "" && slices.ContainsFunc(s.Of, func(r *Resource) bool {
		found := object(r)
		return found != nil && found.ID == is
	})
}

// PrunesShare reports whether of the children of a type only a share that was
// written is deleted for not being declared.
func PrunesShare(t *Type, parent *Resource, prune string) (Share, bool) {
	whole := parent.Written[t.Key] || NarrowerPrune(prune, parent.Prune) == PruneFull && !t.PruneWritten
	s, written := parent.Shares[t.Key]
	return s, written && !whole
}
