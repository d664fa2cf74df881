package laws

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/plan/derive"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/konnect/propose"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
	"github.com/kongctl/kongctl/internal/view"
)

// unimportant are the parts of a plan that nothing is executed by: where a
// resource is declared, when and by whom the plan was made. What the view takes
// from them is shown.
var unimportant = []string{
	"metadata.version", "metadata.generated_at", "metadata.generated_by", "metadata.generator", "metadata.config_hash",
	"metadata.organization", "metadata.sync_scope.resource_types", "metadata.sync_scope.namespaces", "metadata.reference_mappings", "metadata.seal",
	"source", "updated_at", "along_updated_at", "resource_ref", "resource_name", "ref", "lookup_fields", "protection", "depends_on",
}

// notes reports whether a path leads to something of no consequence.
func notes(p value.Path) bool {
	whole := p.String()
	for _, u := range unimportant {
		if strings.HasPrefix(whole, u) || slices.Contains(p, u) {
			return true
		}
	}
	// The name of an external: it is found by its id, and nothing reads the name.
	if strings.HasPrefix(whole, "metadata.externals[") && p[len(p)-1] == "name" {
		return true
	}
	// The hash of the declaration: drift goes by it, and nobody reads it.
	return slices.Contains(p, label.Hash)
}

// computed reports whether a path leads to what Konnect says of a resource and
// nobody can change: nothing is done by it.
func (w *world) computed(p *plan.Plan, at value.Path, other any) bool {
	if len(at) < 3 || at[0] != "changes" {
		return false
	}
	var i int
	_, _ = fmt.Sscanf(at[1], "[%d]", &i) // it is a place in a list
	c := p.Changes[i]
	t := w.cat.Kind(c.ResourceType)
	if _, gone := other.(removed); at[2] == "expect" && len(at) > 3 && at[3] == "settings" {
		return gone || len(at) == 4 && value.Empty(other) // older plans note none
	}
	if at[2] == "marks" { // they are labels
		at = append(slices.Clone(at[:2]), append(value.Path{"fields", "labels"}, at[3:]...)...)
	}
	if len(at) == 3 {
		_, gone := other.(removed)
		made := slices.ContainsFunc(slices.Collect(maps.Values(c.References)), func(r plan.Reference) bool { return r.Change != "" })
		nothing := gone || value.Empty(other)
		return at[2] == "references" && nothing && !made || // the ids themselves are sent, and shown
			at[2] == "fields" && nothing && c.Action == plan.Delete
	}
	if _, gone := other.(removed); at[2] == "fields" && c.Action == plan.Delete {
		return gone // what it was found by is not sent
	}
	if _, gone := other.(removed); at[2] == "fields" && c.Action == plan.Create && gone {
		v, _ := value.Get(c.Fields, at[3:])
		s := t.Write().At(at[3:].Generic(), c.Fields)
		return s != nil && s.HasDefault() && value.Equal(v, s.Default) // it has that without
	}
	if _, gone := other.(removed); at[2] == "fields" && at[3] == "labels" && c.Action == plan.Update {
		return gone && len(at) == 4 || t.LabelsMerge() && (gone || len(at) == 4 && value.Empty(other)) // what is not sent stays
	}
	if _, gone := other.(removed); at[2] == "references" && len(at) == 4 && gone {
		return c.References[at[3]].Change == "" // the id itself is sent, and shown
	}
	if at[2] != "current_state" {
		return false
	}
	for n := 4; n <= len(at); n++ {
		if s := t.Write().At(at[3:n].Generic(), c.CurrentState); s == nil || s.ReadOnly {
			return true
		}
	}
	return at[3] == "labels" && len(at) > 4 && at[4] != label.Namespace && strings.HasPrefix(at[4], "KONGCTL-")
}

// paths lists all values inside a document.
func paths(at value.Path, x any) []value.Path {
	var out []value.Path
	switch d := x.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(d)) {
			out = append(append(out, at.Child(k)), paths(at.Child(k), d[k])...)
		}
	case []any:
		for i, y := range d {
			out = append(append(out, at.Index(i)), paths(at.Index(i), y)...)
		}
	}
	return out
}

// others are values to put in the place of one.
func others(x any) []any {
	switch d := x.(type) {
	case string:
		if strings.Count(d, "-") == 4 {
			return []any{"7f0aa1a4-3b5c-4d5e-8f00-0000000000ff", "../" + d, ""}
		}
		return []any{d + "x", "", nil}
	case bool:
		return []any{!d}
	case json.Number:
		return []any{json.Number("77")}
	case nil:
		return []any{"x"}
	case []any:
		return []any{[]any{}, append(slices.Clone(d), "x")}
	default:
		return []any{map[string]any{}, nil}
	}
}

// removed stands for a value that is taken away.
type removed struct{}

// forge changes one value of a plan and seals the result, as anybody can.
func forge(whole any, p value.Path, x any) (*plan.Plan, error) {
	data := value.Clone(whole)
	if _, gone := x.(removed); gone {
		value.Delete(data, p)
	} else {
		value.Set(data, p, x)
	}
	changed, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	return plan.Parse(changed)
}

