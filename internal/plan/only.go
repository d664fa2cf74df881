package plan

import "slices"

// Only returns the plan with some of its changes: what is left of it to be
// shown. It is not a plan to carry out.
func (p *Plan) Only(keep func(*Change) bool) *Plan {
	out := *p
	out.Changes, out.ExecutionOrder, out.ExecutionGroups, out.Summary = nil, nil, nil, Summary{}
	kept := map[string]bool{}
	for _, c := range p.Changes {
		if keep(c) {
			kept[c.ID] = true
			out.Changes = append(out.Changes, c)
		}
	}
	left := func(ids []string) []string {
		return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !kept[id] })
	}
	out.Index()
	out.ExecutionOrder = left(p.ExecutionOrder)
	for _, group := range p.ExecutionGroups {
		if group = left(group); len(group) > 0 {
			out.ExecutionGroups = append(out.ExecutionGroups, group)
		}
	}
	out.Summarize()
	return &out
}
