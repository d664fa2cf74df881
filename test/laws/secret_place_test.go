package laws

import (
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// A secret at a place that the contract does not know is refused while loading,
// or the plan that writes it is one that kongctl carries out.
func TestSecretsInOpenMappings(t *testing.T) {
	var refused atomic.Int64
	afterAll(t, func() {
		t.Logf("%d secrets were refused", refused.Load())
		if refused.Load() == 0 {
			t.Error("the law was not tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		below := ""
		if s.t.Parent != nil {
			below = s.parent(s.t)
		}
		s.below = below
		full := sampler{t: s.t, n: 100, refs: s.reference}.everything(0)
		if d := s.problems(full, below); d.HasErrors() {
			return // something else needs a value
		}
		secret := secretOf{env: "LAW_SECRET"}
		for _, at := range openPlaces(s.t, full) {
			for _, v := range []any{secret, []any{secret}, map[string]any{"x": secret}} {
				fields, _ := value.Clone(full).(map[string]any)
				value.Set(fields, at, v)
				d := s.problems(fields, below)
				if d.HasErrors() {
					for _, x := range d {
						if x.Code == diag.CfgSecretPlace {
							refused.Add(1)
						}
					}
					continue
				}
				trial := &scene{w: s.w, t: s.t, lists: s.lists, made: s.made}
				trial.add(s.t, fields, below)
				p := s.w.plan(trial.text(), plan.ModeApply)
				if err := engine.Validate(p, s.w.cat); err != nil {
					t.Fatalf("%s: loading accepts the secret, and the plan is refused: %v", at, err)
				}
			}
		}
	})
}

// openPlaces are keys of a declaration that the contract does not know, one in
// every mapping that takes any.
func openPlaces(t *catalog.Bound, full map[string]any) (out []value.Path) {
	for _, at := range places(full) {
		v, _ := value.Get(full, at)
		m, isMap := v.(map[string]any)
		if !isMap {
			continue
		}
		if s := t.Write().At(at, full); s != nil {
			if o := s.Object(m); !o.Open && len(o.Names()) > 0 || o.Values != nil {
				continue
			}
		}
		out = append(out, at.Child("probe"))
	}
	return out
}
