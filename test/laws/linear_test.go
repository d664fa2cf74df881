package laws

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// counted is what was read, how much of it was looked at, and how often somebody asked.
type counted struct {
	resource.State
	objects, asked int
}

func (c *counted) Object(r *resource.Resource) *resource.Object {
	c.asked++
	return c.State.Object(r)
}

func (c *counted) Ancestors(r *resource.Resource) ([]string, bool) {
	c.asked++
	return c.State.Ancestors(r)
}

func (c *counted) Failed(r *resource.Resource) error {
	c.asked++
	return c.State.Failed(r)
}

func (c *counted) Missing(r *resource.Resource) bool {
	c.asked++
	return c.State.Missing(r)
}

func (c *counted) Absent(r *resource.Resource) bool {
	c.asked++
	return c.State.Absent(r)
}

func (c *counted) Objects(t *resource.Type) []resource.Part {
	out := c.State.Objects(t)
	c.asked, c.objects = c.asked+1, c.objects+len(out)
	return out
}

func (c *counted) Undeclared(t *resource.Type, ancestors []string) ([]*resource.Object, bool) {
	out, read := c.State.Undeclared(t, ancestors)
	c.asked, c.objects = c.asked+1, c.objects+len(out)
	return out, read
}

func (c *counted) Below(t *resource.Type, ancestors []string, id string) []resource.Part {
	out := c.State.Below(t, ancestors, id)
	c.asked, c.objects = c.asked+1, c.objects+len(out)
	return out
}

func (c *counted) Unread(t *resource.Type, ancestors []string, id string) bool {
	c.asked++
	return c.State.Unread(t, ancestors, id)
}

// A plan of three resources more looks at as many objects more as one of three resources
// less did, and asks as often for them: no resource looks at all others. The same holds
// where a filter leaves one of them, or all of the type, or all but one alone, and where
// none of them is declared, or others are.
func TestPlansAreLinear(t *testing.T) {
	t.Parallel()
	const step = 3
	for _, typ := range writable(newWorld(t).cat) {
		if typ.Parent == nil && typ.Shape == catalog.Singleton {
			continue // the organization has one
		}
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s := newScene(w, typ)
			seen := map[string][]counted{}
			for n := range 3 {
				for range step {
					s.sampleOf(nil)
				}
				w.run(w.plan(s.text(), plan.ModeSync))
				w.count(s, (n+1)*step, seen)
			}
			for _, name := range slices.Sorted(maps.Keys(seen)) {
				n := seen[name]
				if len(n) < 3 {
					continue // it cannot be declared
				}
				if n[2].objects-n[1].objects > n[1].objects-n[0].objects {
					t.Errorf("%s: %d resources look at %d objects, %d at %d, %d at %d", name, step, n[0].objects, 2*step, n[1].objects, 3*step, n[2].objects)
				}
				if n[2].asked-n[1].asked > n[1].asked-n[0].asked {
					t.Errorf("%s: %d resources ask %d times, %d ask %d times, %d ask %d times", name, step, n[0].asked, 2*step, n[1].asked, 3*step, n[2].asked)
				}
			}
		})
	}
}

// count makes plans of the resources of a scene, of which there are n, and of none and
// others in their place, and notes what each looks at.
func (w *world) count(s *scene, n int, seen map[string][]counted) {
	w.t.Helper()
	none, others := s.copied(), s.copied()
	none.emptied()
	others.n = 100 + s.n
	delete(others.lists, s.t.Root())
	for range n {
		others.sampleOf(nil)
	}
	for _, way := range []struct {
		name, text string
		mode       plan.Mode
	}{{"sync", s.text(), plan.ModeSync}, {"delete", s.text(), plan.ModeDelete}, {"sync of none", none.text(), plan.ModeSync}, {"sync of others", others.text(), plan.ModeSync}} {
		if w.try(way.text).HasErrors() {
			continue
		}
		first := w.loaded(s.text()).Set.Of(s.t.Neutral())[0].Ref
		for name, filter := range map[string]engine.Filter{
			"": {}, ", one left out": {Ignore: []string{first}}, ", all left out": {Ignore: []string{"type:" + s.t.Kind}}, ", one alone": {Isolate: []string{first}},
		} {
			walk := w.loaded(way.text)
			walk.Request.Mode, walk.Request.Scope.Filter = way.mode, filter
			if diags := walk.Select(); diags.HasErrors() {
				w.t.Fatal(diags)
			}
			if _, err := walk.Read(context.Background()); err != nil {
				w.t.Fatal(err)
			}
			state := &counted{State: walk.State}
			walk.State = state
			if _, err := walk.Build(context.Background()); err != nil {
				w.t.Fatal(err)
			}
			seen[way.name+name] = append(seen[way.name+name], *state)
		}
	}
}
