package build_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// TestGuardNull: a collection that says null may have lost its items, so nothing of its
// type is deleted, whatever another document declares of it.
func TestGuardNull(t *testing.T) {
	const (
		all  = "teams: [{name: t1}, {name: t2}]\napis: [{name: a1, versions: [{version: '1'}]}, {name: a2}]\n"
		less = "teams: [{name: t1}]\napis: [{name: a1}, {name: a2}]\n"
	)
	for name, row := range map[string]struct {
		text         string
		allow        []string
		prune        string
		want, refuse string
	}{
		"nothing is null":           {text: less, want: "organization_team t2, api_version 1"},
		"a list of roots":           {text: less + "---\nteams:\n", want: "api_version 1", refuse: "organization_team t2"},
		"the other way round":       {text: "teams:\n---\n" + less, want: "api_version 1", refuse: "organization_team t2"},
		"another word for the list": {text: less + "---\norganization_teams: ~\n", want: "api_version 1", refuse: "organization_team t2"},
		"a list in a group":         {text: less + "---\norganization: {teams: }\n", want: "api_version 1", refuse: "organization_team t2"},
		"a group":                   {text: less + "---\norganization:\n", want: "api_version 1", refuse: "organization_team t2"},
		"a list of children":        {text: less + "---\napi_versions:\n", want: "organization_team t2", refuse: "api_version 1"},
		"a list of their parents":   {text: less + "---\napis:\n", want: "organization_team t2, api_version 1"},
		"an empty list":             {text: less + "---\nteams: []\n", want: "organization_team t2, api_version 1"},
		"pruned where written":      {text: less + "---\nteams:\n", prune: "declared", refuse: "organization_team t2"},
		"allowed by its type":       {text: less + "---\nteams:\n", allow: []string{"team"}, want: "organization_team t2, api_version 1"},
		"another type is allowed":   {text: less + "---\nteams:\n", allow: []string{"api"}, want: "api_version 1", refuse: "organization_team t2"},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(all)
			p := w.Plan(testkit.Ask{AllowEmpty: append([]string{}, row.allow...), Prune: row.prune}, row.text)
			var deleted, refused []string
			for _, c := range p.Changes {
				deleted = append(deleted, c.ResourceType+" "+c.ResourceRef)
			}
			for _, x := range p.Blocked {
				refused = append(refused, x.ResourceType+" "+x.ResourceRef)
				if x.By != "null-collection" || x.Action != plan.Delete {
					t.Errorf("blocked: %+v", x)
				}
			}
			testkit.Equal(t, "deleted", strings.Join(deleted, ", "), row.want)
			testkit.Equal(t, "refused", strings.Join(refused, ", "), row.refuse)
		})
	}
}
