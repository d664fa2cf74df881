package plan

import (
	"slices"

	"kongctl/internal/konnect/catalog"
)

// mapped is the id of what a ref stands for.
func (m Metadata) mapped(kind, ref string) (string, bool) {
	for _, e := range m.Externals {
		if e.Type == kind && e.Ref == ref {
			return e.ID, true
		}
	}
	if id, ok := m.ReferenceMappings[kind+":"+ref]; ok {
		return id, true
	}
	id, ok := m.ReferenceMappings[ref]
	return id, ok
}

// externals checks that every external has a type and is used by a change:
// nothing else of the plan shows it.
func (v *validator) externals() {
	list := v.plan.Metadata.Externals
	for i, e := range list {
		if v.cat.Kind(e.Type) == nil || e.ID == "" || !slices.Contains(v.plan.using(list), e) || slices.Index(list, e) != i {
			v.add("metadata.externals: no change refers to %s %q (%s)", e.Type, e.Ref, e.ID)
		}
	}
}

// refs checks that the refs that people read stand for the ids that are used.
// What is not declared goes by its name.
func (v *validator) refs(c *Change) {
	m := v.plan.Metadata
	if id, _ := m.mapped(c.ResourceType, c.ResourceRef); c.Action != Create && !c.Replace && c.ResourceID != "" &&
		id != c.ResourceID && c.ResourceRef != c.ResourceName && c.ResourceRef != c.ResourceID {
		v.say(c, "resource_ref is %q, and reference_mappings does not say that %s is that", c.ResourceRef, c.ResourceID)
	}
	v.above(c)
	for path, r := range c.References {
		t := v.cat.Kind(r.Type)
		if r.Change != "" || r.Field != "" || t == nil {
			continue
		}
		if id, _ := m.mapped(r.Type, r.Ref); id != r.ID {
			v.say(c, "references.%s: reference_mappings does not say that %q is %s", path, r.Ref, r.ID)
		}
		listed := slices.ContainsFunc(m.Externals, func(e External) bool { return e.Type == r.Type && e.Ref == r.Ref })
		if t.ReadOnly && !listed { // no plan makes one
			v.say(c, "references.%s: metadata.externals does not list %q", path, r.Ref)
		}
	}
}

// above checks the names of what a change stands below, and that what belongs to
// others is listed as an external.
func (v *validator) above(c *Change) {
	p, m := c.Parent, v.plan.Metadata
	if p == nil || p.Change != "" || v.cat.Kind(p.Type) == nil {
		return
	}
	t := v.cat.Kind(p.Type)
	if id, _ := m.mapped(p.Type, p.Ref); p.Ref != "" && t.Shape != catalog.Singleton && id != p.ID && p.Ref != p.ID && !c.Replace {
		v.say(c, "parent.ref is %q, and reference_mappings does not say that %s is that", p.Ref, p.ID)
	}
	if c.External() && top(t).HasLabels() && !slices.ContainsFunc(m.Externals, func(e External) bool {
		return slices.Contains(p.Ancestors, e.ID)
	}) {
		v.say(c, "it has no namespace, and metadata.externals does not list what it belongs to")
	}
}

// top is the root type above a type.
func top(t *catalog.Bound) *catalog.Bound {
	for t.Parent != nil {
		t = t.Parent
	}
	return t
}
