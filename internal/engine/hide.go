package engine

import (
	"fmt"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
)

// hideSecrets replaces the secrets in a saved plan that is to be shown. A plan of
// kongctl has none, unless somebody wrote them into it: it is shown without them, and
// refused where it is checked.
func (h Host) hideSecrets(p *Planned) error {
	targets := h.targets()
	if err := targets.load(); err != nil {
		return err
	}
	if p.Plan.Foreign() {
		dropAncestors(targets.types, p.Plan)
	}
	hide := targets.hide(p.Plan.Foreign())
	found := p.Plan.HideSecrets(hide)
	switch {
	case p.Plan.Foreign():
		raw, err := plan.HiddenForeign(p.raw, hide)
		if err != nil {
			return err
		}
		p.raw = raw
	case found:
		raw, err := p.Plan.Write()
		if err != nil {
			return fmt.Errorf("render plan: %w", err)
		}
		p.raw = raw
	}
	return nil
}

// hide asks the target of a kind. Of a kind that no target has, names decide where
// another program wrote the plan.
func (r *registry) hide(foreign bool) plan.Hide {
	return func(kind string, fields map[string]any) map[string]any {
		if now := r.types.Now(kind); r.types.Kind(now) != nil {
			if t, ok := r.of(now).(Hider); ok {
				return t.Hide(now, fields, foreign)
			}
		}
		if !foreign {
			return fields
		}
		return plan.HideByName(fields, plan.Secret)
	}
}

// hideMoved replaces the secrets in what is not as a plan expects.
func hideMoved(moved []execute.Moved, hide plan.Hide) {
	for _, m := range moved {
		for i := range m.Fields {
			f := &m.Fields[i]
			for _, v := range []*any{&f.PlannedFrom, &f.Is, &f.Writes} {
				if *v != nil {
					*v = hide.At(m.Change.ResourceType, f.Field, *v)
				}
			}
		}
	}
}
