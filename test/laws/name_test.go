package laws

import (
	"slices"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

const called = "the-one-that-is-named"

// naming is a declaration of a type that names a sibling in a field.
func (s *scene) naming(field, parent, name string) (map[string]any, bool) {
	p := value.ParsePath(field)
	for _, f := range allFeatures(s.t) {
		if !f.leadsTo(p) {
			continue
		}
		s.at = &making{s.t, parent}
		fields := sampler{t: s.t, n: s.n, refs: func(kind string) any {
			if kind == s.t.Kind {
				return name // another one of the type is not asked for
			}
			return s.reference(kind)
		}}.sample(f)
		s.at = nil
		places := value.Places(fields, p)
		for _, at := range places {
			v, _ := value.Get(fields, at)
			if _, isList := v.([]any); isList {
				value.Set(fields, at, []any{name})
			} else {
				value.Set(fields, at, name)
			}
		}
		if slices.Contains(value.TextsAt(fields, p), name) {
			return fields, true
		}
	}
	return nil, false
}

// leadsTo reports whether a feature is a field, in any variant.
func (f feature) leadsTo(p value.Path) bool {
	var at value.Path
	for _, x := range f {
		if x.field != "" {
			at = at.Child(x.field)
		}
	}
	return at.String() == p.String()
}

// stepOf is the place of a change of a type in the order of a plan, by groups that run
// at once.
func stepOf(t *testing.T, p *plan.Plan, kind string, is func(*plan.Change) bool) int {
	t.Helper()
	for i, group := range p.ExecutionGroups {
		for _, id := range group {
			if c := p.Change(id); c.ResourceType == kind && is(c) {
				return i
			}
		}
	}
	t.Fatalf("no such change of %s in %v", kind, p.ExecutionOrder)
	return 0
}

// What a field names is created before the resource that has the field, and deleted
// after it, or after it names it no more.
func TestNamedComesFirst(t *testing.T) {
	t.Parallel()
	cat := testkit.Catalog(t)
	for _, typ := range cat.All() {
		for _, n := range typ.Namings {
			if n.Inside != "" {
				continue // no resources: they are items of the parent
			}
			for _, field := range n.Fields {
				t.Run(typ.Kind+"."+field+" "+n.Kind, func(t *testing.T) {
					t.Parallel()
					namedFirst(t, newWorld(t), typ, field, n.Kind)
				})
			}
		}
	}
}

func namedFirst(t *testing.T, w *world, typ *catalog.Bound, field, kind string) {
	t.Helper()
	other := w.cat.Kind(kind)
	declare := func(user, named bool) string {
		s := newScene(w, typ)
		parent := s.parent(typ)
		fields, ok := s.naming(field, parent, called)
		if !ok {
			t.Fatalf("no sample has %s", field)
		}
		if !user { // it stays, and names nothing
			least := s.sampled(typ, parent, nil)
			least[typ.Identity[0]] = fields[typ.Identity[0]]
			fields = least
		}
		s.add(typ, fields, parent)
		if named {
			s.addMinimal(other, parent, map[string]any{other.Identity[0]: called})
		}
		return s.text()
	}
	isNamed := func(c *plan.Change) bool { return c.ResourceName == called || c.Fields[other.Identity[0]] == called }
	isUser := func(c *plan.Change) bool { return !isNamed(c) }
	before := func(what string, p *plan.Plan, first, then int) {
		if first >= then {
			t.Errorf("%s: step %d is not before %d: %v", what, first, then, p.ExecutionGroups)
		}
	}
	both := declare(true, true)
	p := w.plan(both, plan.ModeApply)
	before("create", p, stepOf(t, p, other.Kind, isNamed), stepOf(t, p, typ.Kind, isUser))
	w.run(p)
	namedByRef(t, w, typ, field, other)

	p = w.plan(declare(false, false), plan.ModeSync)
	before("update and delete", p, stepOf(t, p, typ.Kind, isUser), stepOf(t, p, other.Kind, isNamed))

	s := newScene(w, typ)
	s.parent(typ)
	p = w.plan(s.text(), plan.ModeSync)
	before("delete", p, stepOf(t, p, typ.Kind, isUser), stepOf(t, p, other.Kind, isNamed))

	w.keep = true
	p = w.plan(nothing, plan.ModeSync)
	w.run(p)
	p, _ = w.inverse(p)
	before("create again with the parent", p, stepOf(t, p, other.Kind, isNamed), stepOf(t, p, typ.Kind, isUser))
}

// namedByRef asserts that the ref of a resource says the same as its name, and explain
// which resources are meant.
func namedByRef(t *testing.T, w *world, typ *catalog.Bound, field string, other *catalog.Bound) {
	t.Helper()
	s := newScene(w, typ)
	parent := s.parent(typ)
	n := s.n
	_, ok := s.naming(field, parent, called) // as the declaration before it
	ref := s.addMinimal(other, parent, map[string]any{other.Identity[0]: called})
	s.n = n
	fields, found := s.naming(field, parent, ref)
	if !ok || !found {
		t.Fatalf("no sample has %s", field)
	}
	s.add(typ, fields, parent)
	for _, r := range w.plan(s.text(), plan.ModeApply).Changes {
		if c, isNew := r.ChangedFields[field]; isNew {
			t.Errorf("the ref %s in %s changes it: %v", ref, field, c)
		}
		for _, text := range value.TextsAt(r.Fields, value.ParsePath(field)) {
			if text == ref {
				t.Errorf("the ref %s is sent in %s", ref, field)
			}
		}
	}
	explained, err := engine.Explainer(w.cat).Find(typ.Kind + "." + field)
	if err != nil || explained.Field.Names != other.Kind {
		t.Errorf("explain says that %s names %q, want %q: %v", field, explained.Field.Names, other.Kind, err)
	}
}
