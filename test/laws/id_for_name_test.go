package laws

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/plan"
)

// A field of names may also have an id. What stands for the same thing is no change,
// whichever of the two exists and whichever is declared, and whatever else is changed.
func TestIDForNameIsNoChange(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		t.Logf("%d ways", tried.Load())
		if tried.Load() < 50 {
			t.Error("too few were tried")
		}
	})
	eachNaming(t, func(t *testing.T, f *namingField) {
		if f.naming.Open {
			return // an id is a name of its own there
		}
		ref, hasRef := f.refOfNamed(t)
		stays := func(is string, named bool, values ...any) {
			t.Helper()
			for _, v := range values {
				for _, mode := range []plan.Mode{plan.ModeApply, plan.ModeSync} {
					if mode == plan.ModeSync && !named {
						continue // what is not declared may go
					}
					tried.Add(1)
					for _, c := range f.w.plan(f.declare(t, named, v), mode).Changes {
						t.Errorf("%s is there, and %v is declared (%s, with what it is: %v): %s %v", is, v, mode, named, c.ID, c.FieldChanges)
					}
					f.changed(t, named, v, mode)
				}
			}
		}
		f.w.run(f.w.plan(f.declare(t, true, called), plan.ModeSync))
		f.w.settled(f.declare(t, true, called), plan.ModeSync)
		id := f.idOfNamed()
		stays("the name", true, id)
		stays("the name", false, id)

		f.w = newWorld(t)
		f.w.vars = map[string]string{"LAW_NAMED": called}
		s, parent := f.scene(nil)
		s.addMinimal(f.other, parent, map[string]any{f.other.Identity[0]: called})
		f.w.run(f.w.plan(s.text(), plan.ModeSync))
		f.w.plan(s.text(), plan.ModeSync)
		id = f.idOfNamed()
		f.w.run(f.w.plan(f.declare(t, true, id), plan.ModeSync))
		stays("the id", true, id, called, byVariable)
		stays("the id", false, called)
		if hasRef {
			stays("the id", true, ref, refTo{ref: ref})
		}
	})
}

// changed fails unless a change of another field shows that one alone, and can be carried
// out.
func (f *namingField) changed(t *testing.T, named bool, v any, mode plan.Mode) {
	t.Helper()
	const other = "display_name"
	if f.typ.Write().At([]string{other}, nil) == nil {
		return
	}
	f.n++
	f.more = map[string]any{other: fmt.Sprint("Another ", f.n)} // from now on
	p := f.w.plan(f.declare(t, named, v), mode)
	for _, c := range p.Changes {
		if _, shown := c.ChangedFields[other]; !shown || len(c.ChangedFields) > 1 {
			t.Errorf("%v is declared (%s, with what it is: %v): %s %v", v, mode, named, c.ID, c.FieldChanges)
		}
	}
	if len(p.Changes) == 0 {
		t.Error("nothing changes")
	}
	f.w.run(p)
}
