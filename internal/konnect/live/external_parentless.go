package live

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/resource"
)

// parentless is an external whose parent is not there.
type parentless struct {
	m *matcher
	x *resource.Resource
}

// settle finds out what becomes of the external. What is declared waits for a parent that
// this plan creates. An id that stands in a field would be that of nothing, unless another
// target makes what has it.
func (p parentless) settle() {
	if p.x.External.Made != nil {
		return // decK makes it once the parent is there
	}
	explained, err := p.explained()
	switch {
	case err != nil:
		p.m.snap.partial[p.x] = err
	case explained:
		p.m.snap.missing[p.x] = true
	case p.m.comes(p.x), p.unchecked():
		p.m.snap.objects[p.x] = idOnly(p.x.External.ID)
	case !p.m.q.leftOut(p.x.Parent) && p.mayWait():
		p.m.snap.missing[p.x] = true
	default:
		p.m.unresolved(p.x, language.ParentNotThere(p.x))
	}
}

// explained reports whether people know from elsewhere why what the external belongs to
// is not there: it was reported, or others own it. An error is why nobody knows.
func (p parentless) explained() (bool, error) {
	for up := p.x.Parent; up != nil; up = up.Parent {
		if err := p.m.snap.Failed(up); err != nil {
			return true, err
		}
		if p.m.snap.objects[up] == nil && (up.External != nil || p.m.reported[up]) {
			return true, nil
		}
	}
	return false, nil
}

// unchecked reports whether an id that stands in a field is taken as it is: no ids are
// checked, or the parent is left out, which is reported where it is referred to.
func (p parentless) unchecked() bool {
	return p.x.External.Unnamed && hasID(p.x) && (p.m.q.CheckIDs == resource.CheckNoIDs || p.m.q.leftOut(p.x.Parent))
}

// mayWait reports whether what needs the external may wait until it is there: people
// wrote how it is found.
func (p parentless) mayWait() bool {
	switch {
	case hasID(p.x):
		return !p.x.External.Unnamed
	case p.x.External.Named:
		return p.mayBeAnother()
	default:
		return true
	}
}

// mayBeAnother reports whether a name that a field says may be that of an external of
// which nobody knows the name before it is there.
func (p parentless) mayBeAnother() bool {
	return slices.ContainsFunc(p.m.q.Set.Of(p.x.Type), func(y *resource.Resource) bool {
		return y != p.x && y.Parent == p.x.Parent && y.External != nil && y.External.ID == "" && !y.External.Named && y.External.Wanted(p.x.Type.Identity[0]) == ""
	})
}
