package derive_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan/derive"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/propose"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// undoing makes the plan that undoes p; made are the ids that a report gives.
func undoing(t *testing.T, w *testkit.World, p *plan.Plan, made map[string]string, replace ...string) *plan.Plan {
	t.Helper()
	p = w.Reread(p)
	traces, err := execute.Trace(t.Context(), w.Execution(p), made)
	if err != nil {
		t.Fatal(err)
	}
	return derive.Inverse(derive.InverseInput{Types: w.Catalog.Types(), Undoer: propose.UndoerFor, Plan: p, Traces: traces, Now: testkit.Epoch(), Generator: "kongctl test", AllowReplace: replace})
}

func messages(p *plan.Plan) []string {
	var out []string
	for _, w := range p.Warnings {
		out = append(out, w.Message)
	}
	return out
}

// TestInverseLaw: from a to b and back is where one came from.
func TestInverseLaw(t *testing.T) {
	const portal = "portals: [{ref: p, name: p, description: one, labels: {team: x}}]\n"
	for name, tt := range map[string]struct {
		a, b    string
		ask     testkit.Ask
		want    []string
		warning string // the only one allowed
	}{
		"made": {
			a:    portal,
			b:    "portals: [{ref: p, name: p, description: one, labels: {team: x}, pages: [{ref: h, slug: home, content: hi, children: [{ref: k, slug: kid, content: ho}]}]}]\napis: [{ref: a, name: a, publications: [{ref: pub, portal_id: p}]}]\n",
			want: []string{"1 DELETE portal_page k", "2 DELETE api_publication pub", "3 DELETE portal_page h < 1", "4 DELETE api a < 2"},
		},
		"made from nothing": {
			a:   "{}",
			b:   "apis: [{ref: a, name: a, publications: [{ref: pub, portal_id: p}]}]\nportals: [{ref: p, name: p, customization: {layout: topnav}}]\n",
			ask: testkit.Ask{Mode: plan.ModeApply},
			// What came with the portal goes with it.
			want: []string{"1 DELETE api_publication pub", "2 DELETE portal p < 1", "3 DELETE api a < 1"},
		},
		"what must be there first": {
			a:       "portals: [{ref: p, name: p, identity_providers: [{ref: s, type: saml, enabled: true, config: {idp_metadata_url: \"https://id.example.com/m\"}}], auth_settings: {idp_mapping_enabled: true}}]\n",
			b:       "portals: [{ref: p, name: p, identity_providers: [], auth_settings: {idp_mapping_enabled: false}}]\n",
			want:    []string{"1 CREATE portal_identity_provider saml", "2 UPDATE portal_auth_settings p-auth-settings < 1"},
			warning: "cannot undo: what belonged to it comes back only where the plan deleted it by itself",
		},
		"changed": {
			a:    portal + "control_planes: [{ref: c, name: cp, labels: {a: \"1\", b: \"2\"}}]\n",
			b:    "portals: [{ref: p, name: p, rbac_enabled: true, labels: {team: z, more: \"1\"}}]\ncontrol_planes: [{ref: c, name: cp, description: new, labels: {a: \"3\"}}]\n",
			want: []string{"1 UPDATE control_plane c", "2 UPDATE portal p"},
		},
		"protected": {
			a:    portal,
			b:    strings.Replace(portal, "name: p", "name: p, kongctl: {protected: true}", 1),
			want: []string{"1 UPDATE portal p"},
		},
		"deleted": {
			a:       portal + "teams: [{ref: t, name: t, description: d}]\n",
			b:       portal,
			want:    []string{"1 CREATE organization_team t"},
			warning: "cannot undo: what belonged to it comes back only where the plan deleted it by itself",
		},
		// A publication has the id of its portal, which stays.
		"deleted with a publication": {
			a:       "portals: [{ref: p, name: p, teams: [{ref: t, name: t, description: x}]}]\napis: [{ref: a, name: a, publications: [{ref: pub, portal_id: p}]}]\n",
			b:       "portals: [{ref: p, name: p, teams: []}]\napis: [{ref: a, name: a, publications: []}]\n",
			want:    []string{"1 CREATE api_publication p", "2 CREATE portal_team t"},
			warning: "cannot undo: what belonged to it comes back only where the plan deleted it by itself",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Bring(tt.ask, tt.a)
			p := w.Bring(tt.ask, tt.b)
			back := undoing(t, w, p, nil)
			testkit.Expect(t, back, tt.want...)
			for _, m := range messages(back) {
				if m != tt.warning {
					t.Errorf("warning: %s", m)
				}
			}
			if !back.Metadata.Inverse || back.Metadata.Mode != p.Metadata.Mode {
				t.Errorf("mode %s, inverse %v", back.Metadata.Mode, back.Metadata.Inverse)
			}
			w.Succeed(w.Run(back))
			w.Settled(tt.ask, tt.a)
			if again := undoing(t, w, p, nil); !again.Empty() {
				t.Errorf("undone twice: %q", testkit.Lines(again))
			}
		})
	}
}

