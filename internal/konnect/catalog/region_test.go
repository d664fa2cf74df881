package catalog_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

// Control planes of cloud gateways, and what roles are for, may lie in any region; all else
// is in the region, or the organization, of what refers to it.
func TestAbroad(t *testing.T) {
	var got []string
	for _, b := range testkit.Catalog(t).All() {
		for _, ref := range b.References {
			if catalog.Abroad(b, value.ParsePath(ref.Field).Generic()) {
				got = append(got, b.Kind+"."+ref.Field)
			}
		}
	}
	slices.Sort(got)
	want := []string{
		"cloud_gateway_add_on.owner.control_plane_group_id", "cloud_gateway_add_on.owner.control_plane_id",
		"cloud_gateway_configuration.control_plane_id", "cloud_gateway_custom_domain.control_plane_id",
		"organization_system_account_role.entity_id", "organization_team_role.entity_id", "organization_user_role.entity_id", "portal_team_role.entity_id",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
