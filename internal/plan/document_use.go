package plan

import (
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/resource"
)

// Removes lists what changes delete and others may refer to, children included, and
// what something else is derived from that others may refer to.
func Removes(cat *resource.Types, changes []*Change) []resource.Removed {
	var out []resource.Removed
	add := func(kind, id string) {
		if (len(cat.Uses(kind)) > 0 || len(cat.UsesThrough(kind)) > 0) && id != "" {
			out = append(out, resource.Removed{Kind: kind, ID: id})
		}
	}
	named := func(c *Change) bool { // what is created again has its name again
		x := resource.Removed{Kind: c.ResourceType, ID: c.ResourceID}
		if c.Replace || len(cat.NamedBy(x.Kind)) == 0 || x.ID == "" || len(AncestorsOf(c)) == 0 {
			return false
		}
		out = append(out, x.Called(cat.Kind(x.Kind).NameIn(c.CurrentState), AncestorsOf(c)))
		return true
	}
	for _, c := range changes {
		if x, ok := sheds(cat, c); ok && !slices.Contains(out, x) {
			out = append(out, x)
		}
		if c.Action != Delete {
			continue
		}
		if !named(c) {
			add(c.ResourceType, c.ResourceID)
		}
		if c.Expect == nil {
			continue
		}
		for key := range c.Expect.Along {
			add(placeOf(key))
		}
	}
	return out
}

// UserName names a user: its kind and name, and what it belongs to.
func UserName(u resource.User) string {
	if u.Use.ByName && u.Root != nil {
		return fmt.Sprintf("%s of the %s", u.Type.Describe(u.Object), u.Type.Top().Describe(u.Root))
	}
	if len(u.Ancestors) == 0 || u.Root == nil {
		return u.Type.Describe(u.Object)
	}
	return fmt.Sprintf("%s of the %s", u.Type.Words, u.Type.Top().Describe(u.Root))
}

// Owner says in brackets who owns a user.
func Owner(u resource.User) string {
	if ns := u.Namespace(); ns != "" {
		return fmt.Sprintf(" (namespace %s)", ns)
	}
	return " (unmanaged)"
}
