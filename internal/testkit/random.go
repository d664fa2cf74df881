package testkit

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/kongctl/kongctl/internal/plan"
)

// SmallPlan is a plan with a bit of everything that a seal covers.
func SmallPlan() *plan.Plan {
	c := func(id, ref string) *plan.Change {
		return &plan.Change{ID: id, Action: plan.Create, ResourceType: "portal", ResourceRef: ref, Fields: map[string]any{"name": ref, "text": "<&>\u2028"}, DependsOn: []string{}}
	}
	return &plan.Plan{
		Metadata: plan.Metadata{PlanVersion: plan.Version, Mode: plan.ModeSync, GeneratedAt: "2026-11-15T10:30:00Z"},
		Changes:  []*plan.Change{c("1:c:portal:a", "a"), c("2:c:portal:b", "b")},
		Warnings: []plan.Warning{{Message: "careful"}},
	}
}

// RandomPlan makes a plan of random data.
func RandomPlan(r *rand.Rand) *plan.Plan {
	p := SmallPlan()
	p.Metadata.ReferenceMappings = map[string]string{RandomText(r): RandomText(r)}
	p.Metadata.Inverse = r.IntN(2) == 0
	p.Changes = nil
	for range r.IntN(5) {
		p.Changes = append(p.Changes, &plan.Change{ID: RandomText(r), Action: plan.Update, Fields: map[string]any{RandomText(r): RandomData(r, 3)}})
	}
	return p
}

// RandomData makes random data.
func RandomData(r *rand.Rand, depth int) any {
	switch n := r.IntN(7); {
	case n == 0 && depth > 0:
		return []any{RandomData(r, depth-1), RandomData(r, depth-1)}
	case n == 1 && depth > 0:
		// Decoys: what looks like a seal is not one.
		return map[string]any{"metadata": map[string]any{"seal": map[string]any{"digest": RandomText(r), "signature": nil}}, RandomText(r): RandomData(r, depth-1)}
	case n == 2:
		return r.IntN(2) == 0
	case n == 3:
		return json.Number(fmt.Sprint(r.Float64() * 1e9))
	case n == 4:
		return nil
	default:
		return RandomText(r)
	}
}

// RandomText makes a random text.
func RandomText(r *rand.Rand) string {
	letters := []rune("ab\"\\{}[]:, \n\t<&é\u2028😀\x00")
	out := make([]rune, r.IntN(12))
	for i := range out {
		out[i] = letters[r.IntN(len(letters))]
	}
	return string(out)
}
