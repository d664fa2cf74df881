package plan

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/resource"
)

// place checks the id of a change's resource and those above it.
func (v *validator) place(c *Change, t *catalog.Bound) {
	op := v.operation(c, t)
	v.parent(c, t.Parent, t.Depth())
	if c.Parent != nil {
		for i, id := range c.Parent.Ancestors {
			v.id(c, op, i, id)
		}
	}
	switch {
	case c.Action == Create && t.Shape != catalog.Map:
		if c.ResourceID != "" {
			v.say(c, "Konnect assigns the id of what is created")
		}
	case c.Action == Create && c.References[t.MapKey].Change != "":
		if c.ResourceID != "" {
			v.say(c, "resource_id: another change makes it")
		}
	case t.Shape == catalog.Singleton && !t.Listed:
		// Its path has no id of its own.
	case c.ResourceID == "":
		v.say(c, "no resource_id")
	default:
		v.id(c, op, t.Depth(), c.ResourceID)
	}
	v.name(c, t)
	v.refs(c)
}

// parent checks what a change stands below: depth ids of a type, or a change
// that makes it.
func (v *validator) parent(c *Change, t *catalog.Bound, depth int) {
	switch {
	case t == nil && c.Parent == nil:
		return
	case t == nil:
		v.say(c, "resources of type %s have no parent", c.ResourceType)
		return
	case c.Parent == nil:
		v.say(c, "no parent")
		return
	case c.Parent.Type != t.Kind:
		v.say(c, "its parent is of type %q, want %s", c.Parent.Type, t.Kind)
		return
	}
	p := c.Parent
	if p.Change == "" {
		if len(p.Ancestors) != depth {
			v.say(c, "parent.ancestors has %d ids, want %d", len(p.Ancestors), depth)
		} else if p.ID != p.Ancestors[depth-1] {
			v.say(c, "parent.id is not the last of parent.ancestors")
		}
		return
	}
	made := v.byID[p.Change]
	switch {
	case made == nil || made.Action == Delete || made.ResourceType != t.Kind:
		v.say(c, "parent.change is %s, which does not make a %s", p.Change, t.Kind)
	case made.ResourceRef != p.Ref:
		v.say(c, "parent.change makes %q, and parent.ref is %q", made.ResourceRef, p.Ref)
	case len(p.Ancestors) > 0 || p.ID != unknownID:
		v.say(c, "the ids of its parent are not known before %s", p.Change)
	case !v.after(c, p.Change):
		v.say(c, "does not depend on %s, which makes its parent", p.Change)
	}
}

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// id checks one part of the path of a call.
func (v *validator) id(c *Change, op *contract.Operation, place int, id string) {
	strange := func(r rune) bool {
		return unicode.IsControl(r) || unicode.IsSpace(r) || strings.ContainsRune(`/\%?#`, r)
	}
	if id == "" || id == "." || id == ".." || strings.IndexFunc(id, strange) >= 0 {
		v.say(c, "%q is not an id", id)
		return
	}
	names := op.PathParams()
	if place >= len(names) {
		return
	}
	at := slices.IndexFunc(op.Params(), func(p contract.Param) bool { return p.In == "path" && p.Name == names[place] })
	if at < 0 {
		return
	}
	if s := op.Params()[at].Schema.Deref(); s != nil && s.Format == "uuid" && !uuid.MatchString(id) {
		v.say(c, "%q is not an id: Konnect's are UUIDs here", id)
	}
}

// name checks that what people call a resource is what the plan saw.
func (v *validator) name(c *Change, t *catalog.Bound) {
	if c.Action != Create && !nameFits(t, c) {
		v.say(c, "resource_name is %q, and current_state is of another resource", c.ResourceName)
	}
}

// nameFits reports whether the name of a change's resource is what the plan saw.
// Types that are known by several fields, or long ones, have names of our making.
func nameFits(t *catalog.Bound, c *Change) bool {
	if c.CurrentState == nil || len(t.Identity) != 1 || t.Shape != catalog.Collection {
		return true
	}
	known := false
	for _, f := range t.Facts().NameFields() {
		for _, x := range []any{c.CurrentState[f], c.ChangedFields[f].New} {
			s, ok := x.(string)
			if ok && (strings.TrimSpace(s) == strings.TrimSpace(c.ResourceName) || holdsHidden(s) || len(s) > resource.MaxName) {
				return true
			}
			known = known || ok && s != ""
		}
	}
	return !known || c.ResourceName == c.ResourceID
}

// targets checks that changes of one resource wait for each other.
func (v *validator) targets() {
	seen := map[string]*Change{}
	for _, c := range v.plan.Changes {
		key := v.target(c)
		first := seen[key]
		if first == nil {
			seen[key] = c
			continue
		}
		if first.Action == c.Action && c.Action != Update || !v.after(c, first.ID) && !v.after(first, c.ID) {
			v.say(c, "%s is about the same resource", first.ID)
		}
	}
}

// target tells the resources of changes apart.
func (v *validator) target(c *Change) string {
	above, id := ancestorsOf(c), c.ResourceID
	if c.Parent != nil && c.Parent.Change != "" {
		above = []string{"change", c.Parent.Change}
	}
	t := v.cat.Kind(c.ResourceType)
	if t == nil || t.Shape != catalog.Singleton {
		if id == "" {
			id = "ref " + c.ResourceRef
		}
	} else {
		id = ""
	}
	kind := c.ResourceType
	if c.Action == Create && t != nil && t.Shape != catalog.Map {
		kind += " new"
	}
	return placeKey(kind, above, id)
}
