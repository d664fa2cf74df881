package laws

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// An item of a list changes while another one goes or comes: the view shows what the run
// does, and nothing that stays, such as what Konnect works out.
func TestItemsAreShownAsTheyChange(t *testing.T) {
	var tried, shown atomic.Int64
	afterAll(t, func() {
		t.Logf("%d changes of lists, %d changed values shown", tried.Load(), shown.Load())
		if tried.Load() < 200 || shown.Load() < 400 {
			t.Error("too few were tried")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		if typ.Update == nil {
			return
		}
		for _, f := range shownFeatures(typ) {
			w := newWorld(t)
			s := newScene(w, w.cat.Kind(typ.Kind))
			if s.t.Parent != nil {
				s.below = s.parent(s.t)
			}
			s.n++
			with := s.sampled(s.t, s.below, f)
			s.known(with)
			bare, at := without(with, f)
			if len(at) == 0 {
				continue
			}
			text := func(fields map[string]any) string {
				is := &scene{w: w, t: s.t, lists: maps.Clone(s.lists), below: s.below}
				is.add(s.t, fields, s.below)
				return is.text()
			}
			p := f[:slices.IndexFunc(f, func(s step) bool { return s.item })].path()
			for _, two := range withSecondItem(s, bare, p) {
				if w.try(text(two)).HasErrors() || w.try(text(with)).HasErrors() {
					continue
				}
				other, _ := value.Clone(two).(map[string]any)
				list, _ := value.Get(two, p)
				value.Set(other, p, list.([]any)[1:])
				for _, mode := range []plan.Mode{plan.ModeSync, plan.ModeApply} {
					for _, way := range [][2]map[string]any{{two, with}, {with, two}, {with, other}} {
						w.run(w.plan(text(way[0]), plan.ModeSync))
						update := w.plan(text(way[1]), mode)
						if len(update.Blocked) > 0 {
							continue
						}
						w.run(update)
						w.settled(text(way[1]), mode)
						tried.Add(1)
						shown.Add(int64(w.firstItemIsShown(update, p)))
					}
				}
			}
		}
	})
}

// shownFeatures are those of items that are tried: some, and all that Konnect fills in.
func shownFeatures(t *catalog.Bound) []feature {
	out := spread(itemFields(t), maxFeatures/2)
	for _, f := range allFeatures(t) {
		if _, kept := catalog.KeptAt(t, f.path()); inList(f) && f[len(f)-1].field != "" && (kept || t.IsComputed(f.path())) {
			out = append(out, f)
		}
	}
	return out
}

// firstItemIsShown fails unless the lines of a view about the first item of a list are
// about what is different in it after the plan was carried out, and about nothing else.
func (w *world) firstItemIsShown(p *plan.Plan, list value.Path) (n int) {
	w.t.Helper()
	for _, c := range p.Changes {
		t, now := w.cat.Kind(c.ResourceType), w.current(c.ResourceRef)
		if c.Action != plan.Update || now == nil {
			continue
		}
		at := slices.Clone(list).Index(0)
		item := func(fields map[string]any) any {
			x, _ := value.Get(t.Neutral().Essence(&resource.Object{ID: c.ResourceID, Fields: fields}), at)
			return x
		}
		lines := w.shown(p, c)
		if slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), at.String()+": ") }) {
			continue // the view takes it for another one
		}
		before, after := item(c.CurrentState), item(now)
		var shown []value.Path
		for _, line := range lines {
			m := lineField.FindStringSubmatch(line)
			if m == nil || !value.ParsePath(m[1]).HasPrefix(at) {
				continue
			}
			x := value.ParsePath(m[1])
			shown = append(shown, x)
			is, _ := value.Get(after, x[len(at):])
			if strings.HasSuffix(m[2], "-> (none)") && !value.Empty(is) {
				w.t.Errorf("%s: %s has %v afterwards, and the view shows %s", c.ID, x, is, line)
			}
		}
		changed := differing(at, before, after)
		related := func(a, b value.Path) bool { return a.HasPrefix(b) || b.HasPrefix(a) }
		for _, x := range changed {
			n++
			was, _ := value.Get(before, x[len(at):])
			_, sent := value.Get(c.Fields, x)
			if (sent || !value.Empty(was)) && !slices.ContainsFunc(shown, func(y value.Path) bool { return related(x, y) }) {
				w.t.Errorf("%s: %s was %v, and the view does not show that it changes:\n%s", c.ID, x, was, strings.Join(lines, "\n"))
			}
		}
		for _, x := range shown {
			if !slices.ContainsFunc(changed, func(y value.Path) bool { return related(x, y) }) {
				w.t.Errorf("%s: the view shows %s, which stays:\n%s", c.ID, x, strings.Join(lines, "\n"))
			}
		}
	}
	return n
}

// withSecondItem are samples with a second item in a list: one with other values, and one
// of each further form.
func withSecondItem(s *scene, sample map[string]any, p value.Path) (out []map[string]any) {
	found, _ := value.Get(sample, p)
	list, _ := found.([]any)
	schema := s.t.Write().At(p.Generic(), sample)
	if len(list) != 1 || schema == nil || schema.Item() == nil {
		return nil
	}
	add := func(item any) {
		more, _ := value.Clone(sample).(map[string]any)
		value.Set(more, p, []any{value.Clone(list[0]), item})
		out = append(out, more)
	}
	item, _ := value.Clone(list[0]).(map[string]any)
	for _, at := range leaves(nil, item) {
		v, _ := value.Get(item, at)
		_, refers := s.t.Reference(append(slices.Clone(p), at...).Generic())
		if x, ok := otherwise(schema.Item().At(at.Generic(), item), v); ok && !refers {
			value.Set(item, at, x)
		}
	}
	if !value.Equal(item, list[0]) {
		add(item)
	}
	g := sampler{t: s.t, n: s.n, refs: s.reference}
	for form := range min(forms(schema.Item(), 0), mostForms) {
		if x := g.whole(schema.Item(), form, p, 1); form > 0 {
			add(x)
		}
	}
	return out
}
