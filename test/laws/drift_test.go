package laws

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/label"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// verdict says who moved a resource, "" where it does not differ.
func (w *world) verdict(text, ref string) string {
	w.t.Helper()
	out := ""
	w.each(text, func(who string, x plan.Difference) {
		if x.ResourceRef == ref {
			out = who
		}
	})
	return out
}

// each calls do with all that differs, and who moved it.
func (w *world) each(text string, do func(who string, x plan.Difference)) {
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
	hint := map[plan.Side]string{plan.SideRemote: ", probably Konnect", plan.SideConfiguration: ", probably configuration"}
	for _, group := range []struct {
		who  string
		list []plan.Difference
	}{{"Konnect", d.ChangedRemotely}, {"configuration", d.ConfigurationAhead}, {"unclear", d.Unclear}} {
		for _, x := range group.list {
			do(group.who+hint[x.Likely], x)
		}
	}
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
				if delete(sent, k); had[k] != nil {
					sent[k] = had[k]
				}
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
		if _, changes := other(s.t, sampler{t: s.t, n: 1, refs: newScene(s.w, s.t).reference}.sample(f), false); changes {
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
	var found tally
	afterAll(t, func() {
		t.Logf("%s", &found)
		for _, name := range []string{"configuration: configuration", "Konnect: Konnect", "a root after its child: unclear", "a child and back: unclear, probably Konnect"} {
			if found.of(name) == 0 {
				t.Errorf("not tried: %s", name)
			}
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		tried := 0
		for _, pair := range moves(s) {
			if tried == enough {
				break
			}
			w := newStillWorld(t)
			typ := w.cat.Kind(s.t.Kind)
			was := newScene(w, typ)
			if typ.Parent != nil {
				was.below = was.parent(typ)
			}
			sample := func(f feature) map[string]any { return sampler{t: typ, n: 1, refs: was.reference}.sample(f) }
			from, to := sample(pair[0]), sample(pair[1])
			if value.Equal(from, to) {
				to, _ = other(typ, from, false)
			}
			third, more := other(typ, to, false)
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
			found.add("configuration: "+declared, 1)
			if !w.byHand(b) {
				continue
			}
			if got := w.verdict(b, ref); got != "" && !strings.HasPrefix(got, "unclear") {
				t.Errorf("%s: both are the same, and %s moved", pair[1], got)
			}
			edited := w.verdict(a, ref)
			if edited == "configuration" {
				t.Errorf("%s: Konnect moved, and drift says %q", pair[1], edited)
			}
			found.add("Konnect: "+edited, 1)
			if both := w.verdict(c, ref); more && !strings.HasPrefix(both, "unclear") && !oneEach(pair) {
				t.Errorf("%s: both moved, and drift says %q", pair[1], both)
			}
			if typ.Parent != nil {
				childAlone(newStillWorld(t), root(typ), a, b, ref, &found)
			}
			tried++
		}
		if tried > 0 {
			found.add("types", 1)
		}
	})
}

func newStillWorld(t *testing.T) *world {
	w := newWorld(t)
	w.still = true
	return w
}

// root is the type that carries the labels of another.
func root(t *catalog.Bound) *catalog.Bound {
	for t.Parent != nil {
		t = t.Parent
	}
	return t
}

// childAlone runs b after a, which changes a child and leaves its root as it was,
// with the hash of a. Then it does what such a hash must not be believed about.
func childAlone(w *world, root *catalog.Bound, a, b, ref string, found *tally) {
	w.t.Helper()
	const item, field = ":\n- {", `"description": "one", `
	described := root.Write().At(value.Path{"description"}, nil) != nil
	if described { // the first of them is the root
		at := "\n" + root.Root() + item
		a, b = strings.Replace(a, at, at+field, 1), strings.Replace(b, at, at+field, 1)
	}
	w.run(w.plan(a, plan.ModeSync))
	p := w.plan(b, plan.ModeSync)
	for _, c := range p.Changes {
		if c.Parent == nil || c.Action != plan.Update {
			return
		}
	}
	if p.Empty() {
		return
	}
	w.run(p)
	back := w.verdict(a, ref)
	if back == "Konnect" {
		w.t.Errorf("a run changed the child alone, the declaration went back, and drift says %q", back)
	}
	found.add("a child and back: "+back, 1)
	if described {
		if byHand := strings.Replace(b, field, `"description": "two", `, 1); w.byHand(byHand) {
			w.each(b, func(who string, x plan.Difference) {
				if who == "configuration" {
					w.t.Errorf("a run changed a child alone, Konnect moved its root, and drift says %q of %s", who, x.ResourceRef)
				}
				found.add("a root after its child: "+who, 1)
			})
			w.each(byHand, func(who string, x plan.Difference) {
				w.t.Errorf("both are the same, and drift says %q of %s", who, x.ResourceRef)
			})
		}
	}
	if w.byHand(a) {
		if got := w.verdict(b, ref); got == "configuration" {
			w.t.Errorf("a run changed the child alone, it was changed back in Konnect, and drift says %q", got)
		}
	}
}

// oneEach reports whether a pair moves another field than the third sample does.
func oneEach(pair [2]feature) bool { return pair[0].String() != pair[1].String() }

// What is missing was deleted in Konnect, or never made: drift does not take one
// for the other.
func TestDriftOfWhatIsMissing(t *testing.T) {
	var found tally
	afterAll(t, func() {
		t.Logf("%s", &found)
		for _, name := range []string{"never made: unclear, probably configuration", "deleted: unclear, probably Konnect"} {
			if found.of(name) == 0 {
				t.Errorf("not tried: %s", name)
			}
		}
	})
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
		found.add("never made: "+made, 1)

		p := s.w.plan(with, plan.ModeSync)
		alone := !slices.ContainsFunc(p.Changes, func(c *plan.Change) bool { return c.Parent == nil })
		s.w.run(p)
		if p := s.w.plan(without, plan.ModeSync); alone && !p.Empty() && !slices.ContainsFunc(p.Changes, func(c *plan.Change) bool { return c.Action != plan.Delete }) {
			s.w.run(p) // as people would
			gone := s.w.verdict(with, ref)
			if gone == "configuration" || gone == "" {
				t.Errorf("a run made it alone, it was deleted in Konnect, and drift says %q", gone)
			}
			found.add("made alone, and deleted: "+gone, 1)
		}

		other := newStillWorld(t)
		other.run(other.plan(with, plan.ModeSync))
		p = other.plan(without, plan.ModeSync)
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
		found.add("deleted: "+gone, 1)
	})
}

