package build_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// TestGuardEmpty: a root type that is not mentioned in a namespace is not
// emptied there, from the first resource on.
func TestGuardEmpty(t *testing.T) {
	const (
		one  = "apis: [{name: a1, kongctl: {namespace: a}}, {name: b1, kongctl: {namespace: b}}]\n"
		both = one + "teams: [{name: a2, kongctl: {namespace: a}}, {name: a3, kongctl: {namespace: a}}, {name: b2, kongctl: {namespace: b}}]\n"
	)
	for name, row := range map[string]struct {
		text         string
		allow        []string
		prune        string
		want, refuse string
	}{
		"never mentioned":            {text: one, refuse: "organization_team a2, organization_team a3, organization_team b2"},
		"mentioned elsewhere":        {text: one + "teams: [{name: b2, kongctl: {namespace: b}}]", refuse: "organization_team a2, organization_team a3"},
		"one of two is declared":     {text: one + "teams: [{name: a2, kongctl: {namespace: a}}, {name: b2, kongctl: {namespace: b}}]", want: "organization_team a3"},
		"an empty list":              {text: one + "teams: []", want: "organization_team a2, organization_team a3, organization_team b2"},
		"an empty list of a file":    {text: "_defaults: {kongctl: {namespace: a}}\nteams: []\n" + one, want: "organization_team a2, organization_team a3", refuse: "organization_team b2"},
		"allowed by its type":        {text: one, allow: []string{"team"}, want: "organization_team a2, organization_team a3, organization_team b2"},
		"another type is allowed":    {text: one, allow: []string{"portal"}, refuse: "organization_team a2, organization_team a3, organization_team b2"},
		"pruned where it is written": {text: one, prune: "declared"},
		"a list of externals":        {text: "teams: [{ref: t, _external: {selector: {matchFields: {name: a2}}}}]\n" + one, refuse: "organization_team a3, organization_team b2"},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(both)
			allow := append([]string{}, row.allow...)
			p := w.Plan(testkit.Ask{AllowEmpty: allow, Prune: row.prune}, row.text)
			var deleted, refused []string
			for _, c := range p.Changes {
				deleted = append(deleted, c.ResourceType+" "+c.ResourceRef)
			}
			for _, x := range p.Blocked {
				refused = append(refused, x.ResourceType+" "+x.ResourceRef)
				if x.By != "allow-empty" || x.Action != plan.Delete {
					t.Errorf("blocked: %+v", x)
				}
			}
			testkit.Equal(t, "deleted", strings.Join(deleted, ", "), row.want)
			testkit.Equal(t, "refused", strings.Join(refused, ", "), row.refuse)
		})
	}
}

// TestOtherNamespaces: what the lists hold of namespaces that the plan does not
// name is counted.
func TestOtherNamespaces(t *testing.T) {
	w := testkit.New(t)
	w.Sync("apis: [{name: a1, kongctl: {namespace: a}}, {name: b1, kongctl: {namespace: b}}]\nteams: [{name: b2, kongctl: {namespace: b}}]\n")
	w.Send("POST", "/v3/apis", `{"name":"by-hand"}`)
	for name, row := range map[string]struct {
		ask  testkit.Ask
		text string
		want map[string]int
	}{
		"sync reads all":                 {testkit.Ask{}, "portals: []", map[string]int{"a": 1, "b": 2}},
		"apply reads what is declared":   {apply, "teams: [{name: new}]", map[string]int{"b": 1}},
		"named ones are part of it":      {testkit.Ask{}, "apis: [{name: a1, kongctl: {namespace: a}}]", map[string]int{"b": 2}},
		"all are":                        {testkit.Ask{}, "_defaults: {kongctl: {namespace: b}}\napis: [{name: a1, kongctl: {namespace: a}}]", nil},
		"an external is somebody else's": {apply, "apis: [{ref: x, _external: {selector: {matchFields: {name: b1}}}}, {name: new}]", map[string]int{"a": 1, "b": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Equal(t, "other namespaces", w.Plan(row.ask, row.text).Metadata.SyncScope.OtherNamespaces, row.want)
		})
	}
}

// The text counts what the namespace has, not only what would be deleted.
func TestGuardEmptyCounts(t *testing.T) {
	for text, says := range map[string]string{
		"apis: [{name: x}]": "so all 2 would be deleted",
		"apis: [{name: x}]\nteams: [{ref: t, _external: {selector: {matchFields: {name: a}}}}]": "so 1 of 2 would be deleted",
	} {
		w := testkit.New(t)
		w.Sync("apis: [{name: x}]\nteams: [{name: a}, {name: b}]")
		p := w.Plan(testkit.Ask{AllowEmpty: []string{}}, text)
		if len(p.Blocked) == 0 || !strings.Contains(p.Blocked[0].Message, says) {
			t.Errorf("%s\n%+v", text, p.Blocked)
		}
	}
}