// TestInverseLeadsToTheNewOne: what is made again has another id, and who
// referred to the old one refers to it.
func TestInverseLeadsToTheNewOne(t *testing.T) {
	const strategy = "application_auth_strategies: [{ref: s, name: s, display_name: S, strategy_type: key_auth, configs: {key-auth: {key_names: [k]}}}]\n"
	a := "portals: [{ref: p, name: p, default_application_auth_strategy_id: s}]\n" + strategy
	w := testkit.New(t)
	w.Sync(a)
	p := w.Sync("portals: [{ref: p, name: p}]\n")
	back := undoing(t, w, p, nil)
	testkit.Expect(t, back, "1 CREATE application_auth_strategy s", "2 UPDATE portal p < 1")
	testkit.Equal(t, "reference", testkit.ChangeOf(t, back, plan.Update, "portal").References, map[string]plan.Reference{
		"default_application_auth_strategy_id": {Ref: "s", Type: "application_auth_strategy", ID: "[unknown]", Change: back.Changes[0].ID},
	})
	w.Succeed(w.Run(back))
	w.Settled(testkit.Ask{}, a)
}

// What is deleted by itself and with its parent leads to the new parent, though
// no configuration names that one any more.
func TestInverseLeadsToTheNewParent(t *testing.T) {
	a := "portals: [{ref: p, name: P, teams: [{ref: t, name: T, roles: [{role_name: API Viewer, entity_id: !ref a, entity_region: us, entity_type_name: Services}]}]}]\n" +
		"apis: [{ref: a, name: A, publications: [{portal_id: p}]}]\n"
	w := testkit.New(t)
	w.Sync(a)
	p := w.Sync("portals: []\napis: []\n")
	if c := testkit.ChangeOf(t, p, plan.Delete, "api_publication"); c.Parent.Ref != "A" { // as it was read: no configuration names it
		t.Fatalf("the parent of the publication is %q", c.Parent.Ref)
	}
	back := undoing(t, w, p, nil)
	made := testkit.ChangeOf(t, back, plan.Create, "api")
	testkit.Equal(t, "parent", testkit.ChangeOf(t, back, plan.Create, "api_publication").Parent,
		&plan.ParentRef{Ref: made.ResourceRef, Type: "api", ID: "[unknown]", Change: made.ID})
	w.Succeed(w.Run(back))
}

func TestInverseOfATree(t *testing.T) {
	a := "portals: [{ref: p, name: p, pages: [{ref: h, slug: home, title: Home, content: hi, children: [{ref: k, slug: kid, title: Kid, content: ho}]}]}]\n"
	w := testkit.New(t)
	w.Sync(a)
	p := w.Sync("portals: [{ref: p, name: p, pages: []}]\n")
	back := undoing(t, w, p, nil)
	for _, m := range messages(back) {
		if !strings.HasPrefix(m, "cannot undo: ") || !strings.Contains(m, "the plan does not hold its") || !strings.Contains(m, "content") {
			t.Errorf("warning: %s", m)
		}
	}
	if len(back.Warnings) != 2 {
		t.Errorf("the lost contents are told %d times", len(back.Warnings))
	}
}

