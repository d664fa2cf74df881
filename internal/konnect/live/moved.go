package live

import (
	"fmt"
	"slices"

	"kongctl/internal/diag"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/language"
	"kongctl/internal/konnect/remote"
)

// former finds a renamed resource by its old name while none has the new one.
func (r *reader) former(x *language.Resource, from string, named, objects []*remote.Object) []*remote.Object {
	want, known := r.snap.identity(x, r.q.Links)
	if !known {
		return named
	}
	want[x.Type.Identity[0]] = from
	old := identified(x.Type, want, objects)
	if len(named) == 0 {
		return old
	}
	if slices.Equal(old, named) {
		return named // it has its name already
	}
	if len(r.own(x, named)) == 0 || len(r.own(x, old)) == 0 {
		return named
	}
	for _, o := range old {
		r.snap.taken[o] = true // renamed or not, it is no stray
	}
	what := catalog.Words(x.Type.Kind)
	r.tell(x, diag.LiveBothNames, fmt.Sprintf("The %s %q is to be renamed to %q, but Konnect has both:\n%s (%s)\n%s (%s)", what, from, x.Name, ids(old), from, ids(named), x.Name),
		"delete or rename one of the two in Konnect, or remove the entry from moved. Resources that exchange their names need a third name and two runs.")
	return named
}
