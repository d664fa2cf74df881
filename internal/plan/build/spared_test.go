package build_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/testkit"
)

// messages are the warnings of a plan.
func messages(p *plan.Plan) []string {
	var out []string
	for _, x := range p.Warnings {
		out = append(out, x.Message)
	}
	return out
}

// A list at the root that names other parents leaves one alone, and the plan says so.
func TestOverlookedChildrenAreNamed(t *testing.T) {
	const (
		teams = "teams: [{name: ops}, {name: dev}]\norganization_team_roles:\n"
		ops   = "  - {team: ops, role_name: Viewer, entity_type_name: APIs, entity_id: '*', entity_region: us}\n"
		dev   = "  - {team: dev, role_name: Viewer, entity_type_name: APIs, entity_id: '*', entity_region: us}\n"
	)
	w := testkit.New(t)
	w.Sync(teams + ops + dev)
	const stays = `organization team role "Viewer-APIs-*-us" is not declared and stays: organization_team_roles lists none for this organization team. Write roles: [] below it to delete it, or declare it.`
	for _, row := range []struct {
		name, prune, text string
		want              []string
	}{
		{"full", resource.PruneFull, teams + dev, []string{stays}},
		{"declared", resource.PruneDeclared, teams + dev, []string{stays}},
		{"none", resource.PruneNone, teams + dev, nil},
		{"no list", resource.PruneFull, "teams: [{name: ops}, {name: dev}]", nil},
	} {
		p := w.Plan(testkit.Ask{Prune: row.prune}, row.text)
		if got := messages(p); !slices.Equal(got, row.want) || len(p.Changes) > 0 {
			t.Errorf("%s: %d changes, warnings %q, want %q", row.name, len(p.Changes), got, row.want)
		}
	}
	if p := w.Plan(testkit.Ask{}, "teams: [{name: ops}, {name: dev}]\norganization_team_roles: []"); len(p.Changes) != 2 {
		t.Errorf("an empty list: %d changes, want 2", len(p.Changes))
	}
}

// An empty list of roots that carry no mark of ownership deletes none, and the plan
// says so, for every such type.
func TestEmptyListOfUnmarkedRoots(t *testing.T) {
	w := testkit.New(t)
	tried := 0
	for _, b := range w.Catalog.All() {
		typ := b.Neutral()
		if typ.Parent != nil || typ.ReadOnly || typ.Fixed || typ.Single {
			continue
		}
		want := 0
		if !typ.Owned {
			want = 1
			tried++
		}
		p := w.Plan(testkit.Ask{}, typ.Root+": []")
		if len(p.Warnings) != want || want == 1 && !strings.HasPrefix(p.Warnings[0].Message, typ.Root+": [] deletes nothing") {
			t.Errorf("%s: %v", typ.Root, p.Warnings)
		}
		if p := w.Plan(testkit.Ask{Prune: resource.PruneNone}, typ.Root+": []"); len(p.Warnings) > 0 {
			t.Errorf("%s without pruning: %v", typ.Root, p.Warnings)
		}
	}
	if tried == 0 {
		t.Error("every type carries a mark")
	}
}

// A delete names what cannot be deleted, unless it goes with its parent.
func TestDeleteOfSettings(t *testing.T) {
	w := testkit.New(t)
	const text = "portals: [{name: dev, customization: {robots: x}}]\norganization_impersonation_settings: {enabled: true}"
	w.Sync(text)
	want := []string{"cannot delete the organization impersonation settings: Konnect always has this resource, and can only change it"}
	testkit.Equal(t, "warnings", messages(w.Plan(testkit.Ask{Mode: plan.ModeDelete}, text)), want)
}

// A refusal names the permissions that what it permits would ask for.
func TestAllPermissionsAreNamed(t *testing.T) {
	w := testkit.New(t)
	config := func(event string) string {
		return "metering_meters: [{ref: m, key: m, name: M, event_type: " + event + ", aggregation: count}]\nmetering_features: [{ref: f, key: f, name: F, meter: {id: m}}]"
	}
	w.Sync(config("a"))
	p := w.Plan(testkit.Ask{}, config("b"))
	if len(p.Blocked) != 1 {
		t.Fatalf("blocked: %v", p.Blocked)
	}
	testkit.Equal(t, "message", p.Blocked[0].Message, `event_type of a metering meter cannot be changed in place; making "m" again would delete everything that belongs to it. Allow it with --allow-replace m. This plan needs all of: --allow-replace m,f.`)
}
