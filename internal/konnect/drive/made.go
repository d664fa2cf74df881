package drive

import (
	"time"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/live"
	"github.com/kongctl/kongctl/internal/plan"
)

// Made lists what the creates of an unfinished run brought about, or may have:
// those with a recorded id, and those that were sent and not answered.
func Made(u *execute.Unfinished, cat *catalog.Catalog, env func(string) (string, bool), now func() time.Time) []live.Made {
	d := New(Config{Catalog: cat, Now: now})
	var out []live.Made
	for _, call := range u.Calls(env) {
		c := call.Change
		t, sent := cat.Kind(c.ResourceType), u.Attempts[c.ID]
		if c.Action != plan.Create || t == nil || sent == nil || t.Shape == catalog.Singleton {
			continue
		}
		m := live.Made{Type: t, Ancestors: sent.Ancestors, Namespace: c.Namespace}
		switch {
		case call.Before.Succeeded():
			m.ID, m.Age = call.Before.Result.ResourceID, now().Sub(u.Ended[c.ID])
		case call.Before.Uncertain():
			d.fit(call)
			id, w, err := d.filled(call)
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
