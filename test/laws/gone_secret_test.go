package laws

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// A resource that gets another form loses the secrets that the form has no place for.
// The plan names each of them, and shows none.
func TestFormsThatTakeSecretsAwaySaySo(t *testing.T) {
	var named atomic.Int64
	afterAll(t, func() {
		if named.Load() < 5 {
			t.Errorf("only %d secrets were tried", named.Load())
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		if s.t.Update == nil {
			return
		}
		below := ""
		if s.t.Parent != nil {
			below = s.parent(s.t)
		}
		for form := range min(forms(s.t.Write(), 0), 4) {
			g := sampler{t: s.t, n: 1, refs: s.reference}
			first := g.everything(form)
			if len(secretsIn(first, nil)) == 0 {
				continue
			}
			for other := range min(forms(s.t.Write(), 0), 4) {
				second := g.everything(other)
				var gone []value.Path
				for _, p := range secretsIn(first, nil) {
					if known := s.t.Write().At(p, first); known != nil && known.Secret && !known.Tabled() && s.t.Write().At(p, second) == nil {
						gone = append(gone, p)
					}
				}
				if len(gone) == 0 || s.problems(first, below).HasErrors() || s.problems(second, below).HasErrors() {
					continue
				}
				text := func(fields map[string]any) (text, ref string) {
					x := &scene{w: s.w, t: s.t, lists: map[string][]string{}, made: s.made, above: map[string]string{}}
					for k, v := range s.lists {
						x.lists[k] = slices.Clone(v)
					}
					ref = x.add(s.t, fields, below)
					return x.text(), ref
				}
				before, _ := text(first)
				after, ref := text(second)
				s.w.run(s.w.plan(before, plan.ModeSync, ref))
				for _, mode := range []plan.Mode{plan.ModeSync, plan.ModeApply} {
					walk := s.w.loaded(after)
					walk.Request.Mode = mode
					s.w.build(walk, ref)
					for _, p := range gone {
						named.Add(1)
						if !namesGone(walk.Plan, s.t, p) {
							t.Errorf("%s, form %d to %d: nothing says that %s goes: %v", mode, form, other, p, shownChanges(walk.Plan))
						}
					}
				}
			}
		}
	})
}

// secretsIn are the places of secrets in a declaration.
func secretsIn(v any, at value.Path) (out []value.Path) {
	switch x := v.(type) {
	case secretOf:
		return []value.Path{at}
	case map[string]any:
		for k, y := range x {
			out = append(out, secretsIn(y, at.Child(k))...)
		}
	case []any:
		for i, y := range x {
			out = append(out, secretsIn(y, at.Index(i))...)
		}
	}
	return out
}

// namesGone reports whether a plan shows a field that goes, without its value, or deletes
// what has it.
func namesGone(p *plan.Plan, t *catalog.Bound, field value.Path) bool {
	return slices.ContainsFunc(p.Changes, func(c *plan.Change) bool {
		for len(field) > 0 && strings.HasPrefix(field[len(field)-1], "[") { // a list of secrets is one
			field = field[:len(field)-1]
		}
		x, shown := c.ChangedFields[field.String()]
		return c.ResourceType == t.Kind && (c.Action == plan.Delete && c.Half == nil || shown && plan.IsHidden(x.Old) && x.New == nil)
	})
}

func shownChanges(p *plan.Plan) (out []string) {
	for _, c := range p.Changes {
		for _, x := range c.FieldChanges {
			out = append(out, fmt.Sprintf("%s: %v -> %v", x.Field, x.CurrentValue, x.DesiredValue))
		}
	}
	return out
}
