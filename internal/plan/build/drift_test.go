package build_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan/build"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// apart lists what drift finds, a line each: who moved, kind, ref and state.
func apart(t *testing.T, w *testkit.World, text string) []string {
	t.Helper()
	in, diags := input(t, w, text, way{mode: plan.ModeSync})
	d, more := build.FindDrift(in)
	if diags = append(diags, more...); len(diags) > 0 || len(d.Errors) > 0 {
		t.Fatal(diags, d.Errors)
	}
	var out []string
	add := func(who string, list []plan.Difference) {
		for _, x := range list {
			line := fmt.Sprintf("%s: %s %s %s", who, x.ResourceType, x.ResourceRef, x.State)
			for _, f := range x.FieldChanges {
				line += " " + f.Field
			}
			if x.Likely != "" {
				line += ", probably " + string(x.Likely)
			}
			out = append(out, line)
		}
	}
	add("nobody declares", d.RemoteOnly)
	add("Konnect moved", d.ChangedRemotely)
	add("configuration moved", d.ConfigurationAhead)
	add("unclear", d.Unclear)
	if d.Empty() != (len(out) == 0) {
		t.Errorf("Empty is %v with %q", d.Empty(), out)
	}
	return out
}

func TestDrift(t *testing.T) {
	const (
		before = "portals: [{name: dev, description: A, pages: [{slug: one, content: One}], customization: {robots: none}}]"
		root   = "portals: [{name: dev, description: B, pages: [{slug: one, content: One}], customization: {robots: none}}]"
		child  = "portals: [{name: dev, description: A, pages: [{slug: one, content: Two}], customization: {robots: none}}]"
		single = "portals: [{name: dev, description: A, pages: [{slug: one, content: One}], customization: {robots: all}}]"
		more   = "portals: [{name: dev, description: A, pages: [{slug: one, content: One}, {slug: two, content: Two}], customization: {robots: none}}]\nteams: [{name: new}]"
	)
	patch := func(path, body string) func(*testing.T, *testkit.World) {
		return func(_ *testing.T, w *testkit.World) {
			w.Send("PATCH", fmt.Sprintf("/v3/portals/%s%s", w.Named("portal", "dev")["id"], path), body)
		}
	}
	page := func(body string) func(*testing.T, *testkit.World) {
		return func(t *testing.T, w *testkit.World) {
			patch(fmt.Sprintf("/pages/%s", w.State("portal_page")[0]["id"]), body)(t, w)
		}
	}
	long := patch("", `{"labels":{"KONGCTL-last-updated":"20200101T000000Z"}}`)
	none := patch("", `{"labels":{"KONGCTL-config-hash":null}}`)
	for name, tt := range map[string]struct {
		steps []func(*testing.T, *testkit.World)
		text  string
		want  []string
	}{
		"nothing moved":                {nil, before, nil},
		"a root, in Konnect":           {steps(patch("", `{"description":"X"}`)), before, []string{"Konnect moved: portal dev differs description"}},
		"a child, in Konnect":          {steps(page(`{"content":"X"}`)), before, []string{"unclear: portal_page dev-one differs content, probably changed_remotely"}},
		"a root, declared":             {nil, root, []string{"configuration moved: portal dev differs description"}},
		"a child, declared":            {nil, child, []string{"unclear: portal_page dev-one differs content, probably configuration_ahead"}},
		"what is new":                  {nil, more, []string{"unclear: organization_team new missing", "unclear: portal_page dev-two missing, probably configuration_ahead"}},
		"what tells no time, declared": {nil, single, []string{"unclear: portal_customization dev-customization differs robots, probably configuration_ahead"}},
		"what tells no time, both": {
			steps(patch("/customization", `{"robots":"index"}`)), strings.Replace(single, "all", "'noindex'", 1),
			[]string{"unclear: portal_customization dev-customization differs robots"},
		},
		"a root, declared, and a child, in Konnect": {
			steps(page(`{"content":"X"}`)), root,
			[]string{"configuration moved: portal dev differs description", "unclear: portal_page dev-one differs content, probably changed_remotely"},
		},
		"a field that was not declared": {
			nil, strings.Replace(before, "description: A", "description: A, rbac_enabled: true", 1),
			[]string{"configuration moved: portal dev differs rbac_enabled"},
		},
		"a field that is not declared any more": {
			nil, strings.Replace(before, "description: A, ", "", 1),
			[]string{"configuration moved: portal dev differs description"},
		},
		"one field declared, another in Konnect": {
			steps(patch("", `{"rbac_enabled":true}`)), root, []string{"unclear: portal dev differs description rbac_enabled"},
		},
		"new, and a child deleted in Konnect": {
			steps(func(_ *testing.T, w *testkit.World) {
				w.Send("DELETE", fmt.Sprintf("/v3/portals/%s/pages/%s", w.Named("portal", "dev")["id"], w.State("portal_page")[0]["id"]), "")
			}), more,
			[]string{"unclear: organization_team new missing", "unclear: portal_page dev-one missing, probably changed_remotely", "unclear: portal_page dev-two missing, probably configuration_ahead"},
		},
		"new, in the place of another": {
			nil, strings.Replace(before, "slug: one", "slug: two", 1),
			[]string{"nobody declares: portal_page one undeclared", "unclear: portal_page dev-two missing"},
		},
		"a child deleted in Konnect, after it was changed alone": {
			steps(func(_ *testing.T, w *testkit.World) {
				w.Sync(child)
				w.Send("DELETE", fmt.Sprintf("/v3/portals/%s/pages/%s", w.Named("portal", "dev")["id"], w.State("portal_page")[0]["id"]), "")
			}), child, []string{"unclear: portal_page dev-one missing"},
		},
		"a child added alone, and deleted in Konnect": {
			steps(func(_ *testing.T, w *testkit.World) {
				w.Sync(more)
				w.Send("DELETE", fmt.Sprintf("/v3/portals/%s/pages/%s", w.Named("portal", "dev")["id"], w.State("portal_page")[1]["id"]), "")
			}), more, []string{"unclear: portal_page dev-two missing, probably configuration_ahead"},
		},
		"a child changed alone, and the declaration back": {
			steps(func(_ *testing.T, w *testkit.World) { w.Sync(child) }), before,
			[]string{"unclear: portal_page dev-one differs content, probably changed_remotely"},
		},
		"a root, in Konnect, after a child was changed alone": {
			steps(func(t *testing.T, w *testkit.World) {
				w.Sync(child)
				patch("", `{"description":"X"}`)(t, w)
			}), child, []string{"unclear: portal dev differs description, probably changed_remotely"},
		},
		"both, after the label was written": {
			steps(page(`{"content":"X"}`), long), child, []string{"unclear: portal_page dev-one differs content"},
		},
		"both, right after the last run": {
			steps(page(`{"content":"X"}`)), child, []string{"unclear: portal_page dev-one differs content"},
		},
		"both, a root, right after the last run": {
			steps(patch("", `{"description":"X"}`)), root, []string{"unclear: portal dev differs description, probably changed_remotely"},
		},
		"no hash":                      {steps(none), root, []string{"unclear: portal dev differs description"}},
		"no hash, and nothing differs": {steps(none), before, nil},
		"another hash, and nothing differs": {
			steps(patch("", `{"labels":{"KONGCTL-config-hash":"sha256-other"}}`)), before, nil,
		},
		"protection": {
			steps(patch("", `{"labels":{"KONGCTL-protected":"true"}}`)), before, []string{"Konnect moved: portal dev differs kongctl.protected"},
		},
		"a rename": {
			nil, "portals: [{name: new, description: A, pages: [{slug: one, content: One}], customization: {robots: none}}]\nmoved: [{type: portal, from: dev, to: new}]",
			[]string{"configuration moved: portal new differs name"},
		},
		"not declared any more": {nil, "_defaults: {kongctl: {namespace: default}}", []string{"nobody declares: portal dev undeclared"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(before)
			for _, step := range tt.steps {
				step(t, w)
			}
			w.Recorder.Reset()
			got := apart(t, w, tt.text)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("drift (-want +got):\n%s", diff)
			}
			if writes := w.Recorder.Writes(); len(writes) > 0 {
				t.Errorf("it wrote: %v", writes)
			}
		})
	}
}

