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
	want := map[string]string{
		"portal_team.group_mappings":       "portal_identity_provider_team_group_mapping groups group team_id",
		"organization_team.group_mappings": "organization_identity_provider_team_group_mapping groups group team_id",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
