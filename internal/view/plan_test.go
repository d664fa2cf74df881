package view_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/view"
)

type fields = map[string]any

func newPlan(mode plan.Mode, changes ...*plan.Change) *plan.Plan {
	p := &plan.Plan{
		Metadata: plan.Metadata{
			PlanVersion: "1.0", GeneratedBy: "kongctl v0.1.0", Mode: mode,
			SyncScope: plan.Scope{Prune: "full", Namespaces: []string{"default"}},
		},
		Changes: changes,
	}
	for _, c := range changes {
		p.ExecutionOrder = append(p.ExecutionOrder, c.ID)
	}
	return p
}

func create(kind, ref string, payload fields) *plan.Change {
	return &plan.Change{ID: "c:" + kind + ":" + ref, ResourceType: kind, ResourceRef: ref, ResourceName: ref, Namespace: "default", Action: plan.Create, Fields: payload}
}

func updated(kind, ref string, changed map[string]plan.OldNew) *plan.Change {
	return &plan.Change{ID: "u:" + kind + ":" + ref, ResourceType: kind, ResourceRef: ref, ResourceName: ref, Namespace: "default", Action: plan.Update, ChangedFields: changed}
}

func deleted(kind, ref string) *plan.Change {
	return &plan.Change{ID: "d:" + kind + ":" + ref, ResourceType: kind, ResourceRef: ref, ResourceName: ref, Namespace: "default", Action: plan.Delete}
}

func mixedPlan() *plan.Plan {
	team := create("team", "flight-operations", fields{
		"name": "flight-operations", "description": "Kong Airlines Flight Operations Team",
		"labels": fields{"department": "operations", "KONGCTL-namespace": "default", "KONGCTL-config-hash": "sha256-x", "KONGCTL-protected": "true"},
	})
	publication := create("api_publication", "flights-api-dev", fields{
		"visibility": "public", "auth_strategy_ids": []any{"[unknown]", "7e1b"}, "auto_approve_registrations": nil,
	})
	publication.Parent = &plan.ParentRef{Ref: "flights-api", Type: "api", ID: "[unknown]"}
	publication.References = map[string]plan.Reference{
		"auth_strategy_ids[0]": {Ref: "api-key-auth", ID: "[unknown]"},
		"auth_strategy_ids[1]": {Ref: "oidc", ID: "7e1b"},
	}
	idp := create("portal_identity_provider", "oidc", fields{"config": fields{"client_id": "kong"}})
	idp.SecretWrites = []plan.Expression{{Field: "config.client_secret", Expression: fields{"source": fields{"env": "OIDC_SECRET"}}}}
	idp.Expressions = []plan.Expression{{Field: "config.issuer", Expression: fields{"env": "OIDC_ISSUER"}}}

	portal := updated("portal", "dev", map[string]plan.OldNew{
		"auto_approve_applications": {Old: true, New: false},
		"description":               {Old: "The portal", New: nil},
		"labels": {
			Old: fields{"team": "a", "gone": "x", "KONGCTL-config-hash": "sha256-a", "KONGCTL-namespace": "default"},
			New: fields{"team": "b", "KONGCTL-config-hash": "sha256-b", "KONGCTL-namespace": "default"},
		},
	})
	portal.ResourceName, portal.ResourceID = "Kong Airlines", "2c5e"
	look := updated("portal_customization", "dev-look", nil)
	look.Fields = fields{"layout": "topnav", "theme": fields{"mode": "light"}}
	look.Parent = &plan.ParentRef{Ref: "dev", Type: "portal", ID: "2c5e", Ancestors: []string{"2c5e"}}
	banner := updated("portal_page", "home", map[string]plan.OldNew{"content": {Old: "[hidden]", New: "[env:BANNER]"}, "kongctl.protected": {Old: false, New: true}})
	banner.Expressions = []plan.Expression{{Field: "content", Expression: fields{"env": "BANNER"}}}
	snippet := deleted("portal_snippet", "old-snippet")
	snippet.Parent = &plan.ParentRef{Type: "portal", ID: "2c5e"}
	p := newPlan(plan.ModeSync, team, idp, portal, look, publication, banner, snippet, deleted("api", "old-api"))
	p.Metadata.ReferenceMappings = map[string]string{"portal:dev": "2c5e"}
	p.Metadata.SyncScope.Namespaces = []string{"default", "flights"}
	return p
}

func replacePlan() *plan.Plan {
	gone := deleted("portal_custom_domain", "dev-domain")
	gone.Replace, gone.CurrentState = true, fields{"hostname": "old.example.com", "enabled": true, "cname_status": "verified"}
	made := create("portal_custom_domain", "dev-domain", fields{"hostname": "new.example.com", "enabled": true, "ssl": fields{"domain_verification_method": "http"}})
	other := deleted("portal_custom_domain", "other-domain") // it only has to go first
	made.Replace, made.DependsOn = true, []string{gone.ID, other.ID}
	made.SecretWrites = []plan.Expression{{Field: "ssl.custom_private_key"}}
	made.Parent = &plan.ParentRef{Ref: "dev", Type: "portal", ID: "2c5e"}
	gone.Parent = made.Parent
	return newPlan(plan.ModeApply, gone, other, made)
}

