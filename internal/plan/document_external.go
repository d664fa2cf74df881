package plan

import "slices"

// Using are the externals that changes of the plan refer to or stand below.
func (p *Plan) Using(externals []External) []External {
	var out []External
	for _, e := range externals {
		if slices.ContainsFunc(p.Changes, func(c *Change) bool { return c.uses(e) }) {
			out = append(out, e)
		}
	}
	return out
}

func (c *Change) uses(e External) bool {
	if c.Parent != nil && slices.Contains(c.Parent.Ancestors, e.ID) {
		return true
	}
	for _, r := range c.References {
		if r.Type == e.Type && r.Ref == e.Ref && (r.ID == e.ID || r.Field != "") {
			return true
		}
	}
	return false
}
