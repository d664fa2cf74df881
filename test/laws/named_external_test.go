package laws

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
)

// namedCase is a field that names something, and what it names.
type namedCase struct {
	t     *testing.T
	w     *world
	typ   *catalog.Bound
	field string
	to    *catalog.Bound
	open  bool
}

// Names in the place of what a field holds: theNamed is the ref of what is named.
const theNamed = "the-named"

// ways are how the field says what it means, but for a reference.
func (x *namedCase) ways() map[string]string {
	out := map[string]string{"its name": fmt.Sprintf("%q", called), "a variable": "!env LAW_NAMED", "a field of another resource": "!ref giver#name"}
	if n := x.typ.Neutral().NamedAt([]string{x.field}); n.Kind != "" {
		out["its ref"] = theNamed
	}
	return out
}

// reference is the way that all others must lead to.
func (x *namedCase) reference() string { return "!ref " + theNamed + "#" + x.to.Identity[0] }

// declare is a configuration whose resource names another one; the second one refers to
// it. What is named is declared as said.
func (x *namedCase) declare(way, named string) string {
	x.t.Helper()
	s := newScene(x.w, x.typ)
	parent := s.parent(x.typ)
	s.below = parent
	giver := x.w.cat.Kind("api").Root()
	s.lists[giver] = append(s.lists[giver], fmt.Sprintf("{ref: giver, name: %q}", called))
	s.at = &making{x.typ, parent}
	owner := s.owner(x.to)
	s.at = nil
	above := ""
	if x.nests() {
		s.n++
		above = s.add(x.typ, s.sampled(x.typ, parent, nil), parent)
	}
	for i, word := range []string{"nope-1", "nope-2"} {
		if i > 0 && named == "" {
			break
		}
		s.n++
		fields, ok := s.naming(x.field, parent, word)
		if !ok {
			x.t.Fatalf("no sample has %s", x.field)
		}
		for _, ref := range x.typ.References { // to another one of its type
			if _, has := fields[ref.Field]; has && ref.Kind == x.typ.Kind {
				fields[ref.Field] = refTo{ref: above}
			}
		}
		s.add(x.typ, fields, parent)
	}
	if named != "" {
		list := s.lists[x.to.Root()]
		s.lists[x.to.Root()] = append(list, fmt.Sprintf("{ref: %s, %s: %s, %s}", theNamed, x.to.ParentKeys()[0], owner, named))
	}
	text := strings.ReplaceAll(s.text(), `"nope-1"`, way)
	return strings.ReplaceAll(text, `"nope-2"`, x.reference())
}

// user and other are the refs of the two resources.
func (x *namedCase) user() string  { return x.ref(0) }
func (x *namedCase) other() string { return x.ref(1) }

// ref is the ref of a resource with the field: the first one may be what they lie below.
func (x *namedCase) ref(i int) string {
	if x.nests() {
		i++
	}
	return fmt.Sprintf("%s-%d", strings.ReplaceAll(x.typ.Kind, "_", "-"), i)
}

// nests reports whether resources of the type refer to another one of it.
func (x *namedCase) nests() bool {
	return slices.ContainsFunc(x.typ.References, func(r catalog.Reference) bool { return r.Kind == x.typ.Kind })
}

