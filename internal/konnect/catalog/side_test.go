package catalog_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The keys of one type under which another may be written are these and no others.
func TestSides(t *testing.T) {
	cat := load(t)
	got := map[string]string{}
	for _, b := range cat.All() {
		for _, s := range cat.Sides(b) {
			got[b.Kind+"."+s.Key] = s.Type.Kind + " " + s.List + " " + s.Item + " " + s.Field
		}
	}
	flat := map[string]string{}
	for key, f := range cat.FlatSides() {
		flat[key] = f.Type.Kind + " of " + f.Type.Parent.Kind + ": " + f.Side.Key
	}
	if diff := cmp.Diff(map[string]string{
		"portal_team_group_mappings":       "portal_team_group_mapping of portal_team: group_mappings",
		"organization_team_group_mappings": "organization_team_group_mapping of organization_team: group_mappings",
	}, flat); diff != "" {
		t.Errorf("at the root (-want +got):\n%s", diff)
	}
	want := map[string]string{
		"portal_team.group_mappings":       "portal_identity_provider_team_group_mapping groups group team_id",
		"organization_team.group_mappings": "organization_identity_provider_team_group_mapping groups group team_id",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
