package laws

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// What a field names by its ref is among the references of the change, whatever the type
// of what is named: its own one, too.
func TestNamedIsReferred(t *testing.T) {
	eachNamed(t, func(x *namedCase) {
		n := x.typ.Neutral().NamedAt(value.ParsePath(x.field))
		if n.Kind == "" {
			return // a name in the place of an id, with an entry for the id
		}
		for _, way := range []string{theNamed, "!ref " + theNamed, x.reference()} {
			p := x.w.plan(x.declare(way, x.minimal()), plan.ModeApply)
			i := slices.IndexFunc(p.Changes, func(c *plan.Change) bool { return c.ResourceRef == x.user() })
			if i < 0 {
				x.t.Fatalf("by %s: no change of %s", way, x.user())
			}
			found := false
			for _, at := range slices.Sorted(maps.Keys(p.Changes[i].References)) {
				if path := value.ParsePath(at); path.Generic().String() != x.field {
					continue
				}
				found = true
				want := plan.Reference{Ref: theNamed, Type: x.to.Kind, Field: x.to.Identity[0], ID: called, Lookup: plan.Named(called)}
				if got := p.Changes[i].References[at]; !reflect.DeepEqual(got, want) {
					x.t.Errorf("by %s: %s is %+v", way, at, got)
				}
			}
			if !found {
				x.t.Errorf("by %s: no reference of %s", way, x.field)
			}
		}
	})
}