func TestInverseOfAReplace(t *testing.T) {
	text := func(kind string) string {
		return "control_planes: [{ref: c, name: cp, cluster_type: " + kind + "}]\napis: [{ref: a, name: a, implementations: [{control_plane: {control_plane_id: c}}]}]\n"
	}
	w := testkit.New(t)
	a := text("CLUSTER_TYPE_CONTROL_PLANE")
	w.Sync(a)
	p := w.Plan(testkit.Ask{AllowReplace: []string{"c"}}, text("CLUSTER_TYPE_SERVERLESS"))
	none := undoing(t, w, p, nil)
	if len(none.Changes)+len(none.Blocked) > 0 || !slices.Contains(messages(none), `nothing to undo: control plane "c" was not created: control plane "c", which the plan deletes before that, is there`) {
		t.Errorf("nothing was carried out: %q, blocked %+v, warnings %q", testkit.Lines(none), none.Blocked, messages(none))
	}
	w.Succeed(w.Run(p))
	refused := undoing(t, w, p, nil)
	if len(refused.Changes) > 0 || len(refused.Blocked) == 0 || refused.Blocked[0].By != "replace" {
		t.Errorf("without permission: %q, blocked %+v", testkit.Lines(refused), refused.Blocked)
	}
	back := undoing(t, w, p, nil, "c")
	w.Succeed(w.Run(back))
	w.Settled(testkit.Ask{}, a)
	for name, want := range map[string]int{"c": 0, "control_plane:c": 0, "a": 1, "x": 1} {
		if got := derive.CheckAllowed(w.Catalog.Types(), p, []string{name}); len(got) != want {
			t.Errorf("--allow-replace %s: %v", name, got)
		}
	}
}

func TestInverseLeavesWhatMovedAlone(t *testing.T) {
	const before, after = "portals: [{ref: p, name: p, description: one}]\n", "portals: [{ref: p, name: p, description: two}]\napis: [{ref: a, name: a}]\n"
	setup := func(t *testing.T) (*testkit.World, *plan.Plan) {
		w := testkit.New(t)
		w.Sync(before)
		return w, w.Sync(after)
	}
	id := func(w *testkit.World, kind, name string) string { return w.Named(kind, name)["id"].(string) }
	for name, tt := range map[string]struct {
		move    func(*testkit.World)
		want    []string
		warning string
	}{
		"nothing": {func(*testkit.World) {}, []string{"1 DELETE api a", "2 UPDATE portal p"}, ""},
		"a field, again": {
			func(w *testkit.World) {
				w.Send("PATCH", "/v3/portals/"+id(w, "portal", "p"), `{"description":"three"}`)
			},
			[]string{"1 DELETE api a"},
			`cannot undo: portal "p": description was changed again since`,
		},
		"a field, back": {
			func(w *testkit.World) { w.Send("PATCH", "/v3/portals/"+id(w, "portal", "p"), `{"description":"one"}`) },
			[]string{"1 DELETE api a"},
			`nothing to undo: portal "p" is as it was before`,
		},
		"another field": {
			func(w *testkit.World) { w.Send("PATCH", "/v3/portals/"+id(w, "portal", "p"), `{"rbac_enabled":true}`) },
			[]string{"1 DELETE api a", "2 UPDATE portal p"},
			"",
		},
		"the updated one is gone": {
			func(w *testkit.World) { w.Send("DELETE", "/v3/portals/"+id(w, "portal", "p"), "") },
			[]string{"1 DELETE api a"},
			`nothing to undo: portal "p" is not there any more`,
		},
		"the made one is gone": {
			func(w *testkit.World) { w.Send("DELETE", "/v3/apis/"+id(w, "api", "a"), "") },
			[]string{"1 UPDATE portal p"},
			`nothing to undo: API "a" is not there: it was not made, or it is gone`,
		},
		"the made one was changed": {
			func(w *testkit.World) {
				w.Send("PATCH", "/v3/apis/"+id(w, "api", "a"), `{"name":"a","description":"mine"}`)
			},
			[]string{"1 DELETE api a", "2 UPDATE portal p"},
			"it was changed since it was made; undoing deletes it with that",
		},
		"the made one belongs to others": {
			func(w *testkit.World) {
				w.Send("PATCH", "/v3/apis/"+id(w, "api", "a"), `{"labels":{"KONGCTL-namespace":"others"}}`)
			},
			[]string{"1 UPDATE portal p"},
			`nothing to undo: API "a" is not there`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, p := setup(t)
			tt.move(w)
			back := undoing(t, w, p, nil)
			testkit.Expect(t, back, tt.want...)
			if got := strings.Join(messages(back), "\n"); !strings.HasPrefix(got, tt.warning) || (tt.warning == "") != (got == "") {
				t.Errorf("warnings %q, want %q", got, tt.warning)
			}
			w.Succeed(w.Run(back)) // what it expects is what is there
		})
	}
}

