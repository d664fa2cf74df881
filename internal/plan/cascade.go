package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// Cascaded is a resource that Konnect deletes with another, because it refers
// to that one.
type Cascaded struct {
	Type string `json:"type"`
	ID   string `json:"id"`
	Name string `json:"name"`
	// Parent is the root that it belongs to.
	Parent *CascadedParent `json:"parent,omitempty"`
	// Above is what it belongs to below that root, from the root down.
	Above []CascadedParent `json:"above,omitempty"`
	// Namespace is empty where it is not managed; what belongs to a root is
	// managed with it.
	Namespace string `json:"namespace,omitempty"`
	Managed   bool   `json:"managed"`
	Protected bool   `json:"protected"`
	// RootProtected tells that the root above it is protected, and the plan's own to change.
	RootProtected bool `json:"root_protected,omitempty"`
	// Object is what was read of it while the plan was created.
	Object *resource.Object `json:"-"`
}

// CascadedParent is what a cascaded resource belongs to.
type CascadedParent struct {
	Type string `json:"type"`
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Shielded reports whether protection keeps a plan for some namespaces from deleting a
// user: its own, where it is a root, and that of the root that it belongs to where others
// own that. Who owns a protected root may remove what belongs to it.
func Shielded(u resource.User, namespaces []string) bool {
	return u.Protected() && (u.Type.Parent == nil || !slices.Contains(namespaces, u.Namespace()))
}

// Cascade lists a user among what is deleted with what it uses.
func (c *Change) Cascade(u resource.User, name string, protected bool) {
	x := Cascaded{
		Type: u.Type.Kind, ID: u.Object.ID, Name: name,
		Namespace: u.Namespace(), Managed: u.Namespace() != "", Protected: protected, RootProtected: !protected && u.Protected(),
		Object: u.Object,
	}
	if top := u.Type.Top(); top != u.Type && u.Root != nil {
		x.Parent = &CascadedParent{Type: top.Kind, ID: u.Root.ID, Name: top.Name(u.Root)}
		x.Above = between(u)
	}
	if slices.ContainsFunc(c.Cascades, func(y Cascaded) bool { return x.same(y) }) {
		return
	}
	c.Cascades = append(c.Cascades, x)
	c.expectAlong(u.Place(), userPrint(u))
}

// between is what a user belongs to below its root.
func between(u resource.User) []CascadedParent {
	if len(u.Ancestors) < 2 {
		return nil
	}
	out, t := make([]CascadedParent, len(u.Ancestors)-1), u.Type.Parent
	for i := len(out) - 1; i >= 0; i, t = i-1, t.Parent {
		id := u.Ancestors[i+1]
		out[i] = CascadedParent{Type: t.Kind, ID: id, Name: id}
		if i < len(u.Above) && u.Above[i] != nil {
			out[i].Name = t.Name(u.Above[i])
		}
	}
	return out
}

// same reports whether two are one: what one resource is to several others has the
// same id below each of them.
func (x Cascaded) same(y Cascaded) bool {
	return x.Type == y.Type && x.ID == y.ID && (x.Parent == nil || y.Parent == nil || slices.Equal(x.Ancestors(), y.Ancestors()))
}

// Ancestors are the ids of what it belongs to, from the root down.
func (x Cascaded) Ancestors() []string {
	if x.Parent == nil {
		return nil
	}
	out := []string{x.Parent.ID}
	for _, above := range x.Above {
		out = append(out, above.ID)
	}
	return out
}

// Owners names what it belongs to, the nearest first; "" is nothing.
func (x Cascaded) Owners() string {
	if x.Parent == nil {
		return ""
	}
	var out []string
	for _, above := range slices.Backward(append([]CascadedParent{*x.Parent}, x.Above...)) {
		out = append(out, fmt.Sprintf("%s %q", resource.Words(above.Type), above.Name))
	}
	return strings.Join(out, " of ")
}

// String names the resource.
func (x Cascaded) String() string {
	return Kept{Type: x.Type, Name: x.Name, Of: x.Owners()}.String()
}

// userPrint is the fingerprint of a user, and of who owns it.
func userPrint(u resource.User) string {
	return value.Fingerprint(map[string]any{
		"fields": u.Type.Essence(u.Object), "namespace": u.Namespace(), "protected": u.Protected(),
	})
}

// expectAlong records what is deleted with the resource.
func (c *Change) expectAlong(key, fingerprint string) {
	if c.Expect == nil {
		c.Expect = &Expect{}
	}
	if c.Expect.Along == nil {
		c.Expect.Along = map[string]string{}
	}
	c.Expect.Along[key] = fingerprint
}

// CascadeText says what a delete also deletes, and whether something of it is
// protected, or belongs to no namespace of the plan.
func (c *Change) CascadeText(namespaces []string) (would string, protected, others bool) {
	var all []string
	for _, x := range c.Cascades {
		all = append(all, x.String()+" ("+x.Owner()+")")
		protected = protected || x.Protected
		others = others || !slices.Contains(namespaces, x.Namespace)
	}
	would = "Deleting it"
	if c.Action == Update {
		would = "This update"
	}
	return would + " would also delete " + strings.Join(all, ", ") + ".", protected, others
}

// Owner says who manages the resource, and that it or its root is protected.
func (x Cascaded) Owner() string {
	out := "unmanaged"
	if x.Managed {
		out = "namespace " + x.Namespace
	}
	switch {
	case x.Protected:
		out += ", protected"
	case x.RootProtected:
		out += ", below a protected root"
	}
	return out
}

// Appeared lists what refers to what a change deletes though the plan does not
// know it, or not as it is now. What the plan deletes or updates is checked by
// itself.
func Appeared(cat *resource.Types, p *Plan, places Places, c *Change, users *resource.Users) []Stranger {
	var out []Stranger
	handled := func(u resource.User) bool {
		return places.updated[PlaceKey(u.Type.Kind, u.Ancestors, u.Object.ID)] || Within(places.deleted, u.Part)
	}
	for _, removed := range removes(cat, c) {
		found := users.Of(removed.Kind, removed.ID)
		if removed.Derived {
			found = p.Sheds(cat, c, users, nil)
		}
		for _, u := range found {
			known, seen := c.Expect.Along[u.Place()]
			switch {
			case u.Use.OnDelete == resource.Keeps, handled(u):
			case u.Use.OnDelete == resource.Cascades && Shielded(u, p.Metadata.SyncScope.Namespaces):
				out = append(out, Stranger{u.Part, UserName(u), "is protected"})
			case seen && (known != userPrint(u) || u.Use.OnDelete == resource.Cascades && !c.lists(u)):
				out = append(out, Stranger{u.Part, UserName(u), "was changed"})
			case !seen && u.Use.OnDelete == resource.Cascades:
				out = append(out, Stranger{u.Part, UserName(u), "was created"})
			case !seen:
				out = append(out, Stranger{u.Part, UserName(u), "uses it now"})
			}
		}
	}
	for _, x := range c.GatewayChanges {
		if x.Removes == nil {
			continue
		}
		for _, u := range users.Of(x.Removes.Type, x.Removes.ID) {
			switch known, seen := x.Removes.Users[u.Place()]; {
			case handled(u):
			case !seen:
				out = append(out, Stranger{u.Part, UserName(u), fmt.Sprintf("uses the %s now", x.Called())})
			case known != userPrint(u):
				out = append(out, Stranger{u.Part, UserName(u), "was changed"})
			}
		}
	}
	return out
}

// lists reports whether a delete lists what it deletes by cascade, and who owns
// that.
func (c *Change) lists(u resource.User) bool {
	return slices.ContainsFunc(c.Cascades, func(x Cascaded) bool {
		return x.Type == u.Type.Kind && x.ID == u.Object.ID && x.Namespace == u.Namespace() && x.Managed == (x.Namespace != "")
	})
}

// Within reports whether an object, or what it belongs to, is at one of the
// places.
func Within(places map[string]bool, x resource.Part) bool {
	t, id, above := x.Type, x.Object.ID, x.Ancestors
	for !places[PlaceKey(t.Kind, above, id)] {
		if t.Parent == nil || len(above) == 0 {
			return false
		}
		t, id, above = t.Parent, above[len(above)-1], above[:len(above)-1]
	}
	return true
}
