package laws

import (
	"context"
	"maps"
	"testing"

	"kongctl/internal/konnect/label"
	"kongctl/internal/plan"
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
		if sent, has := c.Fields["labels"].(map[string]any); has {
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

// Drift blames nobody who did nothing, even where everything happens in the same
// second.
func TestDriftBlamesNobodyWrongly(t *testing.T) {
	tried, kinds, found := 0, 0, map[string]int{}
	eachType(t, func(t *testing.T, s *scene) {
		few, before := 0, tried
		for _, f := range features(s.t) {
			_, changes := other(s.t, sampler{t: s.t, n: 1, refs: newScene(s.w, s.t).reference}.sample(f))
			if !changes || few == 3 {
				continue
			}
			w := newWorld(t)
			w.still = true
			typ := w.cat.Kind(s.t.Kind)
			was := newScene(w, typ)
			if typ.Parent != nil {
				was.below = was.parent(typ)
			}
			from := sampler{t: typ, n: 1, refs: was.reference}.sample(f)
			to, _ := other(typ, from)
			third, _ := other(typ, to)
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
			few++
			w.run(w.plan(a, plan.ModeSync))
			if got := w.verdict(a, ref); got != "" {
				t.Errorf("%s: nothing differs, and %s moved", f, got)
			}
			declared := w.verdict(b, ref)
			if declared == "Konnect" || declared == "" {
				t.Errorf("%s: the configuration moved, and drift says %q", f, declared)
			}
			found["configuration: "+declared]++
			if !w.byHand(b) {
				continue
			}
			if got := w.verdict(b, ref); got != "" {
				t.Errorf("%s: nothing differs, and %s moved", f, got)
			}
			edited := w.verdict(a, ref)
			if edited == "configuration" || edited == "" {
				t.Errorf("%s: Konnect moved, and drift says %q", f, edited)
			}
			found["Konnect: "+edited]++
			if both := w.verdict(c, ref); both != "unclear" {
				t.Errorf("%s: both moved, and drift says %q", f, both)
			}
			tried++
		}
		if tried > before {
			kinds++
		}
	})
	t.Logf("%d tried of %d types: %v", tried, kinds, found)
	if tried == 0 || found["configuration: configuration"] == 0 || found["Konnect: Konnect"] == 0 {
		t.Error("the law was not tried")
	}
}
