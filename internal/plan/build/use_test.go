package build_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// What may be used by something that could not be read is neither deleted nor
// replaced, and the plan is partial.
func TestUnreadUsersKeepWhatTheyMayUse(t *testing.T) {
	const before = "application_auth_strategies: [{ref: s, name: s, " + keyAuth + "]"
	for name, row := range map[string]struct {
		text string
		how  way
	}{
		"sync":    {"application_auth_strategies: []", way{mode: plan.ModeSync}},
		"delete":  {before, way{mode: plan.ModeDelete}},
		"replace": {strings.ReplaceAll(strings.ReplaceAll(before, "key_auth", "openid_connect"), "key-auth: {key_names: [a]}", "openid-connect: {issuer: 'https://id.example.com', credential_claim: [sub], scopes: [openid], auth_methods: [bearer]}"), way{mode: plan.ModeApply, replace: []string{"s"}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(before)
			p, diags := planned(t, w, row.text, row.how)
			if diags.HasErrors() || len(p.Changes) == 0 || len(p.Errors) > 0 {
				t.Fatalf("with all read: %v %v %v", diags.Err(), testkit.Lines(p), p.Errors)
			}
			for _, kind := range []string{"api_publication", "portal"} {
				how := row.how
				how.unread = kind
				p, diags := planned(t, w, row.text, how)
				if diags.HasErrors() || len(p.Changes) > 0 || len(p.Errors) == 0 {
					t.Errorf("without %s: %v %v %v", kind, diags.Err(), testkit.Lines(p), p.Errors)
				}
			}
		})
	}
}

// The lists that may refer to what is deleted are read once, over all parents,
// and only where something is deleted that they can refer to.
func TestUsersAreReadOnlyForDeletes(t *testing.T) {
	w := testkit.New(t)
	w.Sync("application_auth_strategies: [{ref: s, name: s, " + keyAuth + "]\nteams: [{name: t}]")
	reads := func(text string) (out []string) {
		w.Recorder.Reset()
		w.Plan(testkit.Ask{}, text)
		for _, x := range w.Recorder.All() {
			if strings.HasPrefix(x.Path, "/v3/api-publications") || strings.HasPrefix(x.Path, "/v3/api-implementations") {
				out = append(out, x.Path)
			}
		}
		return out
	}
	if got := reads("application_auth_strategies: [{ref: s, name: s, " + keyAuth + "]\nteams: [{name: t}]"); len(got) > 0 {
		t.Errorf("without a delete: %v", got)
	}
	if got := reads("application_auth_strategies: [{ref: s, name: s, " + keyAuth + "]\nteams: []"); len(got) > 0 {
		t.Errorf("for the delete of what nothing refers to: %v", got)
	}
	// Publications of APIs and of API packages share a list, each asked for its own.
	if got := reads("application_auth_strategies: []\nteams: [{name: t}]"); len(got) != 2 || got[0] != "/v3/api-publications" || got[1] != got[0] {
		t.Errorf("for the delete of a strategy: %v", got)
	}
}

// A reference that is declared no more and that only a new resource could drop keeps
// what it leads to; the fix is one that works.
func TestDroppedReferenceThatStays(t *testing.T) {
	gateway := func(policies string) string {
		return "event_gateways: [{ref: e, name: e, min_runtime_version: '1.1', backend_clusters: [{ref: k, name: k, authentication: {type: anonymous}, bootstrap_servers: ['a:1'], insecure_allow_anonymous_virtual_cluster_auth: true, tls: {enabled: false}}], " +
			"virtual_clusters: [{ref: v, name: v, acl_mode: passthrough, dns_label: v, authentication: [{type: anonymous}], destination: {id: k}, produce_policies: [" + policies + "]}]}]\n"
	}
	const val = "{ref: val, name: val, type: schema_validation, config: {type: json, value_validation_action: reject}}"
	child := func(parent string) string {
		return "{ref: ch, name: ch, type: modify_headers, " + parent + "config: {actions: [{op: set, key: a, value: x}]}}"
	}
	w := testkit.New(t)
	w.Sync(gateway(val + ", " + child("parent_policy_id: val, ")))
	_, diags := planned(t, w, gateway(child("")), way{mode: plan.ModeSync})
	if len(diags) != 1 || diags[0].Code != "LIVE006" || !strings.Contains(diags[0].Fix, "write parent_policy_id: null, which replaces the") {
		t.Fatalf("%v", diags)
	}
	w.Sync(gateway(child("parent_policy_id: null, ")))
	if p, diags := planned(t, w, gateway(child("")), way{mode: plan.ModeSync}); diags.HasErrors() || len(p.Changes)+len(p.Warnings) > 0 {
		t.Fatalf("%v %v", p.Changes, diags)
	}
}

