package execute

import (
	"time"

	"kongctl/internal/resource"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/live"
	"kongctl/internal/konnect/remote"
	"kongctl/internal/plan"
	"kongctl/internal/value"
)

// Made lists what the creates of an unfinished run brought about, or may have:
// those with a recorded id, and those that were sent and not answered.
func (u *Unfinished) Made(cat *catalog.Catalog, env func(string) (string, bool), now func() time.Time) []live.Made {
	r := newRun(Input{Plan: u.Plan, Catalog: cat, Env: env, Dir: u.Dir, Bases: u.Bases, Now: now}, nil)
	for id, res := range u.Results {
		if res.Status == Succeeded {
			r.done[id] = &resource.Object{ID: res.ResourceID}
		}
	}
	var out []live.Made
	for _, c := range u.Plan.Changes {
		t, sent := cat.Kind(c.ResourceType), u.Attempts[c.ID]
		if c.Action != plan.Create || t == nil || sent == nil || t.Shape == catalog.Singleton {
			continue
		}
		m := live.Made{Type: t, Ancestors: sent.Ancestors, Namespace: c.Namespace}
		switch {
		case r.done[c.ID] != nil:
			m.ID, m.Age = r.done[c.ID].ID, now().Sub(u.Ended[c.ID])
		case u.uncertain(c.ID):
			r.writes[c.ID] = remote.Write{Fields: r.known(c)}
			id, w, err := r.filled(c)
			if err != nil {
				continue // it refers to what was never made, so it was not sent
			}
			m.Identity, m.Age = identity(t, id, w.Fields), now().Sub(sent.At)
		default:
			continue
		}
		out = append(out, m)
	}
	return out
}

// known is what a change sends, with the variables that are set here.
func (r *run) known(c *plan.Change) map[string]any {
	fields, _ := value.Clone(c.Fields).(map[string]any)
	if fields == nil {
		fields = map[string]any{}
	}
	b := r.Catalog.Kind(c.ResourceType)
	for _, e := range c.Expressions {
		v, err := r.evaluate(e.Expression)
		if err != nil || b == nil {
			continue
		}
		p := value.ParsePath(e.Field)
		value.Set(fields, p, b.Write().At(p.Generic(), nil).Coerce(v))
	}
	return fields
}
