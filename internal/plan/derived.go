package plan

import (
	"slices"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// sheds names the parent below which a change may take away what is derived from its
// resource: a deletion, and an update of a text that no longer has all it had.
func sheds(cat *resource.Types, c *Change) (of resource.Removed, ok bool) {
	if c.Parent == nil || c.Parent.ID == "" || c.Parent.ID == UnknownID || c.Action != Delete && c.Action != Update {
		return of, false
	}
	of = resource.Removed{Kind: c.Parent.Type, ID: c.Parent.ID, Derived: true}
	return of, slices.ContainsFunc(cat.DerivedFrom(c.ResourceType), func(t *resource.Type) bool {
		return c.Action == Delete || dropsDerived(t, c)
	})
}

// dropsDerived reports whether an update changes the text of its resource so that
// something derived from it may go.
func dropsDerived(t *resource.Type, c *Change) bool {
	now, changes := t.Derived.Text(c.ResourceType, c.Fields)
	if !changes {
		return false
	}
	before := map[string]any{}
	for field, x := range c.ChangedFields {
		value.Set(before, value.ParsePath(field), x.Old)
	}
	old, known := t.Derived.Text(c.ResourceType, before)
	return !known || HoldsHidden(old) || t.Derived.Drops(t, old, now)
}

// Sheds lists the users that lose what they refer to by a change, because that is
// derived from the resource of the change. Where other changes keep it, keep says
// whether one of them can come first; nil means that they do.
func (p *Plan) Sheds(cat *resource.Types, c *Change, users *resource.Users, keep func(*Change) bool) []resource.User {
	of, ok := sheds(cat, c)
	if !ok || users == nil {
		return nil
	}
	var out []resource.User
	for _, u := range users.Refer[of] {
		if goes, keepers := p.sheds(c, u.Through); goes || len(keepers) > 0 && keep != nil && !slices.ContainsFunc(keepers, keep) {
			out = append(out, u)
		}
	}
	return out
}

// sheds reports whether something goes with a change that it is derived from, and
// which other changes bring a text that has it.
func (p *Plan) sheds(c *Change, x *resource.Through) (goes bool, keepers []*Change) {
	own, d := resource.SourceKey(c.ResourceType, c.ResourceID), x.Type.Derived
	if len(x.From) > 0 && !slices.Contains(x.From, own) || len(x.From) == 0 && c.Action != Delete {
		return false, nil
	}
	stays := slices.Clone(x.From)
	for _, other := range p.Changes {
		text, has := d.Text(other.ResourceType, other.Fields)
		if !d.Reads(other.ResourceType) || !SameParent(other, c) || other.Action == Update && !has {
			continue
		}
		key := resource.SourceKey(other.ResourceType, other.ResourceID)
		stays = slices.DeleteFunc(stays, func(from string) bool { return from == key })
		if other.Action == Delete || other.Replace || !d.In(x.Type, text, x.Object) {
			continue
		}
		if other == c {
			return false, nil
		}
		keepers = append(keepers, other)
	}
	return len(stays)+len(keepers) == 0, keepers
}