// TestInverseByReport: ids from a report, and what was not carried out.
func TestInverseByReport(t *testing.T) {
	w := testkit.New(t)
	p := w.Sync("portals: [{ref: p, name: p}]\napis: [{ref: a, name: a}]\n")
	made := map[string]string{}
	for _, c := range p.Changes {
		made[c.ID] = w.Named(c.ResourceType, c.ResourceRef)["id"].(string)
	}
	// Renamed since: only the id finds it.
	w.Send("PATCH", "/v3/portals/"+made[testkit.ChangeOf(t, p, plan.Create, "portal").ID], `{"name":"renamed"}`)
	testkit.Expect(t, undoing(t, w, p, nil), "1 DELETE api a")
	testkit.Expect(t, undoing(t, w, p, made), "1 DELETE api a", "2 DELETE portal p")
	skipped := derive.Inverse(derive.InverseInput{
		Types: w.Catalog.Types(), Undoer: propose.UndoerFor, Plan: w.Reread(p), Now: testkit.Epoch(),
		Traces: map[string]plan.Trace{p.Changes[0].ID: {NotDone: true}, p.Changes[1].ID: {NotDone: true}},
	})
	if !skipped.Empty() || len(skipped.Warnings) > 0 {
		t.Errorf("what was not carried out is undone: %q, %q", testkit.Lines(skipped), messages(skipped))
	}
}

func TestInverseOfTheProtected(t *testing.T) {
	w := testkit.New(t)
	p := w.Sync("portals: [{ref: p, name: p, kongctl: {protected: true}, snippets: [{ref: s, name: s, content: x}, {ref: u, name: u, content: x, kongctl: {protected: true}}]}]\n")
	back := undoing(t, w, p, nil)
	testkit.Expect(t, back, "1 DELETE portal_snippet s")
	if !back.Changes[0].Parent.RootProtected {
		t.Error("the delete does not say that the portal is protected")
	}
	if len(back.Blocked) != 2 || back.Summary.Blocked != 2 {
		t.Errorf("blocked %+v", back.Blocked)
	}
}

// TestInverseHoldsNoVariable: what came from the environment is in no plan.
func TestInverseHoldsNoVariable(t *testing.T) {
	w := testkit.New(t)
	w.Env["TEXT"] = "canary-one"
	w.Sync("portals: [{ref: p, name: p, description: !env TEXT}]\n")
	w.Env["TEXT"] = "canary-two"
	p := w.Sync("portals: [{ref: p, name: p, display_name: new, description: !env TEXT}]\napis: [{ref: a, name: a, description: !env TEXT}]\n")
	back := undoing(t, w, p, nil)
	testkit.Expect(t, back, "1 DELETE api a", "2 UPDATE portal p")
	if s := testkit.Text(t, back); strings.Contains(s, "canary") {
		t.Errorf("the plan holds the value of a variable:\n%s", s)
	}
	if !slices.Contains(messages(back), `cannot undo: portal "p": the plan does not hold what description was before`) {
		t.Errorf("warnings %q", messages(back))
	}
	w.Succeed(w.Run(back))
}

// TestInverseOfSecrets: no plan holds them, and so none comes back.
func TestInverseOfSecrets(t *testing.T) {
	const settings = "portals: [{ref: p, name: p, identity_providers: [{ref: s, type: oidc, enabled: true, config: {issuer_url: 'https://id.example.com', client_id: kong, client_secret: !secret {source: !env SECRET}}}]}]\n"
	w := testkit.New(t)
	w.Env["SECRET"] = "canary-one"
	w.Sync(settings)
	l := w.Load(settings)
	p, diags := w.TryPlan(testkit.Ask{WriteSecrets: []string{"*"}}, l, w.Target)
	if len(diags) > 0 || len(p.Changes) != 1 {
		t.Fatalf("%v, %q", diags, testkit.Lines(p))
	}
	w.Succeed(w.Run(p))
	back := undoing(t, w, p, nil)
	testkit.Expect(t, back)
	testkit.Equal(t, "warnings", messages(back), []string{`cannot undo: portal identity provider "s": the plan does not hold what the secret config.client_secret was before`})
}

