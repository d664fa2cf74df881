package propose

import (
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// compare compares a declaration with what exists. The field that a resource
// is known by differs only where it was found by its old name, or where this plan
// gives what it is taken from another value: one that it cannot get in place, where it
// takes the place of what exists.
func compare(s build.Subject, desired build.Desired, o *resource.Object, mode diff.Mode) diff.Delta {
	t := catalog.OfType(s.Type)
	d := diff.CompareWith(t, desired.Plain, o.Fields, mode, beside(s, desired))
	writeAgain(s, &d, desired)
	for _, p := range desired.UnknownIdentity(s.Type) {
		if mode == diff.New || !t.Immutable(p.Generic()) {
			have, _ := value.Get(o.Fields, p)
			d.Changes = append([]diff.Change{{Path: p, Old: have, New: value.Unknown{}}}, d.Changes...)
		}
	}
	if !s.Renamed {
		return d
	}
	p := value.ParsePath(catalog.Renamed(t))
	have, _ := value.Get(o.Fields, p)
	want, _ := value.Get(desired.Plain, p)
	if !resource.SameText(want, have) {
		d.Changes = append([]diff.Change{{Path: p, Old: have, New: want}}, d.Changes...)
	}
	return d
}

// beside is what a declaration says besides its fields.
func beside(s build.Subject, desired build.Desired) diff.Beside {
	out := diff.Beside{Inherited: inherited(s, desired), Unset: unsetOf(s), Nulled: nulledOf(s)}
	if s.Order != nil {
		o := s.Order(desired)
		out.Ordered, out.Unlisted, out.Former, out.Gone = o.Written, o.Unlisted, o.Former, o.Gone
	}
	return out
}

// nulledOf are the other fields that a declaration says null for.
func nulledOf(s build.Subject) []value.Path {
	if s.Resource == nil {
		return nil
	}
	return s.Resource.Nulled
}

// unsetOf are the immutable fields that a declaration says null for.
func unsetOf(s build.Subject) []value.Path {
	if s.Resource == nil {
		return nil
	}
	return s.Resource.Unset
}

func diffMode(m plan.Mode) diff.Mode {
	if m == plan.ModeSync {
		return diff.Whole
	}
	return diff.Merge
}

// immutable lists the changed fields that a resource must be replaced for.
func immutable(d diff.Delta) []string {
	var out []string
	for _, c := range d.Changes {
		if c.Immutable {
			out = append(out, c.Path.String())
		}
	}
	return out
}
