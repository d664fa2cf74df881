package build_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

func TestNothingToSomething(t *testing.T) {
	for _, ask := range []testkit.Ask{{}, apply} {
		w := testkit.New(t)
		p := w.Plan(ask, testkit.Airlines)
		testkit.Expect(t, p,
			"1 CREATE organization_team flight-operations",
			"2 CREATE application_auth_strategy key",
			"3 CREATE portal developers < 2",
			"4 CREATE api flights < 1",
			"5 CREATE portal_page developers-guides < 3",
			"6 UPDATE portal_customization developers-customization < 3",
			"7 CREATE api_version flights-1.0.0 < 4",
			"8 CREATE api_publication flights-developers < 2 3 4",
			"9 CREATE portal_page developers-guides-first < 3 5",
		)
		w.Succeed(w.Run(p))
		w.Settled(ask, testkit.Airlines)
		w.Settled(testkit.Ask{}, testkit.Airlines)
	}
}

func TestIdsOfOthersAreFilledInLater(t *testing.T) {
	w := testkit.New(t)
	p := w.Plan(testkit.Ask{}, testkit.Airlines)
	publication := testkit.ChangeOf(t, p, plan.Create, "api_publication")
	testkit.Equal(t, "references", publication.References, map[string]plan.Reference{
		"portal_id":            {Ref: "developers", Type: "portal", ID: "[unknown]", Change: "3:c:portal:developers", Lookup: plan.Named("developers")},
		"auth_strategy_ids[0]": {Ref: "key", Type: "application_auth_strategy", ID: "[unknown]", Change: "2:c:application_auth_strategy:key", Lookup: plan.Named("api-key")},
	})
	testkit.Equal(t, "parent", publication.Parent, &plan.ParentRef{Ref: "flights", Type: "api", ID: "[unknown]", Change: "4:c:api:flights", Lookup: plan.Named("flights")})
	testkit.Equal(t, "fields", w.Reread(p).Change(publication.ID).Fields, object{"auth_strategy_ids": []any{"[unknown]"}, "visibility": "public"})
	testkit.Equal(t, "call", publication.ExecutionContext, plan.ExecutionContext{HTTPMethod: "PUT", APIEndpoint: "/v3/apis/{apiId}/publications/{portalId}"})
	testkit.Equal(t, "source", publication.Source, &plan.Source{File: "stdin", Line: 22, Column: 9})
}

func TestUpdateCarriesWhatChanges(t *testing.T) {
	w := testkit.New(t)
	w.Sync(testkit.Airlines)
	id := w.Named("portal", "developers")["id"]
	p := w.Plan(apply, "portals: [{name: developers, rbac_enabled: true, authentication_enabled: true}]")
	testkit.Expect(t, p, "1 UPDATE portal developers")
	c := p.Changes[0]
	delete(c.Fields, "labels")
	testkit.Equal(t, "fields", c.Fields, object{"rbac_enabled": true})
	testkit.Equal(t, "changed_fields", c.ChangedFields, map[string]plan.OldNew{"rbac_enabled": {Old: false, New: true}})
	testkit.Equal(t, "field_changes", c.FieldChanges, []plan.FieldChange{{Field: "rbac_enabled", CurrentValue: false, DesiredValue: true}})
	testkit.Equal(t, "resource_id", any(c.ResourceID), id)
	testkit.Equal(t, "call", c.ExecutionContext, plan.ExecutionContext{HTTPMethod: "PATCH", APIEndpoint: "/v3/portals/{portalId}"})
	if c.CurrentState["name"] != "developers" || c.CurrentState["rbac_enabled"] != false {
		t.Errorf("current_state: %v", c.CurrentState)
	}
	if c.Expect == nil || c.Expect.UpdatedAt == "" || c.Expect.Fingerprint == "" {
		t.Errorf("expect: %+v", c.Expect)
	}
	testkit.Equal(t, "mappings", any(p.Metadata.ReferenceMappings), any(map[string]string{"developers": id.(string)}))
}

