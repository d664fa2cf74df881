package live

import (
	"slices"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/language"
	"kongctl/internal/resource"
)

// orphaned tells that a list could not be read because the parent, which is
// known by its id alone, is not there. That is the parent's problem.
func (r *reader) orphaned(l *listing) bool {
	if !resource.Missing(l.err) {
		return false
	}
	found := false
	for _, s := range l.serves {
		for _, x := range r.q.Set.Resources {
			o := r.snap.objects[x]
			if x.External == nil || x.External.ID == "" || catalog.Of(x) != s.Type.Parent || o == nil || len(s.Ancestors) == 0 || o.ID != s.Ancestors[len(s.Ancestors)-1] {
				continue
			}
			found = r.gone(x) || found
		}
	}
	return found
}

// gone notes that a resource that is known by its id alone is not there.
func (r *reader) gone(x *resource.Resource) bool {
	if x == nil || x.External == nil || x.External.ID == "" {
		return false
	}
	if r.snap.objects[x] != nil {
		delete(r.snap.objects, x)
		r.unresolved(x, language.NoID(x))
	}
	return true
}

// parentless is an external whose parent is not there. A parent that is itself
// an external was told of.
func (r *reader) parentless(x *resource.Resource) {
	if x.External.Deck != nil {
		return // decK makes it once the parent is there
	}
	if err := r.snap.Failed(x.Parent); err != nil {
		r.snap.partial[x] = err
		return
	}
	if x.Parent.External != nil {
		r.snap.missing[x] = true
		return
	}
	if x.External.Unnamed && x.External.ID != "" && catalog.Of(x).Writer != "" {
		r.snap.objects[x] = idOnly(x.External.ID) // decK may make it once the parent is there
		return
	}
	r.unresolved(x, language.ParentNotThere(x))
}

// unresolved notes an external that is not there: an error, unless it may be
// made later or nothing that is planned needs it.
func (r *reader) unresolved(x *resource.Resource, problem diag.Diagnostic) {
	r.snap.missing[x] = true
	if !r.q.AllowPending && r.required(x) {
		r.diags = append(r.diags, problem)
	}
}

// required tells that something that is planned needs an external, or that it
// is declared for its own sake.
func (r *reader) required(x *resource.Resource) bool {
	used := x.Deck != nil
	if used && !r.q.Lenient && (r.q.DeckLeftOut == nil || !r.q.DeckLeftOut(x)) {
		return true
	}
	for _, user := range slices.Concat(r.q.Set.Children(x), r.q.Links.To(x)) {
		used = true
		if user.External == nil && !r.leftOut(user) || user.External != nil && r.required(user) {
			return true
		}
	}
	return !used && !r.leftOut(x) && !r.q.Lenient
}

func (r *reader) leftOut(x *resource.Resource) bool {
	return r.q.Lenient || r.q.LeftOut != nil && r.q.LeftOut(x)
}
