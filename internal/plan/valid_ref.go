package plan

import (
	"slices"

	"github.com/kongctl/kongctl/internal/resource"
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
func (v *Validation) externals() {
	list := v.Plan.Metadata.Externals
	for i, e := range list {
		if v.Types.Kind(e.Type) == nil || e.ID == "" || !slices.Contains(v.Plan.Using(list), e) || slices.Index(list, e) != i {
			v.add("metadata.externals: no change refers to %s %q (%s)", resource.Words(e.Type), e.Ref, e.ID)
		}
	}
}

// Refs checks that the refs that people read stand for the ids that are used.
// What is not declared goes by its name.
func (v *Validation) Refs(c *Change) {
	m := v.Plan.Metadata
	if id, _ := m.mapped(c.ResourceType, c.ResourceRef); c.Action != Create && !c.Replace && c.ResourceID != "" &&
		id != c.ResourceID && c.ResourceRef != c.ResourceName && c.ResourceRef != c.ResourceID {
		v.Say(c, "resource_ref is %q, and reference_mappings does not say that %s is that", c.ResourceRef, c.ResourceID)
	}
	v.Above(c)
	for path, r := range c.References {
		t := v.Types.Kind(r.Type)
		if r.Change != "" || r.Field != "" || t == nil {
			continue
		}
		if id, _ := m.mapped(r.Type, r.Ref); id != r.ID {
			v.Say(c, "references.%s: reference_mappings does not say that %q is %s", path, r.Ref, r.ID)
		}
		listed := slices.ContainsFunc(m.Externals, func(e External) bool { return e.Type == r.Type && e.Ref == r.Ref })
		if t.ReadOnly && !listed { // no plan makes one
			v.Say(c, "references.%s: metadata.externals does not list %q", path, r.Ref)
		}
	}
}

// Above checks the names of what a change stands below, and that what belongs to
// others is listed as an external.
func (v *Validation) Above(c *Change) {
	p, m := c.Parent, v.Plan.Metadata
	if p == nil || p.Change != "" || v.Types.Kind(p.Type) == nil {
		return
	}
	t := v.Types.Kind(p.Type)
	if id, _ := m.mapped(p.Type, p.Ref); p.Ref != "" && !t.Single && id != p.ID && p.Ref != p.ID && !c.Replace {
		v.Say(c, "parent.ref is %q, and reference_mappings does not say that %s is that", p.Ref, p.ID)
	}
	if top := t.Top(); c.External() && (top.Owned || top.ReadOnly) && !slices.ContainsFunc(m.Externals, func(e External) bool {
		return slices.Contains(p.Ancestors, e.ID)
	}) {
		v.Say(c, "it has no namespace, and metadata.externals does not list what it belongs to")
	}
}
