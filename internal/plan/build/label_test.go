package build_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
)

// labelsOf splits the labels that a change sends into those of people and ours.
func labelsOf(t *testing.T, c *plan.Change) (theirs object, ours []string) {
	t.Helper()
	all, ok := c.Fields["labels"].(map[string]any)
	if !ok {
		t.Fatalf("%s sends no labels: %v", c.ID, c.Fields)
	}
	theirs = object{}
	for k, v := range all {
		if strings.HasPrefix(k, "KONGCTL-") {
			ours = append(ours, k)
		} else {
			theirs[k] = v
		}
	}
	slices.Sort(ours)
	return theirs, ours
}

func TestLabels(t *testing.T) {
	const first = "labels: {keep: k, change: old, drop: d}"
	const second = "labels: {keep: k, change: new, add: a}"
	for _, row := range []struct {
		name, kind, head string
		ask              testkit.Ask
		sent             object
		left             []string
	}{
		{"sync, key by key", "portal", "portals: [{name: xx, ", testkit.Ask{}, object{"change": "new", "add": "a", "drop": nil}, []string{"add", "change", "keep"}},
		{"apply, key by key", "portal", "portals: [{name: xx, ", apply, object{"change": "new", "add": "a"}, []string{"add", "change", "drop", "keep"}},
		{"sync, all at once", "control_plane", "control_planes: [{name: xx, ", testkit.Ask{}, object{"keep": "k", "change": "new", "add": "a"}, []string{"add", "change", "keep"}},
		{"apply, all at once", "control_plane", "control_planes: [{name: xx, ", apply, object{"keep": "k", "change": "new", "add": "a", "drop": "d"}, []string{"add", "change", "drop", "keep"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := testkit.New(t)
			w.Sync(row.head + first + "}]")
			p := w.Plan(row.ask, row.head+second+"}]")
			testkit.Expect(t, p, "1 UPDATE "+row.kind+" xx")
			theirs, ours := labelsOf(t, p.Changes[0])
			testkit.Equal(t, "labels", theirs, row.sent)
			testkit.Equal(t, "our labels", ours, []string{"KONGCTL-config-hash", "KONGCTL-last-updated", "KONGCTL-managed", "KONGCTL-namespace"})
			for _, f := range p.Changes[0].FieldChanges {
				if strings.Contains(f.Field, "KONGCTL") {
					t.Errorf("ours show as a difference: %+v", f)
				}
			}
			w.Succeed(w.Run(p))
			w.Settled(row.ask, row.head+second+"}]")
			var left []string
			for k := range w.Named(row.kind, "xx")["labels"].(map[string]any) {
				if !strings.HasPrefix(k, "KONGCTL-") {
					left = append(left, k)
				}
			}
			slices.Sort(left)
			testkit.Equal(t, "labels after", left, row.left)
		})
	}
}

func TestLabelDifferencesAreTold(t *testing.T) {
	w := testkit.New(t)
	w.Sync("portals: [{name: x, labels: {change: old, drop: d, a.b: dotted}}]")
	p := w.Plan(testkit.Ask{}, "portals: [{name: x, labels: {change: new, add: a}}]")
	testkit.Equal(t, "changed_fields", p.Changes[0].ChangedFields, map[string]plan.OldNew{
		"labels.change": {Old: "old", New: "new"},
		"labels.add":    {Old: nil, New: "a"},
		"labels.drop":   {Old: "d", New: nil},
		`labels["a.b"]`: {Old: "dotted", New: nil},
	})
	var fields []string
	for _, f := range p.Changes[0].FieldChanges {
		fields = append(fields, f.Field)
	}
	testkit.Equal(t, "order", fields, slices.Sorted(maps.Keys(p.Changes[0].ChangedFields)))
}

// Labels of ours that are gone or stale are no difference by themselves.
func TestOurLabelsAreNoDifference(t *testing.T) {
	w := testkit.New(t)
	w.Sync("portals: [{name: x}]")
	id, _ := w.Named("portal", "x")["id"].(string)
	w.Send("PATCH", "/v3/portals/"+id, `{"labels":{"KONGCTL-config-hash":"other","KONGCTL-last-updated":null,"KONGCTL-managed":null}}`)
	w.Settled(testkit.Ask{}, "portals: [{name: x}]")
	w.Settled(apply, "portals: [{name: x}]")
}

func TestLabelsOfANewResource(t *testing.T) {
	w := testkit.New(t)
	p := w.Plan(testkit.Ask{}, "portals: [{name: x, labels: {a: '1'}, kongctl: {namespace: team-a, protected: true}}]")
	theirs, ours := labelsOf(t, p.Changes[0])
	testkit.Equal(t, "labels", theirs, object{"a": "1"})
	testkit.Equal(t, "our labels", ours, []string{"KONGCTL-config-hash", "KONGCTL-last-updated", "KONGCTL-managed", "KONGCTL-namespace", "KONGCTL-protected"})
	labels, _ := p.Changes[0].Fields["labels"].(map[string]any)
	if labels["KONGCTL-namespace"] != "team-a" || labels["KONGCTL-last-updated"] != plan.NowText {
		t.Errorf("labels: %v", labels)
	}
	if hash, _ := labels["KONGCTL-config-hash"].(string); len(hash) != 59 {
		t.Errorf("hash %q", hash)
	}
	w.Succeed(w.Run(p))
	stored, _ := w.Named("portal", "x")["labels"].(map[string]any)
	if stored["KONGCTL-last-updated"] != "20260102T030408Z" || stored["KONGCTL-protected"] != "true" {
		t.Errorf("stored: %v", stored)
	}
}

func TestChildrenCarryNoLabels(t *testing.T) {
	w := testkit.New(t)
	c := testkit.ChangeOf(t, w.Plan(testkit.Ask{}, testkit.Airlines), plan.Create, "api_version")
	if _, ok := c.Fields["labels"]; ok {
		t.Errorf("fields: %v", c.Fields)
	}
}

func TestProtection(t *testing.T) {
	for _, ask := range []testkit.Ask{{}, apply} {
		w := testkit.New(t)
		w.Sync("portals: [{name: a, kongctl: {protected: true}}, {name: b}, {name: c}]\ncontrol_planes: [{name: dd, kongctl: {protected: true}}]")
		const next = "portals: [{name: a}, {name: b, kongctl: {protected: true}}, {name: c}]\ncontrol_planes: [{name: dd}]"
		p := w.Plan(ask, next)
		testkit.Expect(t, p, "1 UPDATE portal a", "2 UPDATE portal b", "3 UPDATE control_plane dd")
		testkit.Equal(t, "counts", p.Summary.ProtectionChanges, plan.Protection{Protecting: 1, Unprotecting: 2})
		testkit.Equal(t, "a", p.Changes[0].ChangedFields, map[string]plan.OldNew{"kongctl.protected": {Old: true, New: false}})
		testkit.Equal(t, "b", p.Changes[1].ChangedFields, map[string]plan.OldNew{"kongctl.protected": {Old: false, New: true}})
		w.Succeed(w.Run(p))
		w.Settled(ask, next)
		for name, want := range map[string]any{"a": nil, "b": "true"} {
			labels, _ := w.Named("portal", name)["labels"].(map[string]any)
			testkit.Equal(t, name, labels["KONGCTL-protected"], want)
		}
	}
}