// outcome is what becomes of the resource that names another one: what waits, what is
// changed and what is wrong.
func (x *namedCase) outcome(text string, flag bool, ignored ...string) (out string, isWritten bool) {
	x.t.Helper()
	walk, diags := x.w.walk(text)
	walk.Request.Mode, walk.Request.Scope.AllowPending, walk.Request.Scope.Filter.Ignore = plan.ModeApply, flag, ignored
	if diags = append(diags, walk.Select()...); !diags.HasErrors() {
		more, err := walk.Read(context.Background())
		if err != nil {
			x.t.Fatal(err)
		}
		if diags = append(diags, more...); !diags.HasErrors() {
			more, err = walk.Build(context.Background())
			if err != nil {
				x.t.Fatal(err)
			}
			diags = append(diags, more...)
		}
	}
	var lines []string
	for _, d := range diags {
		if d.Severity == diag.Error {
			lines = append(lines, string(d.Code))
		}
	}
	if walk.Plan != nil && !diags.HasErrors() {
		for _, p := range walk.Plan.Pending {
			lines = append(lines, "pending "+p.ResourceRef+" "+p.Reason+" "+p.WaitsFor)
		}
		for _, c := range walk.Plan.Changes {
			lines = append(lines, string(c.Action)+" "+c.ResourceRef)
			isWritten = isWritten || c.ResourceRef == x.user()
		}
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n"), isWritten
}

// What is named by its name is waited for, or missed, as what is referred to: an external
// that is not there, below a parent that is new or not, with and without the flag that
// lets others wait; and a declared resource that a filter leaves out. Nobody is sent a
// name that nothing has.
func TestNamedAsReferred(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		t.Logf("%d ways were compared", tried.Load())
		if tried.Load() < 500 {
			t.Error("too few were compared")
		}
	})
	eachNamed(t, func(x *namedCase) {
		external := fmt.Sprintf("_external: {selector: {matchFields: {%s: %q}}}", x.to.Identity[0], called)
		managed := x.minimal()
		for _, exists := range []bool{false, true} {
			if exists {
				x.w.run(x.w.plan(x.surroundings(), plan.ModeApply))
			}
			for _, s := range []struct {
				name, named string
				flag        bool
				ignored     []string
			}{
				{name: "an external", named: external},
				{name: "an external, and a flag", named: external, flag: true},
				{name: "an external, of which another user is ignored", named: external, ignored: []string{x.other()}},
				{name: "what is ignored", named: managed, ignored: []string{theNamed}},
				{name: "what is ignored, and a flag", named: managed, flag: true, ignored: []string{theNamed}},
			} {
				want, isWritten := x.outcome(x.declare(x.reference(), s.named), s.flag, s.ignored...)
				if isWritten && !x.open {
					x.t.Errorf("%s (its parent exists: %v), by a reference: it is written\n%s", s.name, exists, want)
				}
				for way, text := range x.ways() {
					tried.Add(1)
					if got, _ := x.outcome(x.declare(text, s.named), s.flag, s.ignored...); got != want {
						x.t.Errorf("%s (its parent exists: %v), by %s:\n%s\nby a reference:\n%s", s.name, exists, way, got, want)
					}
				}
			}
			x.unknownName(exists)
		}
	})
}

// unknownName names what nothing has that is known: with the flag, and beside an external
// that may have the name.
func (x *namedCase) unknownName(exists bool) {
	x.t.Helper()
	if x.open {
		return
	}
	prefix := fmt.Sprintf("_external: {selector: {matchExpressions: [{key: %s, operator: Prefix, values: [the-]}]}}", x.to.Identity[0])
	for way, text := range x.ways() {
		if text == theNamed {
			continue
		}
		if got, isWritten := x.outcome(x.declare(text, ""), true); isWritten || !strings.Contains(got, "pending "+x.user()+" external: "+x.to.Kind+" not found") {
			x.t.Errorf("what nothing declares, and a flag (its parent exists: %v), by %s:\n%s", exists, way, got)
		}
		if got, _ := x.outcome(x.declare(text, ""), true); way == "a variable" && strings.Contains(got, called) {
			x.t.Errorf("the value of the variable is shown: %s", got)
		}
		if got, isWritten := x.outcome(x.declare(text, prefix), false); isWritten || !exists && !strings.Contains(got, "pending "+x.user()+" external: "+x.to.Kind+" not found") {
			x.t.Errorf("an external of any name (its parent exists: %v), by %s:\n%s", exists, way, got)
		}
	}
}

// minimal is what a managed resource of the kind that is named declares.
func (x *namedCase) minimal() string {
	s := newScene(x.w, x.typ)
	parent := s.parent(x.typ)
	s.at = &making{x.typ, parent}
	owner := s.owner(x.to)
	s.at = nil
	fields := s.sampled(x.to, owner, nil)
	fields[x.to.Identity[0]] = called
	var b strings.Builder
	write(&b, fields)
	return strings.TrimSuffix(strings.TrimPrefix(b.String(), "{"), "}")
}

// surroundings are what else the configurations declare.
func (x *namedCase) surroundings() string {
	s := newScene(x.w, x.typ)
	parent := s.parent(x.typ)
	s.below = parent
	for range 2 { // what the samples refer to
		s.n++
		if _, ok := s.naming(x.field, parent, "nope"); !ok {
			x.t.Fatalf("no sample has %s", x.field)
		}
	}
	return s.text()
}

// eachNamed runs a law for every field that names resources, or takes a name in the place
// of an id.
func eachNamed(t *testing.T, law func(x *namedCase)) {
	t.Helper()
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		run := func(field, kind string, open bool) {
			t.Run(field, func(t *testing.T) {
				w := newWorld(t)
				w.vars = map[string]string{"LAW_NAMED": called}
				law(&namedCase{t, w, w.cat.Kind(typ.Kind), field, w.cat.Kind(kind), open})
			})
		}
		for _, n := range typ.Namings {
			for _, field := range n.Fields {
				if n.Inside == "" {
					run(field, n.Kind, n.Open)
				}
			}
		}
		for above, ref := range catalog.Either(typ) {
			run(above+".name", ref.Kind, false)
		}
	})
}
