package build_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan/choose"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

func TestPatterns(t *testing.T) {
	const live = `
portals: [{ref: p, name: "Dev Portal", pages: [{slug: docs, content: D, children: [{slug: inner, content: I}]}]}, {name: gone}]
teams: [{name: gone}, {name: p}]
apis: [{name: "The API"}]
`
	const now = "portals: [{ref: p, name: 'Dev Portal', description: new, pages: []}]\nteams: [{name: x}]\napis: [{ref: api, name: 'The API', description: new}]"
	for name, tt := range map[string]struct {
		filter choose.Filter
		want   []string // action, kind and name
	}{
		"nothing is left out": {
			choose.Filter{},
			[]string{"CREATE organization_team x", "DELETE portal gone", "DELETE portal_page docs", "DELETE portal_page inner", "DELETE organization_team gone", "DELETE organization_team p", "UPDATE api The API", "UPDATE portal Dev Portal"},
		},
		"a ref, and a live resource of that name is kept, too": {
			choose.Filter{Ignore: patterns("p")},
			[]string{"CREATE organization_team x", "DELETE portal gone", "DELETE organization_team gone", "UPDATE api The API"},
		},
		"an isolated ref is this one alone": {
			choose.Filter{Isolate: patterns("p")},
			[]string{"UPDATE portal Dev Portal"},
		},
		"a name": {
			choose.Filter{Isolate: patterns("Dev Portal")},
			[]string{"UPDATE portal Dev Portal"},
		},
		"a slug that Konnect made": {
			choose.Filter{Isolate: patterns("the-api")},
			[]string{"UPDATE api The API"},
		},
		"a name that only Konnect has, of several types": {
			choose.Filter{Isolate: patterns("gone")},
			[]string{"DELETE portal gone", "DELETE organization_team gone"},
		},
		"a type and a name": {
			choose.Filter{Ignore: patterns("type:team", "gone")},
			[]string{"DELETE portal_page docs", "DELETE portal_page inner", "UPDATE api The API", "UPDATE portal Dev Portal"},
		},
		"a nested page keeps what it nests in": {
			choose.Filter{Ignore: patterns("inner", "type:team", "type:portal", "type:api")},
			nil,
		},
		"a page keeps what nests in it": {
			choose.Filter{Ignore: patterns("docs")},
			[]string{"CREATE organization_team x", "DELETE portal gone", "DELETE organization_team gone", "DELETE organization_team p", "UPDATE api The API", "UPDATE portal Dev Portal"},
		},
		"types that there are none of": {
			choose.Filter{Isolate: patterns("type:catalog_service", "type:gateway_service")},
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(live)
			p, diags := planned(t, w, now, way{mode: plan.ModeSync, filter: tt.filter})
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			var got []string
			for _, c := range p.Changes {
				got = append(got, fmt.Sprintf("%s %s %s", c.Action, c.ResourceType, c.ResourceName))
			}
			slices.Sort(got)
			slices.Sort(tt.want)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPatternsThatMatchNothing(t *testing.T) {
	w := testkit.New(t)
	w.Sync("portals: [{name: developers}]\nteams: [{name: left-behind}]")
	w.Send("POST", "/v3/teams", `{"name":"unmanaged"}`)
	w.Send("POST", "/v3/teams", `{"name":"elsewhere","labels":{"KONGCTL-namespace":"other"}}`)
	for text, fix := range map[string]string{
		"developer":   "did you mean developers?",
		"left-behnd":  "did you mean left-behind?",
		"unmanaged":   "correct it, or remove it; a whole type is written type:T.",
		"elsewhere":   "correct it, or remove it; a whole type is written type:T.",
		"api_version": "did you mean type:api_version?",
	} {
		for _, mode := range []plan.Mode{plan.ModeSync, plan.ModeApply, plan.ModeDelete} {
			_, diags := planned(t, w, "portals: [{name: developers}]", way{mode: mode, filter: choose.Filter{Ignore: patterns(text)}})
			if len(diags) != 1 || diags[0].Code != diag.FilterNoMatch || diags[0].Fix != fix {
				t.Errorf("%s, %s: %v", text, mode, diags)
			}
		}
	}
	if got := codes(choose.Filter{Isolate: patterns("type:portals", "type:")}.Check(w.Catalog.Types())); !slices.Equal(got, []diag.Code{diag.FilterType, diag.FilterType}) {
		t.Errorf("types that do not exist: %v", got)
	}
}

// Whatever is left out by whatever patterns: nothing that is ignored, or belongs
// to it, is in the plan, and nothing that is not isolated; what is in it would
// also be there without the filter.
func TestFiltersOnlyTakeAway(t *testing.T) {
	w := testkit.New(t)
	w.Sync(strings.ReplaceAll(testkit.Airlines, "First", "Old") + "catalog_services: [{name: stray, display_name: S}]\n")
	random := rand.New(rand.NewPCG(1, 2))
	refs := []string{"key", "flight-operations", "developers", "developers-guides", "developers-guides-first", "developers-customization", "flights", "flights-1.0.0", "flights-developers", "stray"}
	for _, b := range w.Catalog.All() {
		refs = append(refs, "type:"+b.Kind)
	}
	tried := 0
	for range 120 {
		mode := []plan.Mode{plan.ModeSync, plan.ModeApply, plan.ModeDelete}[random.IntN(3)]
		full, _ := planned(t, w, testkit.Airlines, way{mode: mode})
		var picked []string
		for range 1 + random.IntN(4) {
			picked = append(picked, refs[random.IntN(len(refs))])
		}
		ignore := random.IntN(2) == 0
		filter := choose.Filter{Isolate: patterns(picked...)}
		if ignore {
			filter = choose.Filter{Ignore: patterns(picked...)}
		}
		p, diags := planned(t, w, testkit.Airlines, way{mode: mode, filter: filter, all: true})
		if diags.HasErrors() {
			continue // something is missing that was left out
		}
		tried++
		for _, c := range p.Changes {
			if !ignore && !fits(picked, c) {
				t.Errorf("%s %v: %s is not isolated", mode, picked, c.ID)
			}
			if ignore && (fits(picked, c) || c.Parent != nil && fits(picked, &plan.Change{ResourceType: c.Parent.Type, ResourceRef: c.Parent.Ref})) {
				t.Errorf("%s %v: %s is ignored", mode, picked, c.ID)
			}
			if mode != plan.ModeDelete && !has(full, c) {
				t.Errorf("%s %v: %s is only there with the filter", mode, picked, c.ID)
			}
		}
	}
	if tried < 40 {
		t.Errorf("%d plans were made", tried)
	}
}

func fits(picked []string, c *plan.Change) bool {
	return slices.Contains(picked, c.ResourceRef) || slices.Contains(picked, "type:"+c.ResourceType)
}

func has(p *plan.Plan, c *plan.Change) bool {
	return slices.ContainsFunc(p.Changes, func(x *plan.Change) bool {
		return x.Action == c.Action && x.ResourceType == c.ResourceType && x.ResourceRef == c.ResourceRef
	})
}

// Where something could not be read, a pattern may be for that, and what it may
// belong to is not deleted.
func TestFiltersOfWhatCannotBeRead(t *testing.T) {
	w := testkit.New(t)
	const text = "portals: [{name: dev, snippets: [{name: s, content: S}]}]\nteams: [{name: ops}]"
	w.Sync(text)
	p, diags := planned(t, w, text, way{mode: plan.ModeDelete, filter: choose.Filter{Ignore: patterns("another")}, all: true, unread: "portal_snippet"})
	if len(diags) > 0 || len(p.Errors) == 0 {
		t.Fatal(diags, p.Errors)
	}
	testkit.Expect(t, p, "1 DELETE organization_team ops")
	if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0].Message, "snippets that could not be read") {
		t.Errorf("warnings: %v", p.Warnings)
	}
}

// What an ignored resource uses stays: Konnect would refuse to delete it, or
// take the ignored one along.
func TestWhatIgnoredResourcesUseStays(t *testing.T) {
	w := testkit.New(t)
	w.Sync(testkit.Airlines)
	p, diags := planned(t, w, testkit.Airlines, way{mode: plan.ModeDelete, filter: choose.Filter{Ignore: patterns("flights-developers")}, all: true})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	testkit.Expect(t, p,
		"1 DELETE organization_team flight-operations",
		"2 DELETE api_version flights-1.0.0",
		"3 DELETE portal_page developers-guides-first",
		"4 DELETE portal_page developers-guides < 3",
	)
	if len(p.Warnings) != 3 {
		t.Errorf("strategy, portal and API stay: %v", p.Warnings)
	}
	w.Succeed(w.Run(p))

	less, diags := planned(t, w, "apis: [{name: flights, publications: []}]", way{mode: plan.ModeSync, filter: choose.Filter{Ignore: patterns("type:api_publication")}})
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	for _, c := range less.Changes {
		if c.ResourceType == "portal" || c.ResourceType == "application_auth_strategy" {
			t.Errorf("%s is used by what is ignored", c.ID)
		}
	}
}

// What exists once is called by what it belongs to, declared or not.
func TestWhatExistsOnceKeepsItsParent(t *testing.T) {
	const live = "portals: [{ref: y, name: y, ip_allow_list: {allowed_ips: [10.0.0.0/8]}}]"
	const want = `the portal "y" stays, because the filter ignores the portal IP allow list of "y"`
	for name, tt := range map[string]struct {
		now  string
		mode plan.Mode
	}{
		"nothing is declared":    {"portals: []", plan.ModeSync},
		"the portal is declared": {"portals: [{ref: y, name: y}]", plan.ModeDelete},
		"all of it is":           {live, plan.ModeDelete},
		"it is declared apart":   {"portals: [{ref: y, name: y}]\nportal_ip_allow_lists: [{portal: y, allowed_ips: [10.0.0.0/8]}]", plan.ModeDelete},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(live)
			p, diags := planned(t, w, tt.now, way{mode: tt.mode, filter: choose.Filter{Ignore: patterns("type:portal_ip_allow_list")}})
			if len(diags) > 0 || len(p.Changes) > 0 {
				t.Fatal(diags, testkit.Lines(p))
			}
			if len(p.Warnings) != 1 || p.Warnings[0].Message != want {
				t.Errorf("%v, want %s", p.Warnings, want)
			}
		})
	}
}