func textPlan() *plan.Plan {
	page := strings.Repeat("the same line\n", 6)
	var long []any
	for _, s := range []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "my", "ny"} {
		long = append(long, "scope-"+s)
	}
	return newPlan(
		plan.ModeSync,
		create("portal_page", "home", fields{
			"content": "# Welcome\n\n" + page, "title": "Home, sweet home", "version": "1.0", "empty": "", "count": json.Number("12"),
			"script": "\x1b[2Jcleared", "image": "data:image/png;base64," + strings.Repeat("A", 5000), "sections": []any{fields{"name": "a", "items": []any{"x", "y"}}, fields{"name": "b"}}, "none": fields{},
		}),
		updated("portal_page", "about", map[string]plan.OldNew{
			"content":  {Old: page + "old end\n", New: "new start\n" + page + "new end\n"},
			"scopes":   {Old: long, New: append(append([]any{}, long[:6]...), long[7:]...)},
			"tags":     {Old: []any{"a", "b"}, New: []any{"a", "c"}},
			"sections": {Old: []any{fields{"name": "a", "on": true}}, New: []any{fields{"name": "a", "on": false}}},
			"config":   {Old: fields{"deep": fields{"same": json.Number("1"), "other": json.Number("2")}}, New: fields{"deep": fields{"same": json.Number("1.0"), "other": json.Number("3")}}},
		}),
	)
}

func guardedPlan() *plan.Plan {
	p := newPlan(plan.ModeSync, updated("portal", "dev", map[string]plan.OldNew{
		`labels["KONGCTL-protected"]`: {Old: nil, New: "true"}, `labels["KONGCTL-config-hash"]`: {Old: "a", New: "b"},
	}), updated("portal", "marked", map[string]plan.OldNew{`labels["KONGCTL-config-hash"]`: {Old: "a", New: "b"}}))
	p.Blocked = []plan.Blocked{{ResourceType: "portal", ResourceRef: "prod", Action: plan.Delete, By: "protected", Message: "it is protected"}}
	p.Warnings = []plan.Warning{{ChangeID: "u:portal:dev", Message: "from now on it cannot be deleted"}, {Message: "the region is new"}}
	p.Errors = []plan.Problem{{ResourceType: "api", Message: "GET /v3/apis: 500 Internal Server Error"}}
	return p
}

func TestWritePlan(t *testing.T) {
	for name, tt := range map[string]struct {
		plan *plan.Plan
		opts view.PlanOptions
	}{
		"plan-mixed":         {mixedPlan(), view.PlanOptions{}},
		"plan-color":         {mixedPlan(), view.PlanOptions{Style: view.Style{Color: true}}},
		"plan-replace":       {replacePlan(), view.PlanOptions{}},
		"plan-texts":         {textPlan(), view.PlanOptions{Style: view.Style{Diff: view.Diff{Context: view.DefaultContext}}}},
		"plan-guarded":       {guardedPlan(), view.PlanOptions{}},
		"plan-empty":         {newPlan(plan.ModeSync), view.PlanOptions{Compared: 4}},
		"plan-secrets":       {secretPlan(), view.PlanOptions{Compared: 4}},
		"plan-elsewhere":     {elsewhere(map[string]int{"web": 2, "ops": 1}), view.PlanOptions{Compared: 4}},
		"plan-elsewhere-one": {elsewhere(map[string]int{"o\x1bps": 1}), view.PlanOptions{}},
		"plan-not-pruned":    {notPruned("organization_user:me", "portal:\x1bother"), view.PlanOptions{}},
		"plan-empty-unknown": {newPlan(plan.ModeApply), view.PlanOptions{}},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			if err := view.WritePlan(&b, tt.plan, tt.opts); err != nil {
				t.Fatal(err)
			}
			golden(t, name, b.String())
			for range 5 {
				var again strings.Builder
				if err := view.WritePlan(&again, tt.plan, tt.opts); err != nil {
					t.Fatal(err)
				}
				if again.String() != b.String() {
					t.Fatal("the same plan gives another text")
				}
			}
		})
	}
}

// secretPlan is a plan without changes that cannot tell of all secrets.
func secretPlan() *plan.Plan {
	p := newPlan(plan.ModeSync)
	p.NotCompared = []plan.NotCompared{
		{ResourceType: "portal_auth_settings", ResourceRef: "dev-auth", Field: "oidc_client_secret"},
		{ResourceType: "dcr_provider", ResourceRef: "okta", Field: "dcr_config.dcr_token"},
		{ResourceType: "event_gateway_static_key", ResourceRef: "card\x1bkey", Field: "value", Immutable: true},
		{ResourceType: "api_image", ResourceRef: "flights-icon", Field: "data", Noun: "image"},
		{ResourceType: "api_image", ResourceRef: "hotels-icon", Field: "data", Noun: "image"},
	}
	return p
}

