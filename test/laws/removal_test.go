package laws

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/konnect/propose"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/plan/build"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// partOf reports whether a value is another one without some of it.
func partOf(to, from any) bool {
	switch x := to.(type) {
	case nil:
		return true
	case map[string]any:
		y, isMap := from.(map[string]any)
		for k := range x {
			if _, had := y[k]; !had || !partOf(x[k], y[k]) {
				return false
			}
		}
		return isMap
	case []any:
		y, isList := from.([]any)
		if !isList || len(x) < len(y) {
			return isList
		}
		for i := range x {
			if i >= len(y) || !partOf(x[i], y[i]) {
				return false
			}
		}
		return true
	default:
		return to == from || value.Equal(to, from)
	}
}

// filledForm is a resource with all that a form of a type can have.
type filledForm struct {
	ref    string
	sample map[string]any
	ways   []transition // that take a part away
}

// filledForms adds a resource for every form of a type that can be declared, with the
// defaults as values where there are some, or with none of them.
func (s *scene) filledForms(plain bool) []filledForm {
	var out []filledForm
	tried := map[string]bool{}
	all := forms(s.t.Write(), 0)
	s.n += perForm * (all + 1)
	for form := range all {
		if s.t.Parent != nil && (!shares(s.t) || s.below == "") {
			s.below = s.parent(s.t)
		}
		s.at = &making{s.t, s.below}
		g := sampler{t: s.t, n: perForm * (form + 1), refs: s.reference, plain: plain}
		full := g.everything(form)
		if !s.w.valid(s.t, full, tried) {
			continue
		}
		s.known(full)
		x := filledForm{ref: s.add(s.t, full, s.below), sample: full}
		for _, way := range transitions(s.t, full, g.least(s.t.Write(), full, nil)) {
			if to := way.to(); !value.Equal(to, full) && partOf(to, full) {
				x.ways = append(x.ways, way)
			}
		}
		out = append(out, x)
		if lasting(s.t) {
			break
		}
	}
	return out
}

// resolved is a sample with what exists in the place of references, and without secrets.
func (w *world) resolved(v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, y := range x {
			if _, isSecret := y.(secretOf); y != nil && !isSecret {
				out[k] = w.resolved(y)
			}
		}
		return out
	case []any:
		out := []any{}
		for _, y := range x {
			out = append(out, w.resolved(y))
		}
		return out
	case secretOf:
		return nil
	case refTo:
		for _, r := range w.set.Resources {
			if o := w.snap.Object(r); o != nil && r.Ref == x.ref {
				if x.field != "" {
					return o.Fields[x.field]
				}
				return o.ID
			}
		}
		w.t.Fatalf("%s does not exist", x.ref)
	}
	return v
}

// updateTo is the update of a resource to a sample, as it is proposed; nil where it is
// none.
func (w *world) updateTo(r *resource.Resource, sample map[string]any, id string) *plan.Change {
	w.t.Helper()
	o := w.snap.Object(r)
	plain, _ := w.resolved(sample).(map[string]any)
	p := propose.For(r.Type).Propose(build.Subject{
		Type: r.Type, Resource: r, Live: o, Desired: build.Desired{Plain: plain}, Mode: plan.ModeSync, Hash: func() string { return "" },
	})
	if p.Action != plan.Update || p.Refused != "" || len(p.Immutable) > 0 || len(p.Changes) == 0 {
		return nil
	}
	c := &plan.Change{
		ID: id, ResourceType: r.Type.Kind, ResourceRef: r.Ref, ResourceName: r.Name, ResourceID: o.ID, Namespace: r.Namespace,
		Action: plan.Update, Fields: p.Fields, CurrentState: p.Current, Expect: p.Expect, ExecutionContext: p.Call,
	}
	c.Show(p.Changes)
	if r.Parent != nil {
		above, _ := w.snap.Ancestors(r)
		c.Parent = &plan.ParentRef{Ref: r.Parent.Ref, Type: r.Parent.Type.Kind, ID: above[len(above)-1], Ancestors: above}
	}
	return c
}

