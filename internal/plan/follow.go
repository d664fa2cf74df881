package plan

import (
	"maps"
	"slices"
)

// Following is the plan with the ids that its deleted resources have now, where they
// exist again: what belonged to one of them and what referred to it leads to it. The
// deletes themselves name what they deleted.
func (p *Plan) Following(traces map[string]Trace) *Plan {
	to := map[string]string{}
	for _, c := range p.Changes {
		if tr := traces[c.ID]; tr.restores(c) && tr.Object.ID != c.ResourceID {
			to[c.ResourceID] = tr.Object.ID
		}
	}
	if len(to) == 0 {
		return p
	}
	out := *p
	out.Changes = make([]*Change, len(p.Changes))
	made := map[*Change]*Change{}
	for i, c := range p.Changes {
		out.Changes[i] = c.following(to, traces[c.ID].restores(c))
		made[c] = out.Changes[i]
	}
	for _, c := range out.Changes {
		if with := made[c.With]; with != nil {
			c.With = with
		}
	}
	out.Index()
	return &out
}

// restores reports whether a trace is of a delete whose resource exists again.
func (tr Trace) restores(c *Change) bool {
	return c.Action == Delete && c.ResourceID != "" && tr.Restored && tr.Object != nil
}

func (c *Change) following(to map[string]string, itself bool) *Change {
	out := *c
	if id, ok := to[c.ResourceID]; ok && !itself {
		out.ResourceID = id
	}
	out.Fields, _ = led(c.Fields, to).(map[string]any)
	out.CurrentState, _ = led(c.CurrentState, to).(map[string]any)
	out.ChangedFields = maps.Clone(c.ChangedFields)
	for name, x := range out.ChangedFields {
		out.ChangedFields[name] = OldNew{Old: led(x.Old, to), New: led(x.New, to)}
	}
	out.FieldChanges = slices.Clone(c.FieldChanges)
	for i, f := range out.FieldChanges {
		out.FieldChanges[i].CurrentValue, out.FieldChanges[i].DesiredValue = led(f.CurrentValue, to), led(f.DesiredValue, to)
	}
	out.References = maps.Clone(c.References)
	for path, r := range out.References {
		if id, ok := to[r.ID]; ok {
			r.ID = id
			out.References[path] = r
		}
	}
	if c.Parent != nil {
		parent := *c.Parent
		if id, ok := to[parent.ID]; ok {
			parent.ID = id
		}
		parent.Ancestors = ledIDs(parent.Ancestors, to)
		out.Parent = &parent
	}
	return &out
}

func ledIDs(ids []string, to map[string]string) []string {
	out := slices.Clone(ids)
	for i, id := range out {
		if now, ok := to[id]; ok {
			out[i] = now
		}
	}
	return out
}

// led is a value with other ids for some; it shares nothing with the first.
func led(v any, to map[string]string) any {
	switch v := v.(type) {
	case string:
		if id, ok := to[v]; ok {
			return id
		}
	case map[string]any:
		if v == nil {
			return v
		}
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = led(x, to)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = led(x, to)
		}
		return out
	}
	return v
}
