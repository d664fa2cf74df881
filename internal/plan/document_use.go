package plan

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/resource"
)

// Removes lists what changes delete and others may refer to, children and parts
// included, and what something else is derived from that others may refer to.
func Removes(cat *resource.Types, changes []*Change) []resource.Removed {
	var out []resource.Removed
	shedding := map[resource.Removed]bool{}
	for _, c := range changes {
		for _, x := range removes(cat, c) {
			if x.Derived && shedding[x] {
				continue
			}
			shedding[x] = x.Derived
			out = append(out, x)
		}
		for _, x := range c.GatewayChanges {
			if x.Removes != nil {
				out = append(out, resource.Removed{Kind: x.Removes.Type, ID: x.Removes.ID})
			}
		}
	}
	return out
}

// removes lists what a change removes, but for parts.
func removes(cat *resource.Types, c *Change) []resource.Removed {
	var out []resource.Removed
	add := func(kind, id string) {
		if (len(cat.Uses(kind)) > 0 || len(cat.UsesThrough(kind)) > 0) && id != "" {
			out = append(out, resource.Removed{Kind: kind, ID: id})
		}
	}
	named := func() bool { // what is created again has its name again
		x := resource.Removed{Kind: c.ResourceType, ID: c.ResourceID}
		if c.Replace || len(cat.NamedBy(x.Kind)) == 0 || x.ID == "" || len(AncestorsOf(c)) == 0 {
			return false
		}
		out = append(out, x.Called(cat.Kind(x.Kind).NameIn(c.CurrentState), AncestorsOf(c)))
		return true
	}
	if x, ok := sheds(cat, c); ok {
		out = append(out, x)
	}
	if c.Action != Delete {
		return out
	}
	if !named() {
		add(c.ResourceType, c.ResourceID)
	}
	if c.Expect == nil {
		return out
	}
	for key := range c.Expect.Along {
		add(placeOf(key))
	}
	return out
}

// UserName names a user: its kind and name, and what it belongs to.
func UserName(u resource.User) string {
	if len(u.Ancestors) == 0 || u.Root == nil {
		return u.Type.Describe(u.Object)
	}
	name := u.Type.Describe(u.Object)
	if IsUUID(u.Type.Name(u.Object)) {
		name = u.Type.Words
	}
	return fmt.Sprintf("%s of the %s", name, u.Type.Top().Describe(u.Root))
}

// Owner says in brackets who owns a user.
func Owner(u resource.User) string {
	if ns := u.Namespace(); ns != "" {
		return fmt.Sprintf(" (namespace %s)", ns)
	}
	return " (unmanaged)"
}