// open fails where the check of a saved plan says of updates that nobody has carried
// out that they are done, or that less is left of them than they announce.
func (w *world) open(changes []*plan.Change, what map[string]string) {
	w.t.Helper()
	p := &plan.Plan{Metadata: plan.Metadata{Mode: plan.ModeSync}, Changes: changes}
	for _, c := range changes {
		p.ExecutionOrder = append(p.ExecutionOrder, c.ID)
	}
	p.ExecutionGroups = [][]string{p.ExecutionOrder}
	p.Index()
	in := w.execution(p)
	in.Validate = nil
	found, err := execute.Check(context.Background(), in)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, m := range found.Moved {
		w.t.Errorf("%s: nothing has changed, and %s %v", what[m.Change.ID], m.Why, m.Fields)
	}
	for _, c := range changes {
		if found.Done[c.ID] != nil {
			w.t.Errorf("%s: the plan announces %v, and it is up to date", what[c.ID], c.FieldChanges)
			continue
		}
		for _, f := range c.FieldChanges {
			at := value.ParsePath(f.Field)
			if !slices.ContainsFunc(found.Left[c.ID], func(x plan.FieldChange) bool {
				p := value.ParsePath(x.Field)
				return p.HasPrefix(at) || at.HasPrefix(p)
			}) {
				w.t.Errorf("%s: the plan announces %v, and of it %v is left", what[c.ID], f, found.Left[c.ID])
			}
		}
	}
}

// due fails unless all of a saved plan is to be carried out: nothing of it is done
// before, and nothing has moved.
func (w *world) due(p *plan.Plan) {
	w.t.Helper()
	found, err := execute.Check(context.Background(), w.execution(p))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, c := range p.Changes {
		if found.Done[c.ID] != nil {
			w.t.Errorf("nobody has carried it out, and it is up to date: %s %v", c.ID, c.FieldChanges)
		}
	}
	for _, m := range found.Moved {
		w.t.Errorf("nothing has changed, and the plan is refused: %s %s %v", m.Change.ID, m.Why, m.Fields)
	}
}

// announced fails unless what exists after the last plan was made is what an executed
// plan has said of it.
func (w *world) announced(p *plan.Plan) (n int) {
	w.t.Helper()
	for _, c := range p.Changes {
		t, now := w.cat.Kind(c.ResourceType), w.current(c.ResourceRef)
		if c.Action != plan.Update || now == nil {
			continue
		}
		for _, field := range slices.Sorted(maps.Keys(c.ChangedFields)) {
			x, at := c.ChangedFields[field], value.ParsePath(field)
			if plan.HoldsHidden(x.New) || plan.HoldsHidden(x.Old) || x.New == any(plan.UnknownID) || at[0] == "labels" && t.HasLabels() {
				continue
			}
			n++
			said, _ := value.Clone(now).(map[string]any)
			if value.Delete(said, at); x.New != nil {
				value.Set(said, at, x.New)
			}
			for _, d := range diff.Compare(t, said, now, diff.Whole).Changes {
				w.t.Errorf("%s: %s is announced to be %v, and %s is %v", c.ID, field, x.New, d.Path, d.Old)
			}
			if have, _ := value.Get(now, at); value.Equal(have, x.Old) && !value.Empty(have) {
				w.t.Errorf("%s: %s is announced to change, and it is %v as before", c.ID, field, have)
			}
		}
	}
	return n
}

// Whatever part of a resource a plan announces to take away, a saved plan has that left
// to do until it is carried out.
func TestAnnouncedRemovalsAreNotDone(t *testing.T) {
	var formsOf, tried, announced atomic.Int64
	afterAll(t, func() {
		t.Logf("%d forms, %d parts taken away, %d of them by an update", formsOf.Load(), tried.Load(), announced.Load())
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		for _, plain := range []bool{false, true} {
			w := newWorld(t)
			s := newScene(w, w.cat.Kind(typ.Kind))
			all := s.filledForms(plain)
			text := s.text()
			w.run(w.plan(text, plan.ModeSync))
			w.plan(text, plan.ModeSync)
			var changes []*plan.Change
			what := map[string]string{}
			for _, x := range all {
				at := slices.IndexFunc(w.set.Resources, func(r *resource.Resource) bool { return r.Ref == x.ref })
				formsOf.Add(1)
				for _, way := range x.ways {
					tried.Add(1)
					id := fmt.Sprint(len(changes))
					if c := w.updateTo(w.set.Resources[at], way.to(), id); c != nil {
						changes = append(changes, c)
						what[id] = strings.Join([]string{x.ref, way.name}, " ")
					}
				}
			}
			announced.Add(int64(len(changes)))
			w.open(changes, what)
		}
	})
}
