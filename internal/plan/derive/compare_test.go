package derive_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/derive"

	"github.com/kongctl/kongctl/internal/testkit"
)

func fieldsOf(list []derive.FieldPair) string {
	var out []string
	for _, f := range list {
		out = append(out, f.Field)
	}
	return strings.Join(out, " ")
}

func names(list []derive.ChangeName) string {
	var out []string
	for _, n := range list {
		out = append(out, strings.TrimSpace(string(n.Action)+" "+n.ResourceType+" "+n.ResourceRef+" "+n.Parent))
	}
	return strings.Join(out, ", ")
}

func TestCompare(t *testing.T) {
	const base = "portals: [{ref: p, name: p, description: one, pages: [{ref: h, slug: home, content: hi}]}]\napis: [{ref: a, name: a}]\n"
	w := testkit.New(t)
	w.Sync(base + "teams: [{ref: old, name: old}]\n")
	for name, tt := range map[string]struct {
		a, b               string
		askB               testkit.Ask
		plan, onlyA, onlyB string
		different, fields  string
		same               string
	}{
		"the same": {a: base, b: base, same: "DELETE organization_team old"},
		"only in one": {
			a: base, b: base + "control_planes: [{ref: c, name: cp}]\nteams: [{ref: old, name: old}]\n",
			plan: "metadata.config_hash metadata.sync_scope.existing", onlyA: "DELETE organization_team old", onlyB: "CREATE control_plane c",
		},
		"another value": {
			a: strings.Replace(base, "one", "two", 1), b: strings.Replace(base, "one", "three", 1),
			plan: "metadata.config_hash", different: "UPDATE portal p", fields: "fields.description", same: "DELETE organization_team old",
		},
		"another action": {
			a: base, b: base + "teams: [{ref: old, name: old, description: new}]\n",
			plan: "metadata.config_hash metadata.sync_scope.existing", different: "DELETE organization_team old", fields: "action fields marks",
		},
		"null and nothing": {
			a: strings.Replace(base, "description: one, ", "description: null, display_name: x, ", 1), b: strings.Replace(base, "name: p,", "name: p, display_name: x,", 1), askB: testkit.Ask{Mode: plan.ModeApply},
			plan: "metadata.config_hash metadata.mode metadata.sync_scope.existing metadata.sync_scope.prune metadata.sync_scope.resource_types", onlyA: "DELETE organization_team old", different: "UPDATE portal p", fields: "fields.description",
		},
		"another name under the same ref": {
			a:    base + "control_planes: [{ref: c, name: cp}]\n",
			b:    base + "control_planes: [{ref: c, name: other}]\n",
			plan: "metadata.config_hash", different: "CREATE control_plane c", fields: "fields.name resource_name", same: "DELETE organization_team old",
		},
		"another name of what others refer to": {
			a:    strings.Replace(strings.Replace(base, "portals: [", "portals: [{ref: new, name: x}, ", 1), "name: a}", "name: a, publications: [{ref: pub, portal: new}]}", 1),
			b:    strings.Replace(strings.Replace(base, "portals: [", "portals: [{ref: new, name: y}, ", 1), "name: a}", "name: a, publications: [{ref: pub, portal: new}]}", 1),
			plan: "metadata.config_hash", different: "CREATE portal new", fields: "fields.name resource_name", same: "DELETE organization_team old, CREATE api_publication pub a",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := w.Reread(w.Plan(testkit.Ask{}, tt.a)), w.Reread(w.Plan(tt.askB, tt.b))
			got := derive.Compare(a, b, label.Hash, label.LastUpdated)
			testkit.Equal(t, "plan", fieldsOf(got.Plan), tt.plan)
			testkit.Equal(t, "only in a", names(got.OnlyInA), tt.onlyA)
			testkit.Equal(t, "only in b", names(got.OnlyInB), tt.onlyB)
			testkit.Equal(t, "same", names(got.Same), tt.same)
			var different, fields []string
			for _, d := range got.Different {
				different = append(different, names([]derive.ChangeName{d.A}))
				fields = append(fields, fieldsOf(d.Fields))
			}
			testkit.Equal(t, "different", strings.Join(different, ", "), tt.different)
			testkit.Equal(t, "fields", strings.Join(fields, ", "), tt.fields)
			if identical := tt.plan+tt.onlyA+tt.onlyB+tt.different == ""; got.Summary.Identical != identical {
				t.Errorf("identical: %v", got.Summary.Identical)
			}
			back := derive.Compare(b, a, label.Hash, label.LastUpdated)
			if names(back.OnlyInA) != names(got.OnlyInB) || names(back.OnlyInB) != names(got.OnlyInA) || len(back.Different) != len(got.Different) {
				t.Error("the other way round it is another comparison")
			}
		})
	}
}

func TestComparedFieldAsJSON(t *testing.T) {
	raw, err := json.Marshal([]derive.FieldPair{{Field: "x", InA: true}, {Field: "y", B: "z", InB: true}})
	if want := `[{"a":null,"field":"x"},{"b":"z","field":"y"}]`; err != nil || string(raw) != want {
		t.Errorf("%s, %v, want %s", raw, err, want)
	}
}

// TestAnyPlanEqualsItself, whatever is in it.
func TestAnyPlanEqualsItself(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 100 {
		p := testkit.RandomPlan(r)
		for i, c := range p.Changes {
			c.ID, c.ResourceRef = string(rune('a'+i)), string(rune('a'+i))
		}
		if got := derive.Compare(p, p); !got.Summary.Identical {
			t.Fatalf("a plan differs from itself: %+v", got)
		}
	}
}
