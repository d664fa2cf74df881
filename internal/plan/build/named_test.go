package build_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/testkit"
)

// A plan warns of what stays and has the name of what it deletes in a field.
func TestStillNamed(t *testing.T) {
	const (
		policy   = "policies: [{ref: p, name: p, display_name: P, type: ai-rate-limiting-advanced, config: {limit: 5}}], "
		none     = "policies: [], "
		named    = "consumer_groups: [{ref: g, name: g, display_name: G, policies: [p, elsewhere]}]"
		unnamed  = "consumer_groups: [{ref: g, name: g, display_name: G}]"
		external = "consumer_groups: [{ref: g, _external: {selector: {matchFields: {name: g}}}}]"
		warning  = `the AI gateway policy "p" is deleted, and the AI gateway consumer group "g" still names it in policies: remove the name, or declare the AI gateway policy`
	)
	gateway := func(children string) string {
		return "ai_gateways: [{ref: a, name: a, display_name: A, " + children + "}]\n"
	}
	w := testkit.New(t)
	load := func(children string) testkit.Loaded {
		out, diags := w.TryLoad(source.Options{Files: []string{"-"}, Stdin: strings.NewReader(gateway(children))})
		if diags.HasErrors() { // that a name is not declared is a warning
			t.Fatal(diags)
		}
		return out
	}
	w.Succeed(w.Run(w.PlanLoaded(testkit.Ask{}, load(policy+named))))
	for _, row := range []struct {
		name, prune, children string
		mode                  plan.Mode
		want                  []string
	}{
		{"a declared one", resource.PruneFull, none + named, plan.ModeSync, []string{warning}},
		{"prune declared", resource.PruneDeclared, none + named, plan.ModeSync, []string{warning}},
		{"one that others own", resource.PruneFull, none + external, plan.ModeSync, []string{warning}},
		{"one that was not read", resource.PruneDeclared, none, plan.ModeSync, nil},
		{"one that is deleted too", resource.PruneFull, none, plan.ModeSync, nil},
		{"one that no longer names it", resource.PruneFull, none + unnamed, plan.ModeSync, nil},
		{"nothing is deleted", resource.PruneFull, policy + named, plan.ModeSync, nil},
		{"apply", "", none + named, plan.ModeApply, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got []string
			for _, x := range w.PlanLoaded(testkit.Ask{Mode: row.mode, Prune: row.prune}, load(row.children)).Warnings {
				got = append(got, x.Message)
			}
			testkit.Equal(t, "warnings", got, row.want)
		})
	}
}

// A plan knows the names of what its changed fields referred to, with the namespace,
// where nothing declares it.
func TestNamesOfUndeclared(t *testing.T) {
	planes := func(members, more string) string {
		return "_defaults: {kongctl: {namespace: mine}}\ncontrol_planes: [{ref: m, name: mm}, " + more +
			"{ref: g, name: gg, cluster_type: CLUSTER_TYPE_CONTROL_PLANE_GROUP, members: [" + members + "]}]\n"
	}
	w := testkit.New(t)
	w.Apply("_defaults: {kongctl: {namespace: theirs}}\ncontrol_planes: [{ref: other, name: other}]\n")
	with := planes("{id: !ref m}, {id: !ref other}", "{ref: other, _external: {selector: {matchFields: {name: other}}}}, ")
	w.Apply(with)
	for _, mode := range []plan.Mode{plan.ModeSync, plan.ModeApply} {
		var got []string
		for _, name := range w.Plan(testkit.Ask{Mode: mode}, planes("{id: !ref m}", "")).Metadata.Names {
			got = append(got, name)
		}
		testkit.Equal(t, "names", got, []string{"other, namespace theirs"})
	}
	if names := w.Plan(testkit.Ask{}, with).Metadata.Names; len(names) > 0 {
		t.Errorf("nothing changes, and %v", names)
	}
}
