package laws

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
)

// Whatever a plan deletes because nothing declares it can be kept with --ignore-refs and
// what the plan calls it; what is called otherwise is deleted as before.
func TestDeletesAreLeftOutByTheirNames(t *testing.T) {
	var names tally
	var others atomic.Int64
	afterAll(t, func() {
		tried, kinds := names.sum()
		t.Logf("%d names of deletes of %d types, beside %d other deletes", tried, kinds, others.Load())
		if kinds < 70 || others.Load() < 150 {
			t.Errorf("too few were tried: %s", &names)
		}
	})
	eachType(t, func(_ *testing.T, s *scene) {
		s.sampleOf(nil)
		if s.t.Shape != catalog.Singleton {
			one := maps.Clone(s.lists)
			s.made = map[string]string{} // the second one refers to others
			s.minimalBelow(s.t, s.below)
			if s.w.try(s.text()).HasErrors() {
				s.lists = one // there cannot be two
			}
		}
		s.w.run(s.w.plan(s.text(), plan.ModeSync))
		s.emptied()
		for _, way := range []struct{ text, prune string }{
			{s.text(), engine.PruneFull}, {emptyLists(s, nothing), engine.PruneFull}, {s.alone(), engine.PruneDeclared},
		} {
			if s.w.try(way.text).HasErrors() {
				continue
			}
			walk := s.w.loaded(way.text)
			walk.Request.Prune = way.prune
			s.w.build(walk)
			for _, c := range walk.Plan.Changes {
				if c.Action != plan.Delete || c.Replace {
					continue
				}
				for _, name := range slices.Compact([]string{c.ResourceRef, c.ResourceName}) {
					names.add(c.ResourceType, 1)
					others.Add(s.w.keptByName(walk.Plan, c, way.text, name))
				}
			}
		}
	})
}

// alone is the configuration with no more than what the type of a scene belongs to.
func (s *scene) alone() string {
	lists := s.lists
	defer func() { s.lists = lists }()
	s.lists = map[string][]string{}
	for up := s.t.Parent; up != nil; up = up.Parent {
		s.lists[up.Root()] = lists[up.Root()]
	}
	return s.text()
}

// emptied leaves out the resources of the type of a scene, and says below their parents
// that there are none.
func (s *scene) emptied() {
	delete(s.lists, s.t.Root())
	if s.t.Parent == nil {
		return
	}
	none := s.t.Key + ": [], "
	if s.t.Shape == catalog.Singleton {
		none = s.t.Key + ": {}, "
	}
	for i, item := range s.lists[s.t.Parent.Root()] {
		s.lists[s.t.Parent.Root()][i] = strings.Replace(item, "{", "{"+none, 1)
	}
}

// keptByName fails unless ignoring a name keeps the resource of a delete, and nothing
// besides that has another name and that no warning says to stay. It counts what is
// deleted as before.
func (w *world) keptByName(p *plan.Plan, c *plan.Change, text, name string) (others int64) {
	w.t.Helper()
	walk := w.loaded(text)
	walk.Request.Prune = p.Metadata.SyncScope.Prune
	walk.Request.Scope.Filter = engine.Filter{Ignore: []string{name}}
	diags := walk.Select()
	for _, step := range []func(context.Context) error{
		func(ctx context.Context) error {
			more, err := walk.Read(ctx)
			diags = append(diags, more...)
			return err
		},
		func(ctx context.Context) error {
			more, err := walk.Build(ctx)
			diags = append(diags, more...)
			return err
		},
	} {
		if err := step(context.Background()); err != nil {
			w.t.Fatal(err)
		}
	}
	if diags.HasErrors() {
		w.t.Errorf("%s %q cannot be ignored as %q: %v", c.ResourceType, c.ResourceRef, name, diags.Err())
		return 0
	}
	goes := map[string]bool{}
	for _, x := range walk.Plan.Changes {
		goes[x.ResourceType+" "+x.ResourceID+" "+strings.Join(plan.AncestorsOf(x), "/")] = x.Action == plan.Delete
	}
	for _, x := range p.Changes {
		key := x.ResourceType + " " + x.ResourceID + " " + strings.Join(plan.AncestorsOf(x), "/")
		switch {
		case x.Action != plan.Delete:
		case x == c && goes[key]:
			w.t.Errorf("%s %q is deleted though %q is ignored", x.ResourceType, x.ResourceRef, name)
		case x != c && goes[key]:
			others++
		case x != c && x.ResourceRef != name && x.ResourceName != name && !slices.ContainsFunc(walk.Plan.Warnings, func(s plan.Warning) bool {
			return strings.Contains(s.Message, "stay")
		}):
			w.t.Errorf("%s %q stays though only %q is ignored", x.ResourceType, x.ResourceRef, name)
		}
	}
	return others
}
