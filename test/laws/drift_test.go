package laws

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"kongctl/internal/konnect/label"
	"kongctl/internal/plan"
	"kongctl/internal/value"
)

// verdict says who moved a resource, "" where it does not differ.
func (w *world) verdict(text, ref string) string {
	w.t.Helper()
	walk := w.loaded(text)
	diags, err := walk.Read(context.Background())
	if err != nil || diags.HasErrors() {
		w.t.Fatal(err, diags)
	}
	d, diags := walk.Drift()
	if diags.HasErrors() {
		w.t.Fatal(diags)
	}
	for who, list := range map[string][]plan.Difference{
		"Konnect": d.ChangedRemotely, "configuration": d.ConfigurationAhead, "unclear": d.Unclear,
	} {
		for _, x := range list {
			if x.ResourceRef == ref {
				return who
			}
		}
	}
	return ""
}

// byHand brings a configuration about as people would in Konnect's own pages: the
// labels that say what kongctl wrote stay as they are.
func (w *world) byHand(text string) (ok bool) {
	w.t.Helper()
	p := w.plan(text, plan.ModeApply)
	for _, c := range p.Changes {
		if c.Action != plan.Update {
			return false // a field that cannot be changed
		}
		had, _ := c.CurrentState["labels"].(map[string]any)
		if sent, has := c.Fields["labels"].(map[string]any); has && w.cat.Kind(c.ResourceType).HasLabels() {
			for _, k := range []string{label.Hash, label.LastUpdated} {
				sent[k] = had[k]
			}
		}
	}
	was := w.seed
	w.seed = true // nobody validates what people do
	w.run(p)
	w.seed = was
	return true
}

// moves are pairs of samples that differ in fields which can be changed.
func moves(s *scene) (out [][2]feature) {
	for _, f := range features(s.t) {
		if _, changes := other(s.t, sampler{t: s.t, n: 1, refs: newScene(s.w, s.t).reference}.sample(f)); changes {
			out = append(out, [2]feature{f, f})
		}
	}
	pairs := variants(s.t)
	slices.SortFunc(pairs, func(a, b [2]feature) int { return strings.Compare(a[0].String(), b[0].String()) })
	for _, pair := range pairs {
		if p := pair[0].path(); !s.t.IsIdentity(p) && !s.t.Immutable(p) {
			out = append(out, pair)
		}
	}
	return out
}

// Drift blames nobody who did nothing, even where everything happens in the same
// second.
func TestDriftBlamesNobodyWrongly(t *testing.T) {
	const enough = 3 // of each type
	kinds, found := 0, map[string]int{}
	eachType(t, func(t *testing.T, s *scene) {
		tried := 0
		for _, pair := range moves(s) {
			if tried == enough {
				break
			}
			w := newWorld(t)
			w.still = true
			typ := w.cat.Kind(s.t.Kind)
			was := newScene(w, typ)
			if typ.Parent != nil {
				was.below = was.parent(typ)
			}
			sample := func(f feature) map[string]any { return sampler{t: typ, n: 1, refs: was.reference}.sample(f) }
			from, to := sample(pair[0]), sample(pair[1])
			if value.Equal(from, to) {
				to, _ = other(typ, from)
			}
			third, more := other(typ, to)
			scene := func(fields map[string]any) (string, string) {
				x := &scene{w: w, t: typ, lists: maps.Clone(was.lists), below: was.below}
				ref := x.add(typ, fields, x.below)
				return x.text(), ref
			}
			a, ref := scene(from)
			b, _ := scene(to)
			c, _ := scene(third)
			if w.try(a).HasErrors() || w.try(b).HasErrors() || w.try(c).HasErrors() {
				continue
			}
			w.run(w.plan(a, plan.ModeSync))
			if got := w.verdict(a, ref); got != "" {
				t.Errorf("%s: nothing differs, and %s moved", pair[1], got)
			}
			declared := w.verdict(b, ref)
			if declared == "" {
				continue // for Konnect it is the same
			}
			if declared == "Konnect" {
				t.Errorf("%s: the configuration moved, and drift says %q", pair[1], declared)
			}
			found["configuration: "+declared]++
			if !w.byHand(b) {
				continue
			}
			if got := w.verdict(b, ref); got != "" && got != "unclear" {
				t.Errorf("%s: both are the same, and %s moved", pair[1], got)
			}
			edited := w.verdict(a, ref)
			if edited == "configuration" {
				t.Errorf("%s: Konnect moved, and drift says %q", pair[1], edited)
			}
			found["Konnect: "+edited]++
			if both := w.verdict(c, ref); more && both != "unclear" && !oneEach(pair) {
				t.Errorf("%s: both moved, and drift says %q", pair[1], both)
			}
			tried++
		}
		if tried > 0 {
			kinds++
		}
	})
	t.Logf("%d types: %v", kinds, found)
	if found["configuration: configuration"] == 0 || found["Konnect: Konnect"] == 0 {
		t.Error("the law was not tried")
	}
}

// oneEach reports whether a pair moves another field than the third sample does.
func oneEach(pair [2]feature) bool { return pair[0].String() != pair[1].String() }

// What is missing was deleted in Konnect, or never made: drift does not take one
// for the other.
func TestDriftOfWhatIsMissing(t *testing.T) {
	found := map[string]int{}
	eachType(t, func(t *testing.T, s *scene) {
		if s.t.Parent == nil || !s.t.Optional() {
			return
		}
		s.w.still = true
		s.below = s.parent(s.t)
		fields := sampler{t: s.t, n: 1, refs: s.reference}.sample(nil)
		without := s.text()
		ref := s.add(s.t, fields, s.below)
		with := s.text()
		s.w.run(s.w.plan(without, plan.ModeSync))
		made := s.w.verdict(with, ref)
		if made == "Konnect" || made == "" {
			t.Errorf("it was never made, and drift says %q", made)
		}
		found["never made: "+made]++

		other := newWorld(t)
		other.still = true
		other.run(other.plan(with, plan.ModeSync))
		p := other.plan(without, plan.ModeSync)
		for _, c := range p.Changes {
			if c.Action != plan.Delete {
				return // its parent changes with it
			}
		}
		if p.Empty() {
			return // it stays
		}
		other.run(p)
		gone := other.verdict(with, ref)
		if gone == "configuration" || gone == "" {
			t.Errorf("it was deleted, and drift says %q", gone)
		}
		found["deleted: "+gone]++
	})
	t.Logf("%v", found)
	if found["never made: configuration"] == 0 || found["deleted: Konnect"] == 0 {
		t.Error("the law was not tried")
	}
}