// A field below the top is sent with its neighbours.
func TestUpdateOfANestedField(t *testing.T) {
	w := testkit.New(t)
	const first = "portals: [{name: dev, customization: {theme: {mode: dark, colors: {primary: '#000000'}}, spec_renderer: {hide_deprecated: true, try_it_ui: false}}}]"
	w.Apply(first)
	p := w.Plan(apply, "portals: [{name: dev, customization: {theme: {mode: light}}}]")
	testkit.Expect(t, p, "1 UPDATE portal_customization dev-customization")
	testkit.Equal(t, "fields", w.Reread(p).Changes[0].Fields, object{"theme": object{"mode": "light", "colors": object{"primary": "#000000"}}})
	testkit.Equal(t, "changed_fields", p.Changes[0].ChangedFields, map[string]plan.OldNew{"theme.mode": {Old: "dark", New: "light"}})
	w.Succeed(w.Run(p))

	const less = "portals: [{name: dev, customization: {theme: {mode: light}, spec_renderer: {try_it_ui: true}}}]"
	p = w.Plan(testkit.Ask{}, less)
	testkit.Expect(t, p, "1 UPDATE portal_customization dev-customization")
	got := p.Changes[0].ChangedFields
	testkit.Equal(t, "sync takes the neighbour back to its default", got["spec_renderer.hide_deprecated"], plan.OldNew{Old: true, New: false})
	w.Succeed(w.Run(p))
	w.Settled(testkit.Ask{}, less)
}

// A PUT replaces the testkit.Ask{}, so what is not declared is sent as it is.
func TestUpdateByPut(t *testing.T) {
	w := testkit.New(t)
	const apis = "portals: [{name: dev}]\napis: [{name: a, publications: [{portal: dev, "
	w.Apply(apis + "visibility: public, auto_approve_registrations: true}]}]")
	p := w.Plan(apply, apis+"visibility: private}]}]")
	testkit.Expect(t, p, "1 UPDATE api_publication a-dev")
	got := w.Reread(p).Changes[0].Fields
	testkit.Equal(t, "fields", got, object{"visibility": "private", "auto_approve_registrations": true})
	w.Succeed(w.Run(p))
	if got := w.State("api_publication")[0]; got["auto_approve_registrations"] != true || got["visibility"] != "private" {
		t.Errorf("after the update: %v", got)
	}
	w.Settled(apply, apis+"visibility: private}]}]")
}

func TestDeleteOfAnUndeclaredChild(t *testing.T) {
	w := testkit.New(t)
	w.Sync("portals: [{name: dev, snippets: [{name: a, content: x}, {name: b, content: x}]}]")
	p := w.Plan(testkit.Ask{}, "portals: [{name: dev, snippets: [{name: b, content: x}]}]")
	testkit.Expect(t, p, "1 DELETE portal_snippet a")
	c := p.Changes[0]
	portal, _ := w.Named("portal", "dev")["id"].(string)
	testkit.Equal(t, "parent", c.Parent, &plan.ParentRef{Ref: "dev", Type: "portal", ID: portal, Ancestors: []string{portal}, Lookup: plan.Named("dev")})
	testkit.Equal(t, "namespace", c.Namespace, "default")
	testkit.Equal(t, "call", c.ExecutionContext, plan.ExecutionContext{HTTPMethod: "DELETE", APIEndpoint: "/v3/portals/{portalId}/snippets/{snippetId}"})
	if c.CurrentState["name"] != "a" || c.Expect == nil {
		t.Errorf("a delete says what it deletes: %+v", c)
	}
	w.Succeed(w.Run(p))
	if len(w.State("portal_snippet")) != 1 {
		t.Error("the snippet is still there, or both are gone")
	}
}

func TestApplyDeletesNothing(t *testing.T) {
	w := testkit.New(t)
	w.Sync(testkit.Airlines)
	testkit.Expect(t, w.Plan(apply, "portals: [{name: developers, pages: [], snippets: []}]\napis: []"))
}

