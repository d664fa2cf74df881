package resource

import "slices"

// The ways to prune.
const (
	PruneFull     = "full"
	PruneDeclared = "declared"
	PruneNone     = "none"
)

// Prunings are the ways to prune, the narrowest first.
func Prunings() []string { return []string{PruneNone, PruneDeclared, PruneFull} }

// NarrowerPrune is the way to prune that deletes less. "" leaves the other as it is.
func NarrowerPrune(a, b string) string {
	if a == "" || b != "" && slices.Index(Prunings(), b) < slices.Index(Prunings(), a) {
		return b
	}
	return a
}

// Claim notes that a document which prunes in some way, "" for as the run does, names
// a namespace or mentions a root type there. The widest way counts: what a narrow
// document leaves alone may be in the scope of another.
func (s *Set) Claim(m Mention, prune string) {
	if s.Claims == nil {
		s.Claims = map[Mention]string{}
	}
	if before, known := s.Claims[m]; known && (before == "" || prune != "" && NarrowerPrune(before, prune) == prune) {
		prune = before
	}
	s.Claims[m] = prune
}

// Prunes reports whether undeclared resources of a type are deleted below a
// declared parent. Nothing is below what belongs to others.
func Prunes(t *Type, parent *Resource, prune string) bool {
	if t.ReadOnly || t.Fixed || parent.OfOthers() {
		return false
	}
	switch NarrowerPrune(prune, parent.Prune) {
	case PruneFull:
		return !t.PruneWritten || parent.Written[t.Key] || parent.Shares[t.Key].Of != nil
	case PruneDeclared:
		return parent.Written[t.Key] || parent.Shares[t.Key].Of != nil
	default:
		return false
	}
}

// Spares reports whether the list of a type is written below what belongs to others:
// nothing is deleted there.
func Spares(t *Type, parent *Resource, prune string) bool {
	return parent.OfOthers() && parent.Written[t.Key] && !t.ReadOnly && !t.Fixed && NarrowerPrune(prune, parent.Prune) != PruneNone
}

// Overlooks reports of children that are deleted only where their list is written
// whether a list at the root names other parents in the namespace and not this one:
// they stay, and whoever removed the last of them there may not expect that.
func Overlooks(t *Type, parent *Resource, set *Set, prune string) bool {
	return t.PruneWritten && !t.ReadOnly && !t.Fixed && !parent.OfOthers() && NarrowerPrune(prune, parent.Prune) != PruneNone &&
		!Prunes(t, parent, prune) && set.Listed[Mention{t.Kind, parent.Namespace}]
}

// PrunesRoots reports whether undeclared roots of a type are deleted in a
// namespace that the configuration names.
func PrunesRoots(t *Type, namespace string, set *Set, prune string) bool {
	if NarrowerPrune(prune, set.Claims[Mention{Namespace: namespace}]) == PruneFull {
		return true
	}
	return set.Mentions(t.Kind, namespace) && NarrowerPrune(prune, set.Claims[Mention{t.Kind, namespace}]) != PruneNone
}
