package live

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/resource"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
)

// former finds a renamed resource by its old name while none has the new one.
func (m *matcher) former(x *resource.Resource, from string, named []*resource.Object, scope string) []*resource.Object {
	want, known := resource.KnownIdentity(m.snap, m.q.Links, x)
	if !known {
		return named
	}
	field := catalog.Renamed(catalog.Of(x))
	to := want[field]
	want[field] = from
	old := m.identified(x, want, scope)
	if variant, known := m.wants(x); known && len(old) > 1 {
		if exact := withVariant(x.Type, old, variant); len(exact) > 0 {
			old = exact
		}
	}
	if len(named) == 0 {
		return old
	}
	if slices.Equal(old, named) {
		return named // it has its name already
	}
	if len(m.own(x, named)) == 0 || len(m.own(x, old)) == 0 {
		return named
	}
	for _, o := range old {
		m.snap.taken[o] = true // renamed or not, it is declared
	}
	what := catalog.Words(catalog.Of(x).Kind)
	m.tell(x, diag.LiveBothNames, fmt.Sprintf("The %s %q is to be renamed to %q, but Konnect has both:\n%s (%s)\n%s (%s)", what, from, to, ids(x.Type, old), from, ids(x.Type, named), to),
		"delete or rename one of the two in Konnect, or remove the entry from moved. Resources that exchange their names need a third name and two runs.", "")
	return named
}
