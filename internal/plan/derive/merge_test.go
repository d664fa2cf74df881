package derive_test

import (
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/plan/derive"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

func merge(w *testkit.World, plans ...*plan.Plan) (*plan.Plan, []string) {
	in := derive.MergeInput{Types: w.Catalog.Types(), Volatile: []string{label.Hash, label.LastUpdated}, Names: []string{"a.json", "b.json", "c.json"}[:len(plans)], Now: testkit.Epoch(), Generator: "kongctl test"}
	for _, p := range plans {
		in.Plans = append(in.Plans, w.Reread(p))
	}
	return derive.Merge(in)
}

const shared = `
_defaults: {kongctl: {namespace: shared}}
portals: [{ref: p, name: p}]
application_auth_strategies: [{ref: s, name: s, display_name: S, strategy_type: key_auth, configs: {key-auth: {key_names: [k]}}}]
`

func TestMergeJoins(t *testing.T) {
	a := "_defaults: {kongctl: {namespace: a}}\nportals: [{ref: x, name: x, pages: [{ref: h, slug: home, content: hi}]}]\napis: [{ref: i, name: i, publications: [{ref: pub, portal_id: x}]}]\n"
	b := "_defaults: {kongctl: {namespace: b}}\ncontrol_planes: [{ref: c, name: cp}]\n"
	w := testkit.New(t)
	first, second := w.Plan(testkit.Ask{}, a), w.Plan(testkit.Ask{Mode: plan.ModeApply}, b)
	both, conflicts := merge(w, first, second)
	if conflicts != nil {
		t.Fatal(conflicts)
	}
	testkit.Equal(t, "mode", both.Metadata.Mode, plan.ModeSync)
	testkit.Equal(t, "namespaces", both.Metadata.SyncScope.Namespaces, []string{"a", "b"})
	testkit.Equal(t, "prune", both.Metadata.SyncScope.Prune, "full")
	testkit.Equal(t, "total", both.Summary.TotalChanges, len(first.Changes)+len(second.Changes))
	testkit.Equal(t, "by action", both.Summary.ByAction, map[plan.Action]int{plan.Create: 5})
	page := testkit.ChangeOf(t, both, plan.Create, "portal_page")
	testkit.Equal(t, "the page's parent", page.Parent.Change, testkit.ChangeOf(t, both, plan.Create, "portal").ID)
	testkit.Equal(t, "the page waits", page.DependsOn, []string{page.Parent.Change})
	testkit.Equal(t, "the publication's portal", testkit.ChangeOf(t, both, plan.Create, "api_publication").References["portal_id"].Change, page.Parent.Change)
	w.Succeed(w.Run(both))
	w.Settled(testkit.Ask{}, a)
	w.Settled(testkit.Ask{}, b)
}

// TestMergeLaws: with itself and with nothing, a plan stays what it is.
func TestMergeLaws(t *testing.T) {
	w := testkit.New(t)
	w.Sync(shared)
	nothing := w.Plan(testkit.Ask{}, shared)
	p := w.Plan(testkit.Ask{}, shared+"apis: [{ref: i, name: i, publications: [{ref: pub, portal_id: p, auth_strategy_ids: [s]}]}]\n")
	for name, plans := range map[string][]*plan.Plan{"with itself": {p, p}, "with nothing": {p, nothing}, "thrice": {p, p, p}} {
		got, conflicts := merge(w, plans...)
		if conflicts != nil {
			t.Fatalf("%s: %q", name, conflicts)
		}
		for _, f := range derive.Compare(w.Reread(p), got, label.Hash, label.LastUpdated).Plan {
			if f.Field != "metadata.config_hash" {
				t.Errorf("%s: %s differs", name, f.Field)
			}
		}
		testkit.Equal(t, name, testkit.Lines(got), testkit.Lines(p))
	}
}

func TestMergeConflicts(t *testing.T) {
	with := func(text string) string { return shared + text }
	without := func(part, text string) string {
		var out []string
		for _, line := range strings.Split(text, "\n") {
			if !strings.HasPrefix(line, part) {
				out = append(out, line)
			}
		}
		return strings.Join(out, "\n")
	}
	for name, tt := range map[string]struct {
		a, b       string
		askA, askB testkit.Ask
		change     func(*plan.Plan) // of b
		want       string
	}{
		"differently": {
			a: strings.Replace(shared, "name: p", "name: p, description: x", 1), b: strings.Replace(shared, "name: p", "name: p, description: y", 1),
			want: `portal "p": a.json and b.json update it differently (description)`,
		},
		"made differently": {
			a: with("apis: [{ref: i, name: i, description: x}]"), b: with("apis: [{ref: i, name: i}]"),
			want: `API "i": a.json and b.json create it differently (description)`,
		},
		"made under two refs": {
			a: with("apis: [{ref: i, name: i}]"), b: with("apis: [{ref: j, name: i}]"),
			want: `API "i": a.json and b.json create it differently (resource_ref)`,
		},
		"deleted and changed": {
			a: without("portals", shared), b: strings.Replace(shared, "name: p", "name: p, description: y", 1),
			want: `portal "p": a.json deletes it, and b.json updates it`,
		},
		"the parent goes": {
			a: without("portals", shared), b: strings.Replace(shared, "name: p", "name: p, pages: [{ref: h, slug: home, content: hi}]", 1),
			want: `portal page "h": b.json creates it, and a.json deletes the portal "p" that it belongs to`,
		},
		"what is referred to goes": {
			a: without("application", shared), b: with("apis: [{ref: i, name: i, publications: [{ref: pub, portal_id: p, auth_strategy_ids: [s]}]}]"),
			want: `API publication "pub": b.json lets it refer to the application auth strategy "s", which a.json deletes`,
		},
		"what it is published to goes": {
			a: without("portals", shared), b: with("apis: [{ref: i, name: i, publications: [{ref: pub, portal_id: p}]}]"),
			want: `API publication "pub": b.json lets it refer to the portal "p", which a.json deletes`,
		},
		"of another organization": {
			a: shared, b: shared, change: func(p *plan.Plan) { p.Metadata.Organization.ID = "other" },
			want: "a.json is for organization org at http://127.0.0.1:1, and b.json is for organization other at http://127.0.0.1:1",
		},
		"to delete and to sync": {
			a: shared, b: shared, change: func(p *plan.Plan) { p.Metadata.Mode = plan.ModeDelete },
			want: "a.json is for sync, and b.json is for delete",
		},
		"to do and to undo": {
			a: shared, b: shared, change: func(p *plan.Plan) { p.Metadata.Inverse = true },
			want: "one of a.json and b.json undoes a plan, and the other does not",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(shared)
			a, b := w.Plan(tt.askA, tt.a), w.Plan(tt.askB, tt.b)
			if tt.change != nil {
				tt.change(b)
			}
			p, conflicts := merge(w, a, b)
			if p != nil {
				t.Error("there is a plan all the same")
			}
			testkit.Equal(t, "conflicts", conflicts, []string{tt.want})
		})
	}
}

// TestMergeOrdersDeletes: what one plan lets go, the other may delete.
func TestMergeOrdersDeletes(t *testing.T) {
	w := testkit.New(t)
	w.Sync(strings.Replace(shared, "name: p", "name: p, default_application_auth_strategy_id: s", 1))
	a := w.Plan(testkit.Ask{Mode: plan.ModeSync}, "_defaults: {kongctl: {namespace: shared}}\nportals: [{ref: p, name: p, default_application_auth_strategy_id: null}]\n")
	// Two plans, each with a half of it.
	update, remove := w.Reread(a), w.Reread(a)
	update.Changes = update.Changes[:1]
	remove.Changes = remove.Changes[1:]
	remove.Changes[0].DependsOn = []string{}
	testkit.Expect(t, update, "1 UPDATE portal p")
	testkit.Expect(t, remove, "2 DELETE application_auth_strategy s")
	for _, plans := range [][]*plan.Plan{{update, remove}, {remove, update}} {
		got, conflicts := merge(w, plans...)
		if conflicts != nil {
			t.Fatal(conflicts)
		}
		testkit.Expect(t, got, "1 UPDATE portal p", "2 DELETE application_auth_strategy s < 1")
	}
}
