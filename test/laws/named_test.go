package laws

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/export"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// namingField is a field of a type that names resources of another.
type namingField struct {
	w          *world
	typ, other *catalog.Bound
	naming     catalog.Naming
	field      string
	more       map[string]any // fields of what names
	n          int
}

// eachNaming runs a law in a world of its own for every field that names resources.
func eachNaming(t *testing.T, law func(t *testing.T, f *namingField)) {
	t.Helper()
	var tried atomic.Int64
	afterAll(t, func() {
		if tried.Load() < 15 {
			t.Errorf("only %d fields were tried", tried.Load())
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		for _, n := range typ.Namings {
			if n.Inside != "" {
				continue // an item of the parent is no resource
			}
			for _, field := range n.Fields {
				tried.Add(1)
				t.Run(field, func(t *testing.T) {
					w := newWorld(t)
					w.vars = map[string]string{"LAW_NAMED": called, "LAW_TYPO": canary + "-typo"}
					law(t, &namingField{w: w, typ: typ, other: w.cat.Kind(n.Kind), naming: n, field: field})
				})
			}
		}
	})
}

// The ways to write a name, and one that nothing has.
var (
	byVariable  = tagged{"env", "LAW_NAMED"}
	byReference = refTo{"giver", "name"}
	wrongEnv    = tagged{"env", "LAW_TYPO"}
	wrongRef    = refTo{"giver", "description"}
)

// scene declares the parent, with more fields, and one that gives values to others.
func (f *namingField) scene(more map[string]any) (s *scene, parent string) {
	s = newScene(f.w, f.typ)
	parent = s.minimalWith(f.typ.Parent, more)
	s.below = parent
	giver := f.w.cat.Kind("api").Root()
	s.lists[giver] = append(s.lists[giver], fmt.Sprintf("{ref: giver, name: %q, description: typo-of-the-name}", called))
	return s, parent
}

// declare is a configuration whose resource has values in the field, with or without
// the one that is named.
func (f *namingField) declare(t *testing.T, named bool, values ...any) string {
	t.Helper()
	s, parent := f.scene(nil)
	fields, ok := s.naming(f.field, parent, called)
	if !ok {
		t.Fatalf("no sample has %s", f.field)
	}
	for _, at := range value.Places(fields, value.ParsePath(f.field)) {
		if v, _ := value.Get(fields, at); value.Texts(v) == nil {
			continue
		} else if _, isList := v.([]any); isList {
			value.Set(fields, at, values)
		} else {
			value.Set(fields, at, values[0])
		}
	}
	maps.Copy(fields, f.more)
	s.add(f.typ, fields, parent)
	if named {
		s.addMinimal(f.other, parent, map[string]any{f.other.Identity[0]: called})
	}
	return s.text()
}

// try makes a plan, and returns what stands in its way.
func (f *namingField) try(t *testing.T, text string, mode plan.Mode, prune string) (*plan.Plan, diag.List) {
	t.Helper()
	walk, diags := f.w.walk(text)
	if diags.HasErrors() {
		return nil, diags
	}
	walk.Request.Mode, walk.Request.Prune = mode, prune
	more, err := walk.Read(context.Background())
	if diags = append(diags, more...); err != nil || diags.HasErrors() {
		return nil, diags
	}
	more, err = walk.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return walk.Plan, append(diags, more...)
}

func hasCode(diags diag.List, code diag.Code) bool {
	return slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == code && d.Severity == diag.Error })
}

