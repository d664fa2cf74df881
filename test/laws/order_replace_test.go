package laws

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// inLine is how many resources stand in a line, in which each of them is replaced.
const inLine = 3

// line is resources of an ordered type, and a change by which one of them is replaced.
type line struct {
	way     string
	was, is *scene
	refs    []string
	renamed [2]string // the names of a resource before and after, "" where none changes
	partial bool      // the order is written, without the resource
}

// newLine adds resources in a line; of the one at a place the caller adds what it needs.
func newLine(w *world, t *catalog.Bound, at int, subject func(s *scene) string) *line {
	s := newScene(w, t)
	s.below = s.parent(t)
	out := &line{was: s}
	for i := range inLine {
		s.at = &making{t, s.below}
		if i == at {
			out.refs = append(out.refs, subject(s))
			continue
		}
		s.n++
		out.refs = append(out.refs, s.add(t, sampler{t: t, n: s.n, refs: s.reference}.sample(nil), s.below))
	}
	return out
}

// instead is a copy of the scene in which a resource is declared otherwise.
func (s *scene) instead(t *catalog.Bound, ref string, fields map[string]any) *scene {
	out, one := s.copied(), newScene(s.w, s.t)
	at := slices.IndexFunc(out.lists[t.Root()], func(line string) bool { return strings.Contains(line, fmt.Sprintf("\"ref\": %q", ref)) })
	one.lists[t.Root()] = out.lists[t.Root()][:at:at]
	one.add(t, fields, s.above[ref])
	out.lists[t.Root()][at] = one.lists[t.Root()][at]
	return out
}

// dropped is the text of a scene without some resources.
func (s *scene) dropped(t *catalog.Bound, refs ...string) string {
	out := s.copied()
	for _, ref := range refs {
		out.lists[t.Root()] = slices.DeleteFunc(out.lists[t.Root()], func(line string) bool { return strings.Contains(line, fmt.Sprintf("\"ref\": %q", ref)) })
	}
	return out.text()
}

// leading is a feature of a type that leads to a field; nil where none does.
func leading(t *catalog.Bound, field string) feature {
	for _, f := range allFeatures(t) {
		if f.leadsTo(value.ParsePath(field)) {
			return f
		}
	}
	return nil
}

// through are the lines in which a resource is replaced for what it refers to.
func through(w *world, t *catalog.Bound, at int) []*line {
	var out []*line
	for _, r := range t.References {
		k, f := w.cat.Kind(r.Kind), leading(t, r.Field)
		if f == nil || k == t || k.ReadOnly {
			continue
		}
		var used string
		var n int
		x := newLine(w, t, at, func(s *scene) string {
			above := s.owner(k)
			s.n++
			n = s.n
			used = s.add(k, sampler{t: k, n: n, refs: s.reference}.sample(nil), above)
			s.made[k.Kind+" "+above] = used
			s.n++
			return s.add(t, sampler{t: t, n: s.n, refs: s.reference}.sample(f), s.below)
		})
		was := sampler{t: k, n: n, refs: x.was.reference}.sample(nil)
		for _, f := range allFeatures(k) {
			now := sampler{t: k, n: n, refs: x.was.reference}.sample(f)
			if !diff.Compare(k, now, was, diff.Merge).Replace() || !sameIdentity(k, now, was) {
				continue
			}
			x.way, x.is = r.Field, x.was.instead(k, used, now)
			if !w.try(x.is.text()).HasErrors() {
				out = append(out, x)
				break
			}
		}
	}
	return out
}

// beneath are the lines in which a resource that lies below another one is replaced: it
// is laid below a third one, or the other one gets another name.
func beneath(w *world, t *catalog.Bound, at int) []*line {
	field := catalog.Beneath(t)
	if field == "" {
		return nil
	}
	var own, up, other string
	var fields, upper map[string]any
	below := func() *line {
		return newLine(w, t, at, func(s *scene) string {
			s.n++
			fields = sampler{t: t, n: s.n, refs: s.reference}.sample(leading(t, field))
			up = fields[field].(refTo).ref
			upper = sampler{t: t, n: s.n, refs: s.reference}.sample(nil)
			third := maps.Clone(upper)
			third[t.Identity[0]] = "third"
			other = s.add(t, third, s.below)
			own = s.add(t, fields, s.below)
			return own
		})
	}
	moved := below()
	lower := maps.Clone(fields)
	lower[field] = refTo{ref: other}
	moved.way, moved.is = field, moved.was.instead(t, own, lower)
	renamed := below()
	named := maps.Clone(upper)
	named[t.Identity[0]] = "renamed"
	renamed.renamed[0], _ = upper[t.Identity[0]].(string)
	renamed.renamed[1] = "renamed"
	renamed.way, renamed.is = "the name of "+field, renamed.was.instead(t, up, named)
	return []*line{moved, renamed}
}

