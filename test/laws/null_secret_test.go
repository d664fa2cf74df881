package laws

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// Null for an optional secret changes it, or the plan says that it does not.
func TestNullSecretIsNamed(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		if tried.Load() < 5 {
			t.Errorf("%d secrets were tried", tried.Load())
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		for _, f := range secretFeatures(s.t) {
			p := f.path()
			if s.uncovered(f) != "" || inList(f) {
				continue
			}
			was := newScene(s.w, s.t)
			ref := was.sampleOf(f)
			v, _ := value.Get(was.last, p)
			if _, isSecret := v.(secretOf); !isSecret {
				continue
			}
			null, _ := value.Clone(was.last).(map[string]any)
			value.Set(null, p, nil)
			is := &scene{w: s.w, t: s.t, lists: map[string][]string{}, made: was.made}
			for k, list := range was.lists {
				is.lists[k] = list
			}
			own := is.lists[s.t.Root()]
			is.lists[s.t.Root()] = own[: len(own)-1 : len(own)-1]
			is.add(s.t, null, was.below)
			if s.w.try(is.text()).HasErrors() {
				continue // the secret is required
			}
			tried.Add(1)
			s.w.run(s.w.plan(was.text(), plan.ModeSync))
			for _, mode := range []plan.Mode{plan.ModeSync, plan.ModeApply} {
				x := s.w.plan(is.text(), mode)
				if !namesSecret(x, ref, p) {
					t.Errorf("%s %s: null for %s does nothing, and nothing says so: %v", mode, catalog.Words(s.t.Kind), p, x.Warnings)
				}
			}
		}
	})
}

// namesSecret reports whether a plan changes a resource or names a field of it.
func namesSecret(p *plan.Plan, ref string, field value.Path) bool {
	for _, c := range p.Changes {
		if c.ResourceRef == ref {
			return true
		}
	}
	for _, w := range p.Warnings {
		if w.ResourceRef == ref && strings.HasPrefix(w.Message, field.String()+" ") {
			return true
		}
	}
	return len(p.Blocked) > 0
}