// What a field names stays when it is no longer declared, however the field names it and
// whether the plan is about the resource that has the field or not. The plan says so.
// Where a name may come from elsewhere it goes, and the plan says what names it.
func TestNamedStays(t *testing.T) {
	eachNaming(t, func(t *testing.T, f *namingField) {
		f.w.run(f.w.plan(f.declare(t, true, called), plan.ModeSync))
		alone, _ := f.scene(map[string]any{f.other.Key: []any{}})
		for _, way := range []struct{ name, text, prune string }{
			{"by its name", f.declare(t, false, called), resource.PruneFull},
			{"by a variable", f.declare(t, false, byVariable), resource.PruneFull},
			{"by a reference", f.declare(t, false, byReference), resource.PruneFull},
			{"by what the plan is not about", alone.text(), resource.PruneDeclared},
		} {
			p, diags := f.try(t, way.text, plan.ModeSync, way.prune)
			if diags.HasErrors() {
				t.Fatalf("%s: %v", way.name, diags)
			}
			if f.other == f.typ && way.prune == resource.PruneDeclared {
				continue // it goes with what it names
			}
			goes := slices.ContainsFunc(p.Changes, func(c *plan.Change) bool { return c.Action == plan.Delete && c.ResourceName == called })
			says := "is not declared and stays, because the " + f.typ.Neutral().Words
			if f.naming.Open {
				says = "is deleted, and the " + f.typ.Neutral().Words
			}
			said := slices.ContainsFunc(p.Warnings, func(x plan.Warning) bool {
				return strings.Contains(x.Message, called) && strings.Contains(x.Message, says)
			})
			if goes != f.naming.Open || !said {
				t.Errorf("%s: it is deleted: %v; %+v", way.name, goes, p.Warnings)
			}
		}
	})
}

// What is deleted by itself while a field names it is reported, as with other uses.
func TestNamedIsInUse(t *testing.T) {
	eachNaming(t, func(t *testing.T, f *namingField) {
		f.w.run(f.w.plan(f.declare(t, true, called), plan.ModeSync))
		f.w.plan(f.declare(t, true, called), plan.ModeSync)
		above := f.typ.Parent
		at := slices.IndexFunc(f.w.set.Resources, func(r *resource.Resource) bool { return r.Type == above.Neutral() })
		s := newScene(f.w, f.typ)
		s.lists[above.Root()] = []string{fmt.Sprintf("{ref: above, _external: {id: %s}}", f.w.snap.Object(f.w.set.Resources[at]).ID)}
		s.addMinimal(f.other, "above", map[string]any{f.other.Identity[0]: called})
		p, diags := f.try(t, s.text(), plan.ModeDelete, "")
		if hasCode(diags, diag.LiveInUse) == f.naming.Open {
			t.Errorf("%v", diags)
		}
		if f.naming.Open && !slices.ContainsFunc(p.Warnings, func(x plan.Warning) bool { return strings.Contains(x.Message, "still names it in "+f.field) }) {
			t.Errorf("nothing is said of what names it: %+v", p.Warnings)
		}
	})
}

// A name that nothing has is an error before anything is written, also where a variable or another resource gives
// it, and the value of a variable is not shown. One that a declared resource has is not,
// and that resource is made first.
func TestNamedMustExist(t *testing.T) {
	eachNaming(t, func(t *testing.T, f *namingField) {
		for name, v := range map[string]any{"variable": byVariable, "reference": byReference} {
			p, diags := f.try(t, f.declare(t, true, v), plan.ModeApply, "")
			if diags.HasErrors() {
				t.Fatalf("%s: %v", name, diags)
			}
			isNamed := func(c *plan.Change) bool { return c.Fields[f.other.Identity[0]] == called }
			first := stepOf(t, p, f.other.Kind, isNamed)
			if then := stepOf(t, p, f.typ.Kind, func(c *plan.Change) bool { return !isNamed(c) }); first >= then {
				t.Errorf("%s: step %d is not before %d: %v", name, first, then, p.ExecutionGroups)
			}
		}
		if len(f.w.wire.writes) > 0 {
			t.Error("something was written")
		}
		f.w.run(f.w.plan(f.declare(t, true, called), plan.ModeSync))
		for name, text := range map[string]string{
			"name": f.declare(t, true, "nope"), "variable": f.declare(t, true, wrongEnv), "reference": f.declare(t, true, wrongRef),
			"name alone": f.declare(t, false, "nope"), "variable alone": f.declare(t, false, wrongEnv),
		} {
			_, diags := f.try(t, text, plan.ModeSync, resource.PruneFull)
			placed := slices.ContainsFunc(diags, func(d diag.Diagnostic) bool {
				return d.Code == diag.RefUnknown && d.Severity == diag.Error && d.Pos.Line > 0
			})
			if placed == f.naming.Open || strings.Contains(fmt.Sprint(diags), canary) {
				t.Errorf("%s: %v", name, diags)
			}
		}
	})
}

