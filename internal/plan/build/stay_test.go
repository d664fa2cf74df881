package build_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// tangle is a configuration of roots that refer to each other at random, by themselves
// and by their parts; some are protected.
func tangle(r *rand.Rand, protected map[string]bool) string {
	some := func(of string, n int) (out []string) {
		for i := range n {
			if r.IntN(2) == 0 {
				out = append(out, fmt.Sprint(of, i))
			}
		}
		return out
	}
	one := func(field, of string, n int) string {
		if i := r.IntN(2 * n); i < n {
			return fmt.Sprintf(", %s: %s", field, fmt.Sprintf(of, i))
		}
		return ""
	}
	role := func(name, kind, api string) string {
		return fmt.Sprintf("{role_name: %s, entity_type_name: %s, entity_id: !ref %s, entity_region: us}", name, kind, api)
	}
	list := func(of []string, item func(string) string) string {
		var out []string
		for _, x := range of {
			out = append(out, item(x))
		}
		return "[" + strings.Join(out, ", ") + "]"
	}
	head := func(ref string) string {
		return fmt.Sprintf("ref: %[1]s, name: %[1]s, kongctl: {protected: %[2]t}", ref, protected[ref])
	}
	var b strings.Builder
	b.WriteString("application_auth_strategies:\n")
	for i := range 2 {
		fmt.Fprintf(&b, "- {%s, %s\n", head(fmt.Sprint("s", i)), keyAuth)
	}
	b.WriteString("portals:\n")
	for i := range 3 {
		roles := list(some("a", 3), func(a string) string { return role("API Viewer", "Services", a) })
		fmt.Fprintf(&b, "- {%s%s, teams: [{name: t, roles: %s}]}\n", head(fmt.Sprint("p", i)), one("default_application_auth_strategy_id", "s%d", 2), roles)
	}
	b.WriteString("apis:\n")
	for i := range 3 {
		pubs := list(some("p", 3), func(p string) string {
			return fmt.Sprintf("{portal: %s%s}", p, one("auth_strategy_ids", "[s%d]", 2))
		})
		fmt.Fprintf(&b, "- {%s, publications: %s}\n", head(fmt.Sprint("a", i)), pubs)
	}
	b.WriteString("teams:\n")
	for i := range 2 {
		fmt.Fprintf(&b, "- {%s, roles: %s}\n", head(fmt.Sprint("o", i)), list(some("a", 3), func(a string) string { return role("Viewer", "APIs", a) }))
	}
	return b.String()
}

// dependents are the refs of the roots that depend on refused ones, by what a plan says
// that deletes them all. What goes with a root is only deleted when that is, but for a
// publication, which a sync deletes with its portal as well.
func dependents(p *plan.Plan, refused map[string]bool) []string {
	out := maps.Clone(refused)
	stays, staying := map[*plan.Change]bool{}, map[string]bool{} // by id
	for again := true; again; {
		again = false
		for _, c := range p.Changes {
			portal, published := c.CurrentState["portal_id"].(string)
			waits := c.Parent == nil && out[c.ResourceRef] || c.With != nil && stays[c.With] && (!published || staying[portal] || p.Metadata.Mode == plan.ModeDelete)
			for _, id := range c.DependsOn {
				waits = waits || stays[p.Change(id)]
			}
			if waits && !stays[c] {
				stays[c], staying[c.ResourceID], again = true, true, true
				if c.Parent == nil {
					out[c.ResourceRef] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(out))
}

// What is blocked is what is refused and what depends on that, by the plan that deletes
// all: nothing else. The rest is carried out.
func TestBlockedIsWhatDependsOnTheRefused(t *testing.T) {
	spared := 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 1))
		refused := map[string]bool{}
		for range 1 + r.IntN(2) {
			refused[fmt.Sprintf("%c%d", "paos"[r.IntN(4)], r.IntN(2))] = true
		}
		drawn := r.Uint64()
		text := func(protected map[string]bool) string { return tangle(rand.New(rand.NewPCG(drawn, 2)), protected) }
		for mode, without := range map[plan.Mode]func(map[string]bool) string{
			plan.ModeDelete: text,
			plan.ModeSync: func(map[string]bool) string {
				return "application_auth_strategies: []\nportals: []\napis: []\nteams: []"
			},
		} {
			ask := testkit.Ask{Mode: mode}
			open := testkit.New(t)
			open.Sync(text(nil))
			want := dependents(open.Plan(ask, without(nil)), refused)

			w := testkit.New(t)
			w.Sync(text(refused))
			p := w.Plan(ask, without(refused))
			testkit.Equal(t, fmt.Sprintf("blocked by %s with seed %d", mode, seed), blockedRefs(p), want)
			spared += 10 - len(want)
			w.Succeed(w.Run(p))
			again := w.Plan(ask, without(refused))
			testkit.Equal(t, "blocked afterwards", blockedRefs(again), want)
			testkit.Equal(t, "changes afterwards", len(again.Changes), 0)
			if t.Failed() {
				t.Fatalf("refused: %v\n%s", slices.Sorted(maps.Keys(refused)), text(refused))
			}
		}
	}
	if spared < 30 {
		t.Errorf("only %d roots were deleted beside refused ones", spared)
	}
}

func blockedRefs(p *plan.Plan) (out []string) {
	for _, x := range p.Blocked {
		out = append(out, x.ResourceRef)
	}
	slices.Sort(out)
	return out
}

// An update that drops references to what is deleted drops none to what a refused delete
// leaves in place, and is carried out with all else that it changes.
func TestUpdatesDropOnlyWhatIsDeleted(t *testing.T) {
	w := testkit.New(t)
	w.Sync("application_auth_strategies: [{ref: s, name: s, kongctl: {protected: true}, " + keyAuth + "]\nportals: [{ref: p, name: p, default_application_auth_strategy_id: s}]")
	after := "application_auth_strategies: []\nportals: [{ref: p, name: p, description: new}]"
	p := w.Plan(testkit.Ask{}, after)
	testkit.Expect(t, p, "1 UPDATE portal p")
	if len(p.Blocked) != 1 || p.Blocked[0].ResourceRef != "s" {
		t.Errorf("blocked: %v", p.Blocked)
	}
	w.Succeed(w.Run(p))
	if p = w.Plan(testkit.Ask{}, after); len(p.Changes) > 0 || len(p.Blocked) != 1 {
		t.Errorf("afterwards: %q %v", testkit.Lines(p), p.Blocked)
	}
}
