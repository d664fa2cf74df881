package view_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

func drift(t *testing.T, d *plan.Drift) string {
	t.Helper()
	var b strings.Builder
	if err := view.WriteDrift(&b, d, view.DriftOptions{Compared: 2}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestDriftOfNothing(t *testing.T) {
	want := "Scope: drift, namespaces web\n\nNo drift. Konnect matches the configuration. 2 resources compared.\n"
	if got := drift(t, &plan.Drift{Namespaces: []string{"web"}}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What a sync would leave as it is is named, and then nothing is said to match.
func TestDriftWarns(t *testing.T) {
	d := &plan.Drift{Warnings: []plan.Warning{{ResourceType: "portal", ResourceRef: "p", Message: `display_name keeps "X"`}, {Message: "the portal page \"q\" stays"}}}
	if got := drift(t, d); !strings.Contains(got, "Warnings:\n  portal \"p\": display_name keeps \"X\"\n  the portal page \"q\" stays\n\nNo drift. See the warnings above. 2 resources compared.\n") {
		t.Error(got)
	}
	var b strings.Builder
	if err := view.WriteDriftMarkdown(&b, d, view.DriftOptions{Compared: 2}); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.HasPrefix(got, "### No drift. See the warnings below. 2 resources compared.\n") || !strings.Contains(got, `! portal "p": display_name keeps "X"`) {
		t.Error(got)
	}
	d.Unclear = []plan.Difference{{ResourceType: "portal", ResourceRef: "p", State: plan.Missing}}
	if got := drift(t, d); !strings.HasSuffix(got, "\nDrift: 0 only in Konnect, 0 changed in Konnect, 0 ahead in the configuration, 1 unclear.\n") || !strings.Contains(got, "Warnings:") {
		t.Error(got)
	}
}

// What is compared with a cluster, alone or beside Konnect, is said so.
func TestDriftInACluster(t *testing.T) {
	cluster := plan.Metadata{Cluster: &plan.Cluster{Server: "https://c"}}
	both := cluster
	both.Organization.ID = "o"
	missing := &plan.Drift{ChangedRemotely: []plan.Difference{{ResourceType: "k8s:v1/Service", ResourceRef: "service.web", State: plan.Missing}}}
	for _, c := range []struct {
		name  string
		in    plan.Metadata
		drift *plan.Drift
		want  []string
	}{
		{"a cluster", cluster, &plan.Drift{}, []string{"No drift. The cluster matches the configuration."}},
		{"both", both, &plan.Drift{}, []string{"No drift. Konnect and the cluster match the configuration."}},
		{"drift of a cluster", cluster, missing, []string{"Changed in the cluster (declared -> is):", "(not in the cluster)", "0 only in the cluster, 1 changed in the cluster,"}},
		{"drift of both", both, missing, []string{"Changed in Konnect or the cluster", "0 only in Konnect or the cluster,"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			if err := view.WriteDrift(&b, c.drift, view.DriftOptions{Metadata: c.in}); err != nil {
				t.Fatal(err)
			}
			for _, want := range c.want {
				if !strings.Contains(b.String(), want) {
					t.Errorf("%q is missing:\n%s", want, b.String())
				}
			}
		})
	}
}

// What could not be compared is told, and then nothing is said to match.
func TestDriftOfAPart(t *testing.T) {
	got := drift(t, &plan.Drift{Namespaces: []string{"web"}, Errors: []plan.Problem{{ResourceType: "portal", Message: "403"}}})
	for _, want := range []string{"Not compared:\n  portal: 403\n", "0 unclear, 1 not compared."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
}

// What is unclear comes with the side that probably changed.
func TestLikelySides(t *testing.T) {
	for _, tt := range []struct {
		likely plan.Side
		state  plan.State
		want   string
	}{
		{"", plan.Missing, "team \"a\" (not in Konnect)\n"},
		{plan.SideRemote, plan.Missing, "team \"a\" (not in Konnect): probably deleted in Konnect\n"},
		{plan.SideConfiguration, plan.Missing, "team \"a\" (not in Konnect): probably new in the configuration\n"},
		{plan.SideRemote, plan.Differs, "team \"a\": probably changed in Konnect\n"},
		{plan.SideConfiguration, plan.Differs, "team \"a\": probably changed in the configuration\n"},
	} {
		got := drift(t, &plan.Drift{Unclear: []plan.Difference{{ResourceType: "team", ResourceRef: "a", State: tt.state, Likely: tt.likely}}})
		if !strings.Contains(got, tt.want) {
			t.Errorf("%q is missing:\n%s", tt.want, got)
		}
	}
}

// Ids in a difference come with the names of what they stand for, on both sides.
func TestDriftNamesIDs(t *testing.T) {
	const first, second, third = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333"
	got := drift(t, &plan.Drift{
		Names:      map[string]string{first: "validate", second: "encrypt"},
		RemoteOnly: []plan.Difference{{ResourceType: "policy", ResourceRef: "by-hand", ResourceID: third}},
		Unclear: []plan.Difference{{ResourceType: "chain", ResourceRef: "c", State: plan.Differs, FieldChanges: []plan.FieldChange{
			{Field: "policies", DesiredValue: []any{first, second}, CurrentValue: []any{first, third}},
		}}},
	})
	for _, want := range []string{"id of by-hand (" + third + ")", "id of encrypt (" + second + ")"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
}

// Names and values from Konnect cannot steer a terminal.
func TestDriftIsHarmless(t *testing.T) {
	got := drift(t, &plan.Drift{
		RemoteOnly: []plan.Difference{{ResourceType: "team", ResourceRef: "a\x1b[31m", State: plan.Undeclared}},
		Unclear: []plan.Difference{{
			ResourceType: "team", ResourceRef: "b", State: plan.Differs,
			FieldChanges: []plan.FieldChange{{Field: "description", CurrentValue: "x\x1b]0;y\a", DesiredValue: "z"}},
		}},
	})
	if strings.ContainsAny(got, "\x1b\a") {
		t.Errorf("%q", got)
	}
	if !strings.Contains(got, "1 only in Konnect, 0 changed in Konnect, 0 ahead in the configuration, 1 unclear.") {
		t.Error(got)
	}
}

// The scope names what a filter leaves out, and an empty plan what it means.
func TestScopeOfAFilter(t *testing.T) {
	for want, m := range map[string]plan.Metadata{
		"ignoring a, type:b": {Mode: plan.ModeSync, Filters: &plan.Filters{Ignore: []string{"a", "type:b"}}},
		"only c":             {Mode: plan.ModeApply, Filters: &plan.Filters{Isolate: []string{"c"}}},
		"what the filter leaves of the configuration": {Mode: plan.ModeApply, Filters: &plan.Filters{Isolate: []string{"c"}}},
		"Nothing to delete.":                          {Mode: plan.ModeDelete},
		"Nothing to adopt:":                           {Mode: plan.ModeAdopt},
	} {
		var b strings.Builder
		if err := view.WritePlan(&b, &plan.Plan{Metadata: m}, view.PlanOptions{}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing:\n%s", want, b.String())
		}
	}
}
