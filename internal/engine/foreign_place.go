package engine

import (
	"cmp"
	"strings"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// placeForeign says of the changes of another program what they stand below, as plans
// of kongctl do: by type, by the change that makes it, and by ids from the root down.
func placeForeign(types *resource.Types, p *plan.Plan) {
	for _, c := range p.Changes {
		if c.Parent != nil {
			c.Parent.Type, c.Parent.ID = parentKind(types, p, c), knownID(c.Parent.ID)
		}
	}
	ids := map[[2]string]string{} // of what changes stand below, by kind and ref
	for _, c := range p.Changes {
		if c.Parent != nil && c.Parent.ID == "" {
			c.Parent.ID = parentID(c)
		}
		if c.Parent != nil && c.Parent.ID != "" {
			ids[[2]string{c.Parent.Type, c.Parent.Ref}] = c.Parent.ID
		}
	}
	for _, c := range p.Changes {
		if c.Parent == nil {
			continue
		}
		c.Parent.ID = cmp.Or(c.Parent.ID, ids[[2]string{c.Parent.Type, c.Parent.Ref}])
		if up := changeOf(p, c, c.Parent); up != nil {
			c.Parent.Change = up.ID
		}
		c.Parent.Ancestors = ancestorIDs(types.Kind(c.ResourceType), c)
	}
}

// knownID is an id that a plan of another program holds, "" for one that stands for
// what is to come.
func knownID(id string) string {
	if strings.HasPrefix(id, "[") || strings.HasPrefix(id, "<") {
		return ""
	}
	return id
}

// parentKind is the type of what a change of another program stands below. Of a type
// that is not known here, the reference to the parent says it (portal_id), or the only
// other change with its ref.
func parentKind(types *resource.Types, p *plan.Plan, c *plan.Change) string {
	if t := types.Kind(c.ResourceType); t != nil {
		if t.Parent != nil {
			return t.Parent.Kind
		}
		return ""
	}
	for field, r := range c.References {
		kind := strings.TrimSuffix(field, "_id")
		if types.Kind(kind) != nil && (r.Ref != "" && r.Ref == c.Parent.Ref || knownID(r.ID) != "" && r.ID == c.Parent.ID) {
			return kind
		}
	}
	kinds := map[string]bool{}
	for _, x := range p.Changes {
		if x != c && x.ResourceRef == c.Parent.Ref {
			kinds[x.ResourceType] = true
		}
	}
	for kind := range kinds {
		if len(kinds) == 1 {
			return kind
		}
	}
	return ""
}

// parentID is the id of what a change stands below, as its references have it.
func parentID(c *plan.Change) string {
	if r, ok := c.References[c.Parent.Type+"_id"]; ok && (r.Ref == "" || r.Ref == c.Parent.Ref) {
		return knownID(r.ID)
	}
	return ""
}

// changeOf is the change of a resource that another one stands below.
func changeOf(p *plan.Plan, c *plan.Change, of *plan.ParentRef) *plan.Change {
	for _, x := range p.Changes {
		if x != c && x.ResourceType == of.Type && (x.ResourceRef == of.Ref || of.ID != "" && x.ResourceID == of.ID) {
			return x
		}
	}
	return nil
}

// ancestorIDs are the ids above the parent of a change, root first; nil where one of
// them is not known.
func ancestorIDs(t *resource.Type, c *plan.Change) []string {
	if t == nil || t.Parent == nil {
		return nil
	}
	var out []string
	for up := t.Parent.Parent; up != nil; up = up.Parent {
		id := knownID(c.References[up.Kind+"_id"].ID)
		if id == "" {
			return nil
		}
		out = append([]string{id}, out...)
	}
	return out
}

// dropAncestors leaves out references that only say what changes stand below: that is
// shown above them.
func dropAncestors(types *resource.Types, p *plan.Plan) {
	for _, c := range p.Changes {
		t := types.Kind(c.ResourceType)
		if c.Parent == nil {
			continue
		}
		if t == nil {
			delete(c.References, c.Parent.Type+"_id")
			continue
		}
		for up := t.Parent; up != nil; up = up.Parent {
			delete(c.References, up.Kind+"_id")
		}
	}
}