func TestSummaryCounts(t *testing.T) {
	w := testkit.New(t)
	w.Sync("portals: [{name: a}, {name: b}]")
	p := w.Plan(testkit.Ask{}, "portals: [{name: a, rbac_enabled: true}, {name: c}]\nteams: [{name: t}]")
	testkit.Equal(t, "summary", p.Summary, plan.Summary{
		TotalChanges: 4,
		ByAction:     map[plan.Action]int{plan.Create: 2, plan.Update: 1, plan.Delete: 1},
		ByResource:   map[string]int{"portal": 3, "organization_team": 1},
	})
}

var idForm = regexp.MustCompile(`^([0-9]+):([cud]):([a-z_]+):(.+)$`)

func TestIdsSayWhatTheyAre(t *testing.T) {
	p := testkit.RichPlan(t)
	for i, c := range p.Changes {
		m := idForm.FindStringSubmatch(c.ID)
		if m == nil {
			t.Fatalf("the id %q has another form", c.ID)
		}
		want := []string{testkit.Number(p.ExecutionOrder[i]), map[plan.Action]string{plan.Create: "c", plan.Update: "u", plan.Delete: "d"}[c.Action], c.ResourceType, c.ResourceRef}
		testkit.Equal(t, c.ID, m[1:], want)
		if p.ExecutionOrder[i] != c.ID {
			t.Errorf("change %d is %s, the order says %s", i, c.ID, p.ExecutionOrder[i])
		}
	}
}

func TestGroupsAgreeWithDependencies(t *testing.T) {
	p := testkit.RichPlan(t)
	group := map[string]int{}
	var all []string
	for i, ids := range p.ExecutionGroups {
		for _, id := range ids {
			group[id] = i
		}
		all = append(all, ids...)
	}
	testkit.Equal(t, "order", all, p.ExecutionOrder)
	edges := 0
	for _, c := range p.Changes {
		first := 0
		for _, before := range c.DependsOn {
			edges++
			first = max(first, group[before]+1)
			if _, ok := group[before]; !ok {
				t.Errorf("%s depends on %s, which is not there", c.ID, before)
			}
		}
		if group[c.ID] != first {
			t.Errorf("%s is in group %d and could be in %d", c.ID, group[c.ID], first)
		}
		if !slices.IsSorted(c.DependsOn) {
			t.Errorf("%s: dependencies in no order: %v", c.ID, c.DependsOn)
		}
	}
	if len(p.Changes) < 8 || edges < 4 {
		t.Errorf("%d changes and %d dependencies show little: %q", len(p.Changes), edges, testkit.Lines(p))
	}
}

func TestSameInputSameBytes(t *testing.T) {
	w := testkit.New(t)
	w.Sync(testkit.RichBefore)
	first := testkit.Text(t, w.Plan(testkit.Ask{}, testkit.RichAfter))
	for range 10 {
		testkit.Equal(t, "plan", testkit.Text(t, w.Plan(testkit.Ask{}, testkit.RichAfter)), first)
	}
}

func TestOrderOfFilesNeverMatters(t *testing.T) {
	const one, other = "portals: [{name: dev}, {name: partners}]\n", "apis: [{name: a, publications: [{portal: dev}]}, {name: b}]\n"
	forward, backward := testkit.New(t), testkit.New(t)
	p, q := forward.Plan(testkit.Ask{}, one+"---\n"+other), backward.Plan(testkit.Ask{}, other+"---\n"+one)
	testkit.Equal(t, "hash", q.Metadata.ConfigHash, p.Metadata.ConfigHash)
	a, b := []string{}, []string{}
	for i := range p.Changes {
		a = append(a, p.Changes[i].ResourceType+p.Changes[i].ResourceRef)
		b = append(b, q.Changes[i].ResourceType+q.Changes[i].ResourceRef)
	}
	slices.Sort(a)
	slices.Sort(b)
	testkit.Equal(t, "changes", b, a)
	forward.Succeed(forward.Run(p))
	forward.Settled(testkit.Ask{}, other+"---\n"+one)
}