// What is deleted with one resource does not keep another one that it uses.
func TestUsersThatGoWithOthers(t *testing.T) {
	const (
		strategy = "application_auth_strategies: [{ref: k, name: k, " + keyAuth + "]\n"
		portal   = "portals: [{ref: p, name: p}]\n"
		plane    = "control_planes: [{ref: cp, name: cp, cloud_gateway: true}]\n"
		network  = "cloud_gateway_networks: [{ref: n, name: n, cloud_gateway_provider_account_id: a1f5ce1c-0000-4000-8000-000000000101, region: us-east-2, availability_zones: [use2-az1], cidr_block: 10.4.0.0/16}]\n"
	)
	for name, row := range map[string]struct {
		before, after string
		how           testkit.Ask
		want          []string
	}{
		"a publication goes before its portal": {
			before: strategy + portal + "apis: [{ref: a, name: a, publications: [{ref: pu, portal: p, auth_strategy_ids: [k]}]}]\n",
			after:  "portals: []\napplication_auth_strategies: []\n", how: testkit.Ask{Prune: "declared"},
			want: []string{"1 DELETE api_publication p", "2 DELETE application_auth_strategy k < 1", "3 DELETE portal p < 1"},
		},
		"a configuration goes with its control plane": {
			before: plane + network + "cloud_gateway_configurations: [{ref: c, control_plane: cp, control_plane_geo: us, version: '3.11', dataplane_groups: [{provider: aws, region: us-east-2, cloud_gateway_network_id: n, autoscale: {kind: autopilot, base_rps: 100}}]}]\n",
			after:  plane + network, how: testkit.Ask{Mode: plan.ModeDelete, AllowCascade: []string{"cp"}},
			want: []string{"1 DELETE control_plane cp", "2 DELETE cloud_gateway_network n < 1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(row.before)
			p := w.Plan(row.how, row.after)
			testkit.Expect(t, p, row.want...)
			w.Succeed(w.Run(p))
		})
	}
}

// A delete that something prevents is reported where the configuration stops declaring
// the resource.
func TestPreventedDeletesHaveAPlace(t *testing.T) {
	const strategy = "application_auth_strategies: [{ref: k, name: k, " + keyAuth + "]\n"
	for name, row := range map[string]struct {
		after string
		line  int
	}{
		"an empty list": {"_defaults: {kongctl: {namespace: default}}\napplication_auth_strategies: []\n", 2},
		"other items":   {"\n\n" + strings.ReplaceAll(strategy, "name: k,", "name: other,"), 3},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(strategy)
			w.Sync("_defaults: {kongctl: {namespace: others}}\nportals: [{ref: p, name: p, default_application_auth_strategy_id: !lookup {name: k}}]\n")
			_, diags := w.TryPlan(testkit.Ask{}, w.Load(row.after), w.Target)
			if len(diags) != 1 || diags[0].Code != "LIVE006" || diags[0].Pos.Line != row.line {
				t.Errorf("want one LIVE006 on line %d, got %v", row.line, diags)
			}
		})
	}
}
