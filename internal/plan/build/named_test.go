package build_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/source"
	"github.com/kongctl/kongctl/internal/testkit"
)

// A plan deletes nothing that a resource which stays names in a field and that must
// exist, and says so: declared, external, or not read for the plan. Where the name may
// come from elsewhere it warns of what still has it.
func TestStillNamed(t *testing.T) {
	const (
		policy   = "policies: [{ref: p, name: p, display_name: P, type: ai-rate-limiting-advanced, config: {limit: [5]}}], "
		none     = "policies: [], "
		named    = "consumer_groups: [{ref: g, name: g, display_name: G, policies: [p]}], "
		variable = "consumer_groups: [{ref: g, name: g, display_name: G, policies: [!env POLICY]}], "
		referred = "consumer_groups: [{ref: g, name: g, display_name: G, policies: [!ref a#display_name]}], "
		another  = "consumer_groups: [{ref: g, name: g, display_name: G, policies: [!ref q]}], policies: [{ref: q, name: q, display_name: Q, type: cors, config: {}}], "
		later    = "consumer_groups: [{ref: g, name: g, display_name: G, policies: [!ref made#id]}], config_stores: [{ref: made, name: made}], "
		unnamed  = "consumer_groups: [{ref: g, name: g, display_name: G}], "
		noGroup  = "consumer_groups: [], "
		external = "consumer_groups: [{ref: g, _external: {selector: {matchFields: {name: g}}}}], "
		agent    = "agents: [{ref: x, name: x, display_name: X, type: a2a, config: {url: 'https://x.example'}, access: {acls: {allow: [g, elsewhere]}}}]"
		stays    = `the AI gateway policy "p" is not declared and stays, because the AI gateway consumer group "g" names it`
		may      = `the AI gateway policy "p" is not declared and stays, because the AI gateway consumer group "g" may name it: its policies[0] is known only when the plan runs`
		group    = `the AI gateway consumer group "g" is deleted, and the AI gateway agent "x" still names it in access.acls.allow: remove the name, or declare the AI gateway consumer group`
	)
	gateway := func(children string) string {
		return "ai_gateways: [{ref: a, name: a, display_name: p, " + children + "}]\n"
	}
	w := testkit.New(t)
	w.Env["POLICY"] = "p"
	load := func(children string) testkit.Loaded {
		out, diags := w.TryLoad(source.Options{Files: []string{"-"}, Stdin: strings.NewReader(gateway(children))})
		if diags.HasErrors() { // that a name is not declared is a warning
			t.Fatal(diags)
		}
		return out
	}
	w.Succeed(w.Run(w.PlanLoaded(testkit.Ask{}, load(policy+named+agent))))
	id := w.PlanLoaded(testkit.Ask{}, load(policy+named+agent)).Metadata.ReferenceMappings["p"]
	byID := strings.Replace(named, "[p]", "["+id+"]", 1)
	for _, row := range []struct {
		name, prune, children string
		mode                  plan.Mode
		want                  []string
		deletes               string
	}{
		{"a declared one", resource.PruneFull, none + named + agent, plan.ModeSync, []string{stays}, ""},
		{"prune declared", resource.PruneDeclared, none + named + agent, plan.ModeSync, []string{stays}, ""},
		{"a variable", resource.PruneFull, none + variable + agent, plan.ModeSync, []string{stays}, ""},
		{"a field of another resource", resource.PruneFull, none + referred + agent, plan.ModeSync, []string{stays}, ""},
		{"a value that is not known yet", resource.PruneFull, none + later + agent, plan.ModeSync, []string{may}, ""},
		{"an id that is not known yet", resource.PruneFull, another + agent, plan.ModeSync, nil, "ai_gateway_policy"},
		{"one that others own", resource.PruneFull, none + external + agent, plan.ModeSync, []string{stays}, ""},
		{"one that was not read", resource.PruneDeclared, none, plan.ModeSync, []string{stays}, ""},
		{"one that is deleted too", resource.PruneFull, none + noGroup, plan.ModeSync, nil, "ai_gateway_agent ai_gateway_consumer_group ai_gateway_policy"},
		{"one that no longer names it", resource.PruneFull, none + unnamed + agent, plan.ModeSync, nil, "ai_gateway_policy"},
		{"a name that may come from elsewhere", resource.PruneFull, policy + noGroup + agent, plan.ModeSync, []string{group}, "ai_gateway_consumer_group"},
		{"one that names it by its id", resource.PruneFull, none + byID + agent, plan.ModeSync, []string{stays}, ""},
		{"one that names a declared one by its id", resource.PruneFull, policy + byID + agent, plan.ModeSync, nil, ""},
		{"nothing is deleted", resource.PruneFull, policy + named + agent, plan.ModeSync, nil, ""},
		{"apply", "", none + named, plan.ModeApply, nil, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got, deletes []string
			p := w.PlanLoaded(testkit.Ask{Mode: row.mode, Prune: row.prune}, load(row.children))
			for _, x := range p.Warnings {
				got = append(got, x.Message)
			}
			for _, c := range p.Changes {
				if c.Action == plan.Delete {
					deletes = append(deletes, c.ResourceType)
				}
			}
			slices.Sort(deletes)
			testkit.Equal(t, "warnings", got, row.want)
			testkit.Equal(t, "deletes", strings.Join(deletes, " "), row.deletes)
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

// What a field names is waited for as what a reference leads to: an external that is not
// there, one that may have the name, and, where externals may be missing, a name that
// nothing declares. What a filter leaves out and does not exist is reported.
func TestNamedIsAwaited(t *testing.T) {
	const (
		external = "policies: [{ref: p, _external: {selector: {matchFields: {name: rate}}}}], "
		prefix   = "policies: [{ref: p, _external: {selector: {matchExpressions: [{key: name, operator: Prefix, values: [ra]}]}}}], "
		managed  = "policies: [{ref: p, name: rate, display_name: R, type: cors, config: {}}], "
		missing  = "ai_gateway_consumer_group g: external: ai_gateway_policy not found: "
	)
	for _, row := range []struct {
		name, policies, list string
		flag                 bool
		ignore, want         string
	}{
		{"by its ref", external, "[p]", false, "", missing + "p"},
		{"by its name", external, "[rate]", false, "", missing + "p"},
		{"by a variable", external, "[!env POLICY]", false, "", missing + "p"},
		{"by a field of another resource", external, "[!ref x#name]", false, "", missing + "p"},
		{"another name", external, "[other]", false, "", "REF002"},
		{"another name, which may come", external, "[other]", true, "", missing + "other"},
		{"a variable with another name, which may come", external, "[!env OTHER]", true, "", missing + "!env OTHER"},
		{"one of any name", prefix, "[rate]", false, "", missing + "p"},
		{"a declared one", managed, "[rate]", false, "", ""},
		{"one that is ignored, by its name", managed, "[rate]", false, "p", "FLT004"},
		{"one that is ignored, by its ref", managed, "[p]", false, "p", "FLT004"},
		{"one that is ignored and may come", managed, "[!env POLICY]", true, "p", "ai_gateway_consumer_group g: AI gateway policy is ignored and does not exist: p"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := testkit.New(t)
			w.Env["POLICY"], w.Env["OTHER"] = "rate", "other"
			text := "apis: [{ref: x, name: rate}]\nai_gateways: [{ref: a, name: a, display_name: A, " + row.policies + "consumer_groups: [{ref: g, name: g, display_name: G, policies: " + row.list + "}]}]\n"
			how := way{mode: plan.ModeApply, pending: row.flag}
			if row.ignore != "" {
				how.filter.Ignore = patterns(row.ignore)
			}
			p, diags := planned(t, w, text, how)
			var got []string
			for _, d := range diags {
				got = append(got, string(d.Code))
			}
			if len(got) == 0 {
				for _, x := range p.Pending {
					got = append(got, x.ResourceType+" "+x.ResourceRef+": "+x.Reason+": "+x.WaitsFor)
				}
			}
			testkit.Equal(t, "outcome", strings.Join(got, "; "), row.want)
		})
	}
}