func steps(list ...func(*testing.T, *testkit.World)) []func(*testing.T, *testkit.World) { return list }

// Drift holds no value of a variable, and does not blame Konnect for a new one.
func TestDriftOfVariables(t *testing.T) {
	w := testkit.New(t)
	w.Env["TEXT"] = "first-value"
	const text = "portals: [{name: dev, description: !env TEXT}]"
	w.Sync(text)
	w.Env["TEXT"] = "second-value"
	in, _ := input(t, w, text, way{mode: plan.ModeSync})
	d, _ := build.FindDrift(in)
	if len(d.Unclear) != 1 || len(d.ChangedRemotely) > 0 {
		t.Fatalf("%+v", d)
	}
	testkit.Equal(t, "field_changes", d.Unclear[0].FieldChanges, []plan.FieldChange{{Field: "description", CurrentValue: "[hidden]", DesiredValue: "[env:TEXT]"}})
	if shown := fmt.Sprintf("%+v", d); strings.Contains(shown, "-value") {
		t.Errorf("it shows a value: %s", shown)
	}
	w.Send("PATCH", fmt.Sprintf("/v3/portals/%s", w.Named("portal", "dev")["id"]), `{"rbac_enabled":true}`)
	if got := apart(t, w, text); !slices.Equal(got, []string{"unclear: portal dev differs description rbac_enabled, probably changed_remotely"}) {
		t.Errorf("with another field: %q", got)
	}
}
