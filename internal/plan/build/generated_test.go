package build_test

import (
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/testkit"
)

// A value that Konnect makes from the name is free when it is taken.
func TestGeneratedUniqueValueIsFreedFirst(t *testing.T) {
	const old = "apis: [{name: Flight Data}]"
	for name, row := range map[string]struct {
		after string
		want  []string
	}{
		"the same words":                {"apis: [{name: flight-data}]", []string{"1 DELETE api Flight Data", "2 CREATE api flight-data < 1"}},
		"null asks for a generated one": {"apis: [{name: flight-data, slug: null}]", []string{"1 DELETE api Flight Data", "2 CREATE api flight-data < 1"}},
		"a declared one":                {"apis: [{name: flight-data, slug: flights}]", []string{"1 CREATE api flight-data", "2 DELETE api Flight Data"}},
		"other words":                   {"apis: [{name: Airports}]", []string{"1 CREATE api Airports", "2 DELETE api Flight Data"}},
		"words and a version":           {"apis: [{name: flight, version: data}]", []string{"1 DELETE api Flight Data", "2 CREATE api flight < 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(old)
			p := w.Plan(testkit.Ask{}, row.after)
			testkit.Expect(t, p, row.want...)
			w.Succeed(w.Run(p))
			w.Settled(testkit.Ask{}, row.after)
		})
	}
}

// What refers to the one that is deleted goes with it, though a new one takes its place.
func TestGeneratedUniqueValueIsFreedWithReferrers(t *testing.T) {
	const users = `
portals: [{ref: p, name: p, teams: [{ref: t, name: T, roles: [{ref: r, role_name: API Viewer, entity_type_name: Services, entity_region: us, entity: a}]}]}]
catalog_services: [{ref: s, name: s, display_name: S, api_mappings: [{ref: m, api: a}]}]
`
	w := testkit.New(t)
	w.Sync("apis: [{ref: a, name: Flights}]" + users)
	after := "apis: [{ref: a, name: flights}]" + users
	p := w.Plan(testkit.Ask{}, after)
	w.Succeed(w.Run(p))
	w.Settled(testkit.Ask{}, after)
}

// A value that is freed only after the create is reported.
func TestGeneratedUniqueValueIsFreedTooLate(t *testing.T) {
	w := testkit.New(t)
	w.Sync("apis: [{ref: old, name: Old, slug: flights}]")
	_, diags := w.TryPlan(testkit.Ask{}, w.Load("apis: [{ref: old, name: Old, slug: old, description: !ref new#id}, {ref: new, name: Flights}]"), w.Target)
	if len(diags) != 1 || diags[0].Code != diag.LiveTaken {
		t.Errorf("want one diagnostic that the slug is taken, got %v", diags)
	}
}

// What comes with its parent and has no declared field needs no change of a new
// one; of an existing one it is reset.
func TestNothingDeclaredOfASingleton(t *testing.T) {
	w := testkit.New(t)
	const empty = "portals: [{name: dev, auth_settings: {}, customization: {}}]"
	testkit.Expect(t, w.Plan(testkit.Ask{}, empty), "1 CREATE portal dev")
	w.Sync("portals: [{name: dev, auth_settings: {basic_auth_enabled: false}, customization: {robots: none}}]")
	testkit.Expect(t, w.Plan(apply, empty))
	testkit.Expect(t, w.Plan(testkit.Ask{}, empty), "1 UPDATE portal_auth_settings dev-auth-settings", "2 UPDATE portal_customization dev-customization")
}
