package plan

import (
	"strings"
	"unicode"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/resource"
)

// Parent checks what a change stands below: depth ids of a type, or a change
// that makes it.
func (v *Validation) Parent(c *Change, t *resource.Type, depth int) {
	switch {
	case t == nil && c.Parent == nil:
		return
	case t == nil:
		v.Say(c, "resources of type %s have no parent", c.ResourceType)
		return
	case c.Parent == nil:
		v.Say(c, "no parent")
		return
	case c.Parent.Type != t.Kind:
		v.Say(c, "its parent is of type %q, want %s", c.Parent.Type, t.Kind)
		return
	}
	p := c.Parent
	if p.Change == "" {
		if len(p.Ancestors) != depth {
			v.Say(c, "parent.ancestors has %d ids, want %d", len(p.Ancestors), depth)
		} else if p.ID != p.Ancestors[depth-1] {
			v.Say(c, "parent.id is not the last of parent.ancestors")
		}
		return
	}
	made := v.byID[p.Change]
	switch {
	case made == nil || made.Action == Delete || made.ResourceType != t.Kind:
		v.Say(c, "parent.change is %s, which does not make a %s", p.Change, t.Kind)
	case made.ResourceRef != p.Ref:
		v.Say(c, "parent.change makes %q, and parent.ref is %q", made.ResourceRef, p.Ref)
	case len(p.Ancestors) > 0 || p.ID != UnknownID:
		v.Say(c, "the ids of its parent are not known before %s", p.Change)
	case !v.after(c, p.Change):
		v.Say(c, "does not depend on %s, which makes its parent", p.Change)
	}
}

// targets checks that changes of one resource wait for each other.
func (v *Validation) targets() {
	seen := map[string]*Change{}
	for _, c := range v.Plan.Changes {
		key := v.target(c)
		first := seen[key]
		if first == nil {
			seen[key] = c
			continue
		}
		if first.Action == c.Action && c.Action != Update || !v.after(c, first.ID) && !v.after(first, c.ID) {
			v.Say(c, "%s is about the same resource", first.ID)
		}
	}
}

// target tells the resources of changes apart.
func (v *Validation) target(c *Change) string {
	above, id := AncestorsOf(c), c.ResourceID
	if c.Parent != nil && c.Parent.Change != "" {
		above = []string{"change", c.Parent.Change}
	}
	t := v.Types.Kind(c.ResourceType)
	if t == nil || !t.Single {
		if id == "" {
			id = "ref " + c.ResourceRef
		}
	} else {
		id = ""
	}
	kind := c.ResourceType
	if c.Action == Create && t != nil && t.KeyField == "" {
		kind += " new"
	}
	return PlaceKey(kind, above, id)
}

// ID checks that a text can be an id: a part of the path of a call.
func (v *Validation) ID(c *Change, id string) bool {
	strange := func(r rune) bool {
		return unicode.IsControl(r) || unicode.IsSpace(r) || strings.ContainsRune(`/\%?#`, r)
	}
	if id == "" || id == "." || id == ".." || strings.IndexFunc(id, strange) >= 0 {
		v.Say(c, "%q is not an id", id)
		return false
	}
	return true
}

var uuid = pattern.New(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// IsUUID reports whether a text is a UUID.
func IsUUID(text string) bool { return uuid.MatchString(text) }

// UUID checks an id of Konnect.
func (v *Validation) UUID(c *Change, id string) {
	if !IsUUID(id) {
		v.Say(c, "%q is not an id: Konnect's are UUIDs here", id)
	}
}
