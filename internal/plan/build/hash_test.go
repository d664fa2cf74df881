package build_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/testkit"
)

// A kind that gets another name changes no hash: these are of before a team was
// an organization_team.
func TestHashesOutliveNamesOfKinds(t *testing.T) {
	const text = "portals: [{name: dev}]\nteams: [{ref: ops, name: ops, roles: [{role_name: Viewer, entity_type_name: Portals, entity: dev, entity_region: eu}]}]"
	w := testkit.New(t)
	p := w.Plan(testkit.Ask{}, text)
	testkit.Equal(t, "of the configuration", p.Metadata.ConfigHash, "sha256:0714a59e5e71d663bdac9d23a118fc271941d25639e7410ac5d4d6f5f7453658")
	w.Sync(text)
	labels, _ := w.Named("organization_team", "ops")["labels"].(map[string]any)
	testkit.Equal(t, "of the team", labels["KONGCTL-config-hash"], any("sha256-6i4cmwdv6aazvbokcfbudg666ejxueqvse45iy7pj34mdjw53gja"))
}