// Where a plan changes nothing and warns of what stays as it is, drift says so, too: it
// does not report that both sides match.
func TestDriftNamesWhatStays(t *testing.T) {
	var warned atomic.Int64
	afterAll(t, func() {
		t.Logf("%d warnings", warned.Load())
		if warned.Load() < 10 {
			t.Error("too few plans had warnings")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		for form := range min(forms(typ.Write(), 0), mostForms) {
			w := newWorld(t)
			s := newScene(w, typ)
			if typ.Parent != nil {
				s.below = s.parent(typ)
			}
			g := sampler{t: typ, n: 1, refs: s.reference}
			full := g.everything(form)
			here, there := s.with(full), s.with(g.least(typ.Write(), full, nil))
			if w.try(here).HasErrors() || w.try(there).HasErrors() {
				continue
			}
			w.run(w.plan(here, plan.ModeSync))
			w.run(w.plan(there, plan.ModeSync, refs(s)...))
			p, walk := w.plan(there, plan.ModeSync), w.loaded(there)
			if diags, err := walk.Read(context.Background()); err != nil || diags.HasErrors() {
				t.Fatal(err, diags)
			}
			d, _ := walk.Drift()
			if want, got := messagesOf(p.Warnings), messagesOf(d.Warnings); p.Empty() && want != got {
				t.Errorf("form %d: drift says %q, the plan %q", form, got, want)
			} else if got != "" {
				warned.Add(1)
			}
		}
	})
}

// messagesOf are warnings, each with what it is about.
func messagesOf(list []plan.Warning) string {
	var out []string
	for _, x := range list {
		out = append(out, x.ResourceType+" "+x.ResourceRef+": "+x.Message)
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}
