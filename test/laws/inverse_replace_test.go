package laws

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// family is a resource with children of every kind, and theirs.
type family struct {
	s      *scene
	ref    string
	at, n  int // where it stands in its list, and the number that names it
	parent string
}

func newFamily(w *world, t *catalog.Bound) *family {
	f := &family{s: newScene(w, t)}
	if t.Parent != nil {
		f.parent = f.s.parent(t)
	}
	f.n = f.s.n + 1 // what it refers to takes the numbers after it
	f.ref = f.s.minimalBelow(t, f.parent)
	f.at = len(f.s.lists[t.Root()]) - 1
	f.children(t, f.ref)
	return f
}

// children adds one of each kind below a resource, as far as they fit it.
func (f *family) children(t *catalog.Bound, ref string) {
	for _, child := range f.s.w.cat.All() {
		if child.Parent != t || child.ReadOnly {
			continue
		}
		before := maps.Clone(f.s.lists)
		below := f.s.minimalBelow(child, ref)
		if f.s.w.try(f.s.text()).HasErrors() {
			f.s.lists = before
			continue
		}
		f.children(child, below)
	}
}

// replaced is the configuration in which the resource must be created again; ""
// where nothing about it is immutable.
func (f *family) replaced() string {
	t, root := f.s.t, f.s.t.Root()
	if t.Shape != catalog.Collection {
		return ""
	}
	was := sampler{t: t, n: f.n, refs: f.s.reference}.sample(nil)
	before := maps.Clone(f.s.lists)
	defer func() { f.s.lists = before }()
	for _, x := range features(t) {
		now := sampler{t: t, n: f.n, refs: f.s.reference}.sample(x)
		if !diff.Compare(t, now, was, diff.Merge).Replace() || !sameIdentity(t, now, was) {
			continue
		}
		doc, _ := value.Clone(now).(map[string]any)
		doc["ref"] = f.ref
		if f.parent != "" {
			doc[t.ParentKeys()[0]] = f.parent
		}
		var b strings.Builder
		write(&b, doc)
		f.s.lists[root] = slices.Clone(f.s.lists[root])
		f.s.lists[root][f.at] = b.String()
		if text := f.s.text(); !f.s.w.try(text).HasErrors() {
			return text
		}
	}
	return ""
}

// sameIdentity reports whether two declarations are of the same resource.
func sameIdentity(t *catalog.Bound, a, b map[string]any) bool {
	return !slices.ContainsFunc(t.Identity, func(name string) bool {
		x, _ := value.Get(a, value.ParsePath(name))
		y, _ := value.Get(b, value.ParsePath(name))
		return !resource.SameField(t.Neutral(), name, x, y)
	})
}

// What was replaced with all that belongs to it is as before once that is undone, or
// the plan names what is not; also where no report says what the run has made.
func TestUndoneReplaceIsAsBefore(t *testing.T) {
	var whole, told atomic.Int64
	afterAll(t, func() {
		t.Logf("%d undone whole, %d in part and told so", whole.Load(), told.Load())
		if whole.Load() == 0 {
			t.Error("nothing could be undone whole")
		}
	})
	for _, way := range []string{"without report", "with report"} {
		t.Run(way, func(t *testing.T) {
			eachKind(t, func(t *testing.T, typ *catalog.Bound) {
				if !hasChildren(typ) {
					return
				}
				w := newWorld(t)
				w.keep, w.reports = true, way == "with report"
				f := newFamily(w, typ)
				here, there := f.s.text(), f.replaced()
				if there == "" {
					return
				}
				w.run(w.plan(here, plan.ModeSync))
				p := w.plan(there, plan.ModeSync, f.ref)
				if !replaces(p) {
					t.Fatalf("%s is not created again: %v", f.ref, p.Blocked)
				}
				w.undoesNothing(p)
				w.run(p)
				if cannot := w.undo(p, "plans never contain secrets"); len(cannot) > 0 {
					told.Add(1)
					named(t, w.plan(here, plan.ModeSync), w.said)
					return
				}
				whole.Add(1)
				w.settled(here, plan.ModeSync)
			})
		})
	}
}

// What refers to something that was replaced refers to the restored one, or the plan
// says that it does not.
func TestUndoneReplaceIsUsed(t *testing.T) {
	var whole atomic.Int64
	afterAll(t, func() {
		if whole.Load() == 0 {
			t.Error("nothing could be undone whole")
		}
	})
	for _, way := range []string{"without report", "with report"} {
		t.Run(way, func(t *testing.T) {
			eachUse(t, func(t *testing.T, u *usage) {
				there, ok := u.other()
				if !ok {
					return // nothing about it is immutable
				}
				w, here := u.s.w, u.text(u.user, true)
				w.keep, w.reports = true, way == "with report"
				w.run(w.plan(here, plan.ModeSync))
				p := w.plan(there, plan.ModeSync, u.used)
				if x := slices.IndexFunc(p.Blocked, func(x plan.Blocked) bool { return x.By == "replace" && x.ResourceType == u.use.By.Kind }); x >= 0 {
					p = w.plan(there, plan.ModeSync, u.used, p.Blocked[x].ResourceRef)
				}
				w.undoesNothing(p)
				w.run(p)
				if cannot := w.undo(p, "plans never contain secrets"); len(cannot) > 0 {
					named(t, w.plan(here, plan.ModeSync), w.said)
					return
				}
				whole.Add(1)
				w.settled(here, plan.ModeSync)
			})
		})
	}
}

// undoesNothing fails where the plan that undoes another has something to do, though
// that one was not carried out.
func (w *world) undoesNothing(p *plan.Plan) {
	w.t.Helper()
	if w.reports {
		return
	}
	if back, _ := w.inverse(p); len(back.Changes)+len(back.Blocked) > 0 {
		w.t.Errorf("the plan was not carried out, and undoing it does %v, blocked %v", back.ExecutionOrder, back.Blocked)
	}
}

func hasChildren(t *catalog.Bound) bool {
	return slices.ContainsFunc(t.Children, func(c *catalog.Bound) bool { return !c.ReadOnly })
}

// named fails unless what is left to do was said.
func named(t *testing.T, p *plan.Plan, cannot []string) {
	t.Helper()
	all := strings.Join(cannot, "\n")
	t.Log(all)
	for _, c := range p.Changes {
		above := ""
		if c.Parent != nil {
			above = c.Parent.Ref
		}
		if !strings.Contains(all, `"`+c.ResourceRef+`"`) && !strings.Contains(all, `"`+c.ResourceName+`"`) && (above == "" || !strings.Contains(all, `"`+above+`"`)) {
			t.Errorf("%s is not as before, and nothing says so: %v", c.ID, c.FieldChanges)
		}
	}
}