// TestInverseOfWhatCannotBeMade: without what a create needs there is none.
func TestInverseOfWhatCannotBeMade(t *testing.T) {
	w := testkit.New(t)
	w.Env["SECRET"] = w.Catalog.Kind("portal_custom_domain").StandIn([]string{"ssl", "custom_private_key"}, "canary")
	cert, err := json.Marshal(w.Catalog.Kind("portal_custom_domain").Example["ssl"].(map[string]any)["custom_certificate"])
	if err != nil {
		t.Fatal(err)
	}
	w.Sync("portals: [{ref: p, name: p, custom_domain: {ref: d, hostname: a.example.com, enabled: true, ssl: {domain_verification_method: custom_certificate, custom_certificate: " + string(cert) + ", custom_private_key: !secret {source: !env SECRET}}}}]\n")
	p := w.Sync("portals: [{ref: p, name: p}]\n")
	testkit.Expect(t, p, "1 DELETE portal_custom_domain p-custom-domain")
	back := undoing(t, w, p, nil)
	testkit.Expect(t, back)
	testkit.Equal(t, "warnings", messages(back), []string{`cannot undo: portal custom domain "p-custom-domain": the plan does not hold its ssl.custom_certificate, ssl.custom_private_key`})
}

// TestInverseFindsThePlaceTaken: what has come in the place of a deleted one.
func TestInverseFindsThePlaceTaken(t *testing.T) {
	w := testkit.New(t)
	w.Sync("portals: [{ref: p, name: p}]\n")
	p := w.Sync("{_defaults: {kongctl: {namespace: default}}}\n")
	w.Send("POST", "/v3/portals", `{"name":"p"}`)
	back := undoing(t, w, p, nil)
	testkit.Expect(t, back)
	if got := strings.Join(messages(back), ""); !strings.HasPrefix(got, `cannot undo: portal "p": another one has its place (id `) {
		t.Errorf("warnings %q", got)
	}
}

// Without a report, what the plan may not have made is not deleted.
func TestInverseClaimsNothing(t *testing.T) {
	const base = "portals: [{ref: p, name: p}]\n"
	const text = "portals: [{ref: p, name: p, pages: [{slug: mine, content: M}]}]\napis: [{ref: a, name: a, documents: [{slug: d, title: D, content: D}]}]\n"
	t.Run("it was never carried out", func(t *testing.T) {
		w := testkit.New(t)
		w.Sync(base)
		p := w.Plan(testkit.Ask{}, text)
		w.Sync("portals: [{ref: p, name: p, pages: [{slug: mine, content: Other}]}]\napis: [{ref: a, name: a, description: of somebody else, documents: [{slug: d, title: D, content: D}]}]\n")
		back := undoing(t, w, p, nil)
		testkit.Expect(t, back)
		var refused []string
		for _, b := range back.Blocked {
			refused = append(refused, b.By+" "+b.ResourceType)
			if !strings.Contains(b.Message, "--report") {
				t.Error(b.Message)
			}
		}
		slices.Sort(refused)
		testkit.Equal(t, "refused", refused, []string{"report api", "report api_document", "report portal_page"})
	})
	t.Run("it was", func(t *testing.T) {
		w := testkit.New(t)
		w.Sync(base)
		p := w.Plan(testkit.Ask{}, text)
		w.Succeed(w.Run(p))
		api, _ := w.Named("api", "a")["id"].(string)
		w.Send("POST", "/v3/apis/"+api+"/documents", `{"slug":"later","title":"L","content":"L"}`)
		back := undoing(t, w, p, nil)
		if len(back.Blocked) > 0 || len(back.Changes) != 3 {
			t.Fatalf("%q %v", testkit.Lines(back), back.Blocked)
		}
		testkit.Equal(t, "what goes with the API", testkit.ChangeOf(t, back, plan.Delete, "api").TakesAlong, map[string]int{"api_document": 1})
	})
}