// A list has no name twice, however it is written.
func TestNamedOnce(t *testing.T) {
	eachNaming(t, func(t *testing.T, f *namingField) {
		if s := f.typ.Write().At(strings.Split(f.field, "."), nil); s == nil || s.Item() == nil {
			return // one name
		}
		twins := []any{called, byVariable, byReference}
		if ref, ok := f.refOfNamed(t); ok {
			twins = append(twins, ref, refTo{ref: ref}, refTo{ref, f.other.Identity[0]})
		}
		for _, v := range twins {
			if _, diags := f.try(t, f.declare(t, true, called, v), plan.ModeSync, resource.PruneFull); !hasCode(diags, diag.ValItems) {
				t.Errorf("%v: %v", v, diags)
			}
		}
		if _, diags := f.try(t, f.declare(t, true, called), plan.ModeSync, resource.PruneFull); diags.HasErrors() {
			t.Errorf("once: %v", diags)
		}
	})
}

// An export makes up no ref that a name in a field means: neither that of another
// resource, nor one that comes from elsewhere.
func TestExportedRefIsNoName(t *testing.T) {
	eachNaming(t, func(t *testing.T, f *namingField) {
		if use := f.w.cat.Types().NamedBy(f.other.Kind)[0]; use.By != f.typ.Neutral() || use.Field != f.field {
			return // one field for each type that is named; export.TestRefsAreNoNames has all
		}
		declare := func(name string) string {
			s, parent := f.scene(nil)
			s.addMinimal(f.other, parent, map[string]any{f.other.Identity[0]: "one"})
			if name == "" {
				return s.text()
			}
			fields, ok := s.naming(f.field, parent, name)
			if !ok {
				t.Fatalf("no sample has %s", f.field)
			}
			if !f.naming.Open {
				s.addMinimal(f.other, parent, map[string]any{f.other.Identity[0]: name})
			}
			s.add(f.typ, fields, parent)
			return s.text()
		}
		f.w.run(f.w.plan(declare(""), plan.ModeSync))
		set, _ := f.w.load(exported(t, f.w, export.WriteOptions{}))
		at := slices.IndexFunc(set.Resources, func(r *resource.Resource) bool { return r.Type == f.other.Neutral() && r.Name == "one" })
		f.w.run(f.w.plan(declare(set.Resources[at].Ref), plan.ModeSync))
		for _, o := range []export.WriteOptions{{}, {ByID: true}} {
			text := exported(t, f.w, o)
			f.w.settled(text, plan.ModeSync)
			set, _ := f.w.load(text)
			for _, r := range set.Resources {
				for _, x := range set.Resources {
					if r != x && r.Type == x.Type && r.Parent == x.Parent && r.Ref == x.Name {
						t.Errorf("the ref of %s is the name of %s", r.Name, x.Name)
					}
				}
			}
		}
	})
}

// refOfNamed is the ref of the resource that declare makes; false where it is made later.
func (f *namingField) refOfNamed(t *testing.T) (string, bool) {
	t.Helper()
	s, parent := f.scene(nil)
	if _, ok := s.naming(f.field, parent, called); !ok {
		t.Fatalf("no sample has %s", f.field)
	}
	return strings.ReplaceAll(f.other.Kind, "_", "-") + "-" + fmt.Sprint(len(s.lists[f.other.Root()])), f.other != f.typ
}

// What is declared may be named by a reference, which means the name, or by its id:
// nothing is wrong with that, and nothing stays because of it.
func TestNamedByID(t *testing.T) {
	eachNaming(t, func(t *testing.T, f *namingField) {
		if f.naming.Open {
			return // any text is a name
		}
		f.w.run(f.w.plan(f.declare(t, true, called), plan.ModeSync))
		f.w.settled(f.declare(t, true, called), plan.ModeSync)
		if ref, ok := f.refOfNamed(t); ok {
			f.w.settled(f.declare(t, true, refTo{ref: ref}), plan.ModeSync)
		}
		var id string
		for _, x := range f.w.snap.Objects(f.other.Neutral()) {
			if x.Object.Fields[f.other.Identity[0]] == called {
				id = x.Object.ID
			}
		}
		text := f.declare(t, true, id)
		p, diags := f.try(t, text, plan.ModeSync, resource.PruneFull)
		if len(diags) > 0 || slices.ContainsFunc(p.Warnings, func(x plan.Warning) bool { return strings.Contains(x.Message, called) }) {
			t.Fatalf("%v; %+v", diags, p.Warnings)
		}
		f.w.run(p)
		f.w.settled(text, plan.ModeSync)
	})
}