// written is the line with its order written, with the resource at a place or without it.
func (x *line) written(t *catalog.Bound, at int, partial bool) *line {
	out := *x
	out.partial, out.way = partial, fmt.Sprintf("%s, written (but for itself: %v)", x.way, partial)
	for _, s := range []**scene{&out.was, &out.is} {
		list := []any{}
		for i := range (*s).lists[t.Root()] {
			if ref := fmt.Sprintf("%s-%d", strings.ReplaceAll(t.Kind, "_", "-"), i); !partial || ref != x.refs[at] {
				list = append(list, refTo{ref: ref})
			}
		}
		*s = (*s).copied()
		chain := catalog.OrderOf(t)
		(*s).add(chain, map[string]any{catalog.OrderField(chain): list}, (*s).below)
	}
	return &out
}

// after is the order that a change leads to: a resource that is replaced has the place
// that it had, and so has one with another name. With apply the former one stays, last.
func (x *line) after(before []string, mode plan.Mode) []string {
	out := slices.Clone(before)
	if at := slices.Index(out, x.renamed[0]); at >= 0 {
		out[at] = x.renamed[1]
		if mode == plan.ModeApply {
			out = append(out, x.renamed[0])
		}
	}
	return out
}

// inOrder are the names of the resources of a type below the same parent, in their
// order.
func (w *world) inOrder(t *catalog.Bound) []string {
	w.t.Helper()
	at := slices.IndexFunc(w.set.Resources, func(r *resource.Resource) bool { return r.Type.Kind == t.Kind })
	above, _ := w.snap.Ancestors(w.set.Resources[at])
	chain := catalog.OrderOf(t)
	order, err := w.target.Read(context.Background(), remote.Scope{Type: chain, Ancestors: above}, "")
	if err != nil {
		w.t.Fatal(err)
	}
	objects, err := w.target.List(context.Background(), remote.Scope{Type: t, Ancestors: above})
	if err != nil {
		w.t.Fatal(err)
	}
	names := map[string]string{}
	for _, o := range objects {
		names[o.ID], _ = o.Fields[t.Identity[0]].(string)
	}
	var out []string
	for _, id := range value.TextsAt(order.Fields, value.ParsePath(catalog.OrderField(chain))) {
		out = append(out, names[id])
	}
	return out
}

// What has a place in an order has it again when it is replaced, with sync and with
// apply; with apply, so has what nobody declares.
func TestReplacedKeepsItsPlace(t *testing.T) {
	var tried tally
	afterAll(t, func() {
		t.Logf("%s", &tried)
		if all, ways := tried.sum(); ways < 4 || all < 30 {
			t.Error("too few were tried")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		if catalog.OrderOf(typ) == nil {
			return
		}
		for at := range inLine {
			w := newWorld(t)
			typ := w.cat.Kind(typ.Kind)
			for _, x := range slices.Concat(through(w, typ, at), beneath(w, typ, at)) {
				for _, mode := range []plan.Mode{plan.ModeSync, plan.ModeApply} {
					x.replace(t, mode, &tried)
					x.written(typ, at, false).replace(t, mode, &tried)
					x.written(typ, at, true).replace(t, mode, &tried)
				}
				if x.renamed[0] != "" {
					continue
				}
				others := slices.Delete(slices.Clone(x.refs), at, at+1)
				x.replace(t, plan.ModeApply, &tried, others...)
				for _, left := range others {
					x.replace(t, plan.ModeApply, &tried, left)
				}
			}
		}
	})
}

// replace carries a line out in a world of its own, with resources beside it that are
// not declared any more, or none.
func (x *line) replace(t *testing.T, mode plan.Mode, tried *tally, left ...string) {
	t.Helper()
	w := newWorld(t)
	typ := w.cat.Kind(x.was.t.Kind)
	is := x.is.text()
	if w.try(is).HasErrors() {
		return // the one that it lies below would come after it
	}
	if len(left) > 0 {
		is = x.is.dropped(typ, left...)
	}
	w.run(w.plan(x.was.text(), plan.ModeSync))
	w.plan(x.was.text(), plan.ModeSync)
	want := x.after(w.inOrder(typ), mode)
	p := w.plan(is, mode, refs(x.is)...)
	if !slices.ContainsFunc(p.Changes, func(c *plan.Change) bool { return c.Replace && c.ResourceType == typ.Kind }) {
		return // it is led to what is created again
	}
	tried.add(typ.Kind+" "+x.way, 1)
	w.due(p)
	w.run(p)
	w.settled(is, mode)
	if have := w.inOrder(typ); !slices.Equal(have, want) && !x.partial {
		t.Errorf("%s, %s, without %q: the order is %v and must be %v", x.way, mode, left, have, want)
	}
}
