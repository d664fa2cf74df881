//go:build unix

package deck_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/plan"
)

// Reads may be behind writes for a moment: a control plane that was just made is
// waited for, and so is what was just written; neither for ever.
func TestLag(t *testing.T) {
	gone := answer{Stderr: "Error: control plane not found: prod", Exit: 1}
	unread := answer{Stderr: `Error: services: HTTP status 404 (message: "no control plane")`, Exit: 1}
	ms := func(list ...int) (out []time.Duration) {
		for _, n := range list {
			out = append(out, time.Duration(n)*time.Millisecond)
		}
		return out
	}
	rows := map[string]struct {
		diff, sync []answer
		want       string
		waits      []time.Duration
		done       int
	}{
		"the control plane appears": {
			[]answer{gone, unread, {Stdout: some}, {Stdout: none}},
			[]answer{gone, {Stdout: none}},
			"", ms(250, 500, 250), 4,
		},
		"it does not": {
			[]answer{gone},
			nil,
			"deck diff failed for a.yaml, b.yaml (exit 1): control plane not found: prod", ms(250, 500, 1000), 0,
		},
		"what was written appears": {
			[]answer{{Stdout: some}, {Stdout: some}, {Stdout: some}, {Stdout: none}},
			[]answer{{Stdout: none}},
			"", ms(250, 500), 4,
		},
		"it does not appear": {
			[]answer{{Stdout: some}},
			[]answer{{Stdout: none}},
			"deck sync failed for a.yaml, b.yaml: these are still to be made: delete service old", ms(250, 500, 1000), 0,
		},
		"what decK says it did not write is not waited for": {
			[]answer{{Stdout: some}},
			[]answer{{Stdout: failing}},
			"deck sync failed for a.yaml, b.yaml: Create service users failed", nil, 0,
		},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, map[string][]answer{"diff": row.diff, "sync": row.sync})
			done, err := f.reconciler().Run(t.Context(), request(gateway.Sync))
			if (err == nil) != (row.want == "") || err != nil && !strings.Contains(err.Error(), row.want) {
				t.Errorf("%v, want %q", err, row.want)
			}
			if missing := strings.Contains(row.want, "not found"); client.IsNotFound(err) != missing {
				t.Errorf("not found is %v: %v", !missing, err)
			}
			if diff := cmp.Diff(row.waits, f.waits); diff != "" {
				t.Error(diff)
			}
			if len(done) != row.done {
				t.Errorf("done: %v", done)
			}
		})
	}
}

// Ids of new entities are generated each time, so names tell what is referred
// to: those in the report, or, where it does not have them, in a dump.
func TestReferences(t *testing.T) {
	const ring, other = "7a1d0f9e-0000-4000-8000-00000000000a", "7a1d0f9e-0000-4000-8000-00000000000b"
	update := `{"kind":"key","body":{"old":{"id":"k","name":"one","set":{"id":"` + ring + `"}},"new":{"id":"k","name":"one","set":{"id":"` + other + `"}}}}`
	report := func(creating, deleting string) string {
		count := func(s string) string { return map[bool]string{true: "1", false: "0"}[s != ""] }
		return `{"changes":{"creating":[` + creating + `],"updating":[` + update + `],"deleting":[` + deleting + `]},` +
			`"summary":{"creating":` + count(creating) + `,"updating":1,"deleting":` + count(deleting) + `},"errors":[]}`
	}
	set := func(id, name string) string {
		return `{"kind":"key-set","body":{"old":null,"new":{"id":"` + id + `","name":"` + name + `"}}}`
	}
	want := plan.Part{Kind: "key", Name: "one", Action: plan.Update, ChangedFields: map[string]plan.OldNew{"set.name": {Old: "ring", New: "other"}}}
	rows := map[string]struct {
		report, dump string
		dumps        int
	}{
		"the report has both": {report(set(other, "other"), set(ring, "ring")), "", 0},
		"one is from a dump":  {report(set(other, "other"), ""), `{"key_sets":[{"id":"` + ring + `","name":"ring"}]}`, 1},
		"both are":            {report("", ""), `{"key_sets":[{"id":"` + ring + `","name":"ring"},{"id":"` + other + `","name":"other"}]}`, 1},
	}
	for name, row := range rows {
		f := newFake(t, map[string][]answer{"diff": {{Stdout: row.report}}, "dump": {{Stdout: row.dump}}})
		got, err := f.reconciler().Diff(t.Context(), request(gateway.Apply))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(gateway.Done(got), func(c plan.Part) bool { return cmp.Equal(c, want) }) {
			t.Errorf("%s: %+v", name, got)
		}
		if n := len(f.calls("dump")); n != row.dumps {
			t.Errorf("%s: %d dumps", name, n)
		}
	}
}
