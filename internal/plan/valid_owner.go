package plan

import (
	"slices"

	"kongctl/internal/resource"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/label"
	"kongctl/internal/konnect/remote"
)

// External reports whether a change is about a part of a resource that others
// own: only what belongs to an external has no namespace.
func (c *Change) External() bool { return c.Parent != nil && c.Namespace == "" }

// namespace checks that a change is about a resource of the recorded scope.
func (v *validator) namespace(c *Change, t *catalog.Bound) {
	root := top(t)
	inScope := slices.Contains(v.plan.Metadata.SyncScope.Namespaces, c.Namespace)
	switch {
	case inScope, c.Namespace == "" && !root.HasLabels():
	case c.External():
		if c.Action == Delete && !c.Replace && v.plan.Metadata.Mode != ModeDelete && !v.inverse() {
			v.say(c, "what belongs to an external resource is not deleted by a plan for %s", v.plan.Metadata.Mode)
		}
	default:
		v.say(c, "its namespace %q is not in the plan's scope", c.Namespace)
	}
	if c.Parent == nil || c.Parent.Change == "" {
		return
	}
	if made := v.byID[c.Parent.Change]; made != nil && made.Namespace != c.Namespace {
		v.say(c, "its namespace is %q, and that of its parent is %q", c.Namespace, made.Namespace)
	}
}

// expectation checks what a change expects to find: something, where there is
// something to lose, and nothing that it does not show.
func (v *validator) expectation(c *Change, t *catalog.Bound) {
	switch {
	case c.Action == Create:
		if c.Expect != nil || c.CurrentState != nil {
			v.say(c, "a create expects nothing")
		}
		return
	case c.Action == Update && c.CurrentState == nil && c.Expect == nil && t.Shape == catalog.Singleton && !t.Optional():
		return // it comes with its parent
	case c.Expect == nil || c.Expect.Fingerprint == "" || c.CurrentState == nil:
		v.say(c, "it does not say what it expects (expect, current_state)")
		return
	}
	o := c.seen()
	if !holdsHidden(c.CurrentState) && Fingerprint(t, o) != c.Expect.Fingerprint {
		v.say(c, "expect.fingerprint is not that of current_state")
	}
	if id, ok := c.CurrentState["id"].(string); ok && id != c.ResourceID && (t.Shape == catalog.Collection || t.Shape == catalog.Membership) {
		v.say(c, "current_state is of the resource %s", id)
	}
	v.owner(c, t, o)
	v.along(c)
	v.detaches(c)
	v.expectsResult(c, t)
}

// seen is the resource as the plan saw it.
func (c *Change) seen() *resource.Object {
	return remote.Recorded(c.ResourceID, c.CurrentState)
}

// owner checks that a root was managed and in the change's namespace, and that
// nothing protected is deleted.
func (v *validator) owner(c *Change, t *catalog.Bound, o *resource.Object) {
	if c.Action == Delete && c.Protection {
		v.say(c, "protection: a protected resource is not deleted")
	}
	if !t.HasLabels() {
		return
	}
	if why := Disowned(v.plan, c, t, o); why != "" {
		v.say(c, "%s", why)
	}
}

// Disowned says why a root is not the plan's to change, "" when it is.
func Disowned(p *Plan, c *Change, t *catalog.Bound, o *resource.Object) string {
	owner, managed := remote.Labels(o)[label.Namespace]
	what := catalog.Words(t.Kind)
	switch {
	case !t.HasLabels():
		return ""
	case c.Action == Delete && label.Protects(remote.Labels(o)):
		return "the " + what + " is protected"
	case p.Metadata.Mode == ModeAdopt && !p.Metadata.Inverse:
		return ""
	case !managed:
		return "the " + what + " is not managed by kongctl"
	case owner != c.Namespace:
		return "the " + what + " belongs to the namespace " + owner
	default:
		return ""
	}
}

// along checks that what is deleted with a resource is counted and listed, and
// that none of it is protected.
func (v *validator) along(c *Change) {
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
			v.say(c, "it would also delete %s, which is protected", x)
		}
	}
	if c.Action != Delete && len(counted)+len(listed) > 0 {
		v.say(c, "only a delete removes other resources")
	}
	if !sameJSON(counted, listed) {
		v.say(c, "expect.along does not match takes_along and cascades")
	}
}