// elsewhere is a plan whose lists held what others manage.
func elsewhere(counts map[string]int) *plan.Plan {
	p := newPlan(plan.ModeSync)
	p.Metadata.SyncScope.OtherNamespaces = counts
	return p
}

// notPruned is a plan with children of what others own.
func notPruned(externals ...string) *plan.Plan {
	p := newPlan(plan.ModeSync)
	p.Metadata.SyncScope.NotPruned = externals
	return p
}

func TestPlanIsNotChangedByShowingIt(t *testing.T) {
	for _, p := range []*plan.Plan{mixedPlan(), replacePlan(), textPlan(), guardedPlan()} {
		before, err := p.Write()
		if err != nil {
			t.Fatal(err)
		}
		if err := view.WritePlan(&strings.Builder{}, p, view.PlanOptions{}); err != nil {
			t.Fatal(err)
		}
		after, err := p.Write()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(before), string(after)); diff != "" {
			t.Errorf("the plan before and after (-before +after):\n%s", diff)
		}
	}
}

// TestPlansFromAnywhere shows plans that no planner would write: showing one
// must not depend on who has checked it.
func TestPlansFromAnywhere(t *testing.T) {
	for _, raw := range []string{
		`{"metadata":{"plan_version":"1.0"}}`,
		`{"metadata":{"plan_version":"1.0"},"changes":[{"action":"UPDATE","changed_fields":{"":{"old":1,"new":2}},"references":{"":{}}}]}`,
		`{"metadata":{"plan_version":"1.0"},"changes":[{"action":"CREATE","replace":true,"depends_on":["x"],"expressions":[{"field":"a[3].b"},{"field":""}]}],"execution_order":["nobody"]}`,
		`{"metadata":{"plan_version":"1.0"},"changes":[{"id":"a","action":"DELETE"},{"id":"b","action":"CREATE","replace":true,"depends_on":["a"]}]}`,
		`{"metadata":{"plan_version":"1.0","mode":"\u001b[2J"},"changes":[{"action":"?","resource_ref":"\u001b[2J","resource_name":"\u001b]0;x\u0007","namespace":"\u001b"}]}`,
		`{"metadata":{"plan_version":"1.0"},"changes":[{"action":"UPDATE","field_changes":[{"field":"labels","current_value":3,"desired_value":[1]}]}]}`,
	} {
		var p plan.Plan
		if err := json.Unmarshal([]byte(raw), &p); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := view.WritePlan(&b, &p, view.PlanOptions{}); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(b.String(), "\x1b\x07") {
			t.Errorf("%s reaches the terminal with its control characters:\n%q", raw, b.String())
		}
	}
}

func TestPlanDocuments(t *testing.T) {
	p := mixedPlan()
	p.Changes[0].Fields["tricky"] = []any{"true", "1.0", "null", "multi\nline", "- x", json.Number("1.5"), json.Number("1e3"), true, nil, fields{}}
	doc, err := p.Write()
	if err != nil {
		t.Fatal(err)
	}
	var asYAML bytes.Buffer
	if err := view.WriteDocumentYAML(&asYAML, doc); err != nil {
		t.Fatal(err)
	}
	var want, got any
	if err := json.Unmarshal(doc, &want); err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(asYAML.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	// Numbers come as int from YAML and as float64 from JSON.
	raw, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("YAML against JSON:\n%s", diff)
	}
	if i, j := strings.Index(asYAML.String(), "metadata:"), strings.Index(asYAML.String(), "changes:"); i != 0 || j < i {
		t.Errorf("the keys have lost their order:\n%s", asYAML.String())
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errDiskFull }

var errDiskFull = errors.New("no space left on device")

func TestWriteErrorsAreTold(t *testing.T) {
	p := mixedPlan()
	for name, write := range map[string]func() error{
		"text": func() error { return view.WritePlan(brokenWriter{}, p, view.PlanOptions{}) },
		"json": func() error { return view.WriteJSON(brokenWriter{}, p) },
		"yaml": func() error { return view.WriteDocumentYAML(brokenWriter{}, []byte("{}")) },
		"summary": func() error {
			return view.WriteSummary(brokenWriter{}, &view.Report{Status: view.StatusDone}, view.Style{})
		},
		"status": func() error { return view.WriteLocalStatus(brokenWriter{}, view.LocalStatus{}) },
	} {
		if err := write(); !errors.Is(err, errDiskFull) {
			t.Errorf("%s: error %v, want %v", name, err, errDiskFull)
		}
	}
}