func shown(t *testing.T, p *plan.Plan) string {
	t.Helper()
	var b bytes.Buffer
	if err := view.WritePlan(&b, p, view.PlanOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// refused reports whether a plan is refused before the first write, or has
// nothing to do.
func (w *world) refused(p *plan.Plan) bool {
	in := w.execution(p)
	finding, err := execute.Check(context.Background(), in)
	return err != nil || len(finding.Moved)+len(finding.Done) > 0
}

// tamper changes every value of a plan. Each forged plan is refused, or its view
// differs: it never does what the view does not show. Nothing is written.
func (w *world) tamper(t *testing.T, name string, p *plan.Plan) (refused, seen int) {
	t.Helper()
	raw := w.bytes(p)
	whole, err := plan.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	if w.refused(whole) {
		t.Fatalf("%s: the plan itself is refused", name)
	}
	before, data, meaning := shown(t, whole), decode(t, raw), essential(t, whole)
	writes := len(w.wire.writes)
	places := slices.DeleteFunc(paths(nil, data), notes)
	for _, at := range spread(places, maxPlaces) {
		x, _ := value.Get(data, at)
		for _, other := range append(others(x), removed{}) {
			forged, err := forge(data, at, other)
			switch {
			case err != nil:
				refused++
			case value.Equal(meaning, essential(t, forged)): // what is empty may be left out
			case w.refused(forged):
				refused++
			case shown(t, forged) != before:
				seen++
			case w.computed(whole, at, other):
			case w.unmarked(whole, at): // no root carries it, and nothing sends it
			default:
				t.Errorf("%s: %s = %v is executed and not shown (it was %.80v)", name, at, other, fmt.Sprint(x))
			}
		}
	}
	if n := len(w.wire.writes); n != writes {
		t.Errorf("%s: looking at forged plans wrote %v", name, w.wire.writes[writes:])
	}
	return refused, seen
}

// unmarked reports whether a place holds the namespace of what carries no mark of
// one.
func (w *world) unmarked(p *plan.Plan, at value.Path) bool {
	return slices.ContainsFunc(p.Changes, func(c *plan.Change) bool {
		return at.String() == fmt.Sprintf("changes[%d].namespace", slices.Index(p.Changes, c)) && !w.cat.Kind(c.ResourceType).Neutral().Top().Owned
	})
}

// essential is a plan without what is empty.
func essential(t *testing.T, p *plan.Plan) any {
	t.Helper()
	raw, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return withoutEmpty(decode(t, raw))
}

func withoutEmpty(x any) any {
	switch d := x.(type) {
	case map[string]any:
		for k, v := range d {
			if d[k] = withoutEmpty(v); value.Empty(d[k]) {
				delete(d, k)
			}
		}
	case []any:
		for i, v := range d {
			d[i] = withoutEmpty(v)
		}
	}
	return x
}

func decode(t *testing.T, raw []byte) any {
	t.Helper()
	data, err := value.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Whoever edits a plan and seals it again cannot make it do what it does not
// show, nor what its kind does not allow.
func TestForgedPlans(t *testing.T) {
	var refused, seen atomic.Int64
	count := func(r, s int) {
		refused.Add(int64(r))
		seen.Add(int64(s))
	}
	afterAll(t, func() {
		t.Logf("%d forged plans refused, %d shown", refused.Load(), seen.Load())
		if refused.Load() == 0 || seen.Load() == 0 {
			t.Error("nothing was tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		less := newScene(s.w, s.t)
		ref := less.minimal(s.t)
		create := s.w.plan(less.text(), plan.ModeApply)
		count(s.w.tamper(t, "create", create))
		s.w.run(create)
		if len(less.lists) > 0 {
			count(s.w.tamper(t, "delete", s.w.planAs(less.text(), plan.ModeDelete, nil)))
		}
		for _, pair := range variants(s.t)[:min(1, len(variants(s.t)))] {
			w := newWorld(t)
			typ := w.cat.Kind(s.t.Kind)
			from, _, ok1 := one(w, typ, pair[0])
			to, _, ok2 := one(w, typ, pair[1])
			if !ok1 || !ok2 {
				continue
			}
			w.run(w.plan(from, plan.ModeApply))
			p := w.plan(to, plan.ModeApply, ref)
			if len(p.Blocked) == 0 && !p.Empty() {
				count(w.tamper(t, "change", p))
			}
		}
	})
}

// The same holds for plans that take over what exists, and for those that undo
// others.
func TestForgedPlansOfOtherKinds(t *testing.T) {
	var adopted, undone atomic.Int64
	afterAll(t, func() {
		t.Logf("%d forged plans of adopt and %d of inverse refused", adopted.Load(), undone.Load())
		if adopted.Load() == 0 || undone.Load() == 0 {
			t.Error("nothing was tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		s.minimal(s.t)
		p := s.w.plan(s.text(), plan.ModeApply)
		s.w.run(p)
		traces, err := execute.Trace(context.Background(), s.w.execution(p), nil)
		if err != nil {
			t.Fatal(err)
		}
		back := derive.Inverse(derive.InverseInput{Types: s.w.cat.Types(), Undoer: propose.UndoerFor, Plan: p, Traces: traces, Generator: "laws"})
		if len(back.Changes) > 0 {
			n, _ := s.w.tamper(t, "inverse", back)
			undone.Add(int64(n))
		}
		if !s.t.HasLabels() {
			return
		}
		theirs := strings.Replace(s.text(), "namespace: laws", "namespace: theirs", 1)
		n, _ := s.w.tamper(t, "adopt", s.w.planAs(theirs, plan.ModeAdopt, func(r *engine.PlanRequest) { r.Adopt.Overwrite = true }))
		adopted.Add(int64(n))
	})
}
