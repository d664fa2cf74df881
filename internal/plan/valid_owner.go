package plan

import (
	"slices"

	"github.com/kongctl/kongctl/internal/resource"
)

// External reports whether a change is about a part of a resource that others
// own: only what belongs to an external has no namespace.
func (c *Change) External() bool { return c.Parent != nil && c.Namespace == "" }

// Namespace checks that a change is about a resource of the recorded scope. What
// belongs to a root without a mark is in no namespace.
func (v *Validation) Namespace(c *Change, t *resource.Type) {
	root := t.Top()
	inScope := slices.Contains(v.Plan.Metadata.SyncScope.Namespaces, c.Namespace)
	switch {
	case inScope, !root.Owned:
	case c.External():
		if c.Action == Delete && !c.Replace && v.Plan.Metadata.Mode != ModeDelete && !v.Inverse() {
			v.Say(c, "what belongs to an external resource is not deleted by a plan for %s", v.Plan.Metadata.Mode)
		}
	default:
		v.Say(c, "its namespace %q is not in the plan's scope", c.Namespace)
	}
	if c.Parent == nil || c.Parent.Change == "" {
		return
	}
	if made := v.byID[c.Parent.Change]; made != nil && made.Namespace != c.Namespace {
		v.Say(c, "its namespace is %q, and that of its parent is %q", c.Namespace, made.Namespace)
	}
}

// Expectation checks what a change expects to find: something, where there is
// something to lose, and nothing that it does not show.
func (v *Validation) Expectation(c *Change, t *resource.Type) {
	switch {
	case c.Action == Create:
		if c.Expect != nil || c.CurrentState != nil {
			v.Say(c, "a create expects nothing")
		}
		return
	case c.Action == Update && c.CurrentState == nil && c.Expect == nil && t.Single && t.Fixed:
		return // it comes with its parent
	case c.Expect == nil || c.Expect.Fingerprint == "" || c.CurrentState == nil:
		v.Say(c, "it does not say what it expects (expect, current_state)")
		return
	}
	o := t.Recorded(c.ResourceID, c.CurrentState)
	if !HoldsHidden(c.CurrentState) && t.Fingerprint(o) != c.Expect.Fingerprint {
		v.Say(c, "expect.fingerprint is not that of current_state")
	}
	if id, ok := c.CurrentState["id"].(string); ok && id != c.ResourceID && t.KeyField == "" {
		v.Say(c, "current_state is of the resource %s", id)
	}
	if t.KeyField != "" && c.CurrentState[t.KeyField] != c.ResourceID {
		v.Say(c, "current_state is of another resource: its %s is not resource_id", t.KeyField)
	}
	v.owner(c, t, o)
	v.along(c)
	v.detaches(c)
	v.expectsResult(c, t)
}

// owner checks that a root was managed and in the change's namespace, and that
// nothing protected is deleted.
func (v *Validation) owner(c *Change, t *resource.Type, o *resource.Object) {
	if c.Action == Delete && c.Protection {
		v.Say(c, "protection: a protected resource is not deleted")
	}
	if !t.Owned {
		return
	}
	if why := Disowned(v.Plan, c, t, o); why != "" {
		v.Say(c, "%s", why)
	}
}

// Disowned says why a root is not the plan's to change, "" when it is.
func Disowned(p *Plan, c *Change, t *resource.Type, o *resource.Object) string {
	owner := o.Owner.Namespace
	what := t.Words
	switch {
	case !t.Owned:
		return ""
	case c.Action == Delete && o.Owner.Protected:
		return "the " + what + " is protected"
	case p.Metadata.Mode == ModeAdopt && !p.Metadata.Inverse:
		return ""
	case owner == "":
		return "the " + what + " is not managed by kongctl"
	case owner != c.Namespace:
		return "the " + what + " belongs to the namespace " + owner
	default:
		return ""
	}
}

// along checks that what is deleted with a resource is counted and listed, and
// that none of it is protected.
func (v *Validation) along(c *Change) {
	counted, listed := map[string]int{}, map[string]int{}
	for key := range c.Expect.Along {
		kind, _ := placeOf(key)
		counted[kind]++
	}
	for kind, n := range c.TakesAlong {
		listed[kind] += n
	}
	for _, x := range c.Cascades {
		listed[x.Type]++
		if x.Protected {
			v.Say(c, "it would also delete %s, which is protected", x)
		}
	}
	_, sheds := sheds(v.Types, c)
	if (c.Action != Delete && len(c.TakesAlong) > 0) || (c.Action != Delete && !sheds && len(counted)+len(listed) > 0) {
		v.Say(c, "only a delete removes other resources")
	}
	if c.Action != Delete && len(c.Expect.Settings) > 0 {
		v.Say(c, "only a delete expects settings")
	}
	if !sameJSON(counted, listed) {
		v.Say(c, "expect.along does not match takes_along and cascades")
	}
}
