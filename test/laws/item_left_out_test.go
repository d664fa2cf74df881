package laws

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// itemFields lead to what an item of a list may have.
func itemFields(t *catalog.Bound) []feature {
	var out []feature
	for _, f := range allFeatures(t) {
		last, schema := len(f)-1, t.Write().At(f.path().Generic(), nil)
		if inList(f) && schema != nil && !schema.Secret && (f[last].field != "" || f[last].leaf && f[last].value != nil) {
			out = append(out, f)
		}
	}
	return spread(out, 3*maxFeatures)
}

// without is a sample without what a feature leads to; false where it has none.
func without(sample map[string]any, f feature) (map[string]any, []value.Path) {
	out, _ := value.Clone(sample).(map[string]any)
	var at []value.Path
	for _, p := range value.Places(out, f.path()) {
		if v, ok := value.Get(out, p); ok && v != nil {
			at = append(at, p)
			value.Delete(out, p)
		}
	}
	return out, at
}

// joined is one sample with what another one has besides, item by item.
func joined(a, b any) any {
	switch x := a.(type) {
	case map[string]any:
		y, _ := b.(map[string]any)
		out := maps.Clone(x)
		for k, v := range y {
			if have, ok := out[k]; ok {
				v = joined(have, v)
			}
			out[k] = v
		}
		return out
	case []any:
		y, _ := b.([]any)
		out := slices.Clone(x)
		for i := range min(len(x), len(y)) {
			out[i] = joined(x[i], y[i])
		}
		return out
	default:
		return a
	}
}

// differing are the places at which two live values differ, also in lists.
func differing(at value.Path, a, b any) []value.Path {
	var out []value.Path
	x, ok1 := a.([]any)
	y, ok2 := b.([]any)
	if ok1 && ok2 && len(x) == len(y) {
		for i := range x {
			out = append(out, differing(at.Index(i), x[i], y[i])...)
		}
		return out
	}
	for _, p := range unlike(at, a, b) {
		v, _ := value.Get(a, p[len(at):])
		w, _ := value.Get(b, p[len(at):])
		_, list := v.([]any)
		_, both := w.([]any)
		if list && both && len(p) > len(at) {
			out = append(out, differing(p, v, w)...)
		} else {
			out = append(out, p)
		}
	}
	return out
}

// unnamedIn are the places at which a resource has another value after a plan, though no
// field of its change says so.
func unnamedIn(p *plan.Plan, ref string, before, after map[string]any) []value.Path {
	var out []value.Path
	for _, at := range differing(nil, before, after) {
		said := false
		for _, c := range p.Changes {
			for _, x := range c.FieldChanges {
				field := value.ParsePath(x.Field)
				if c.ResourceRef != ref || !at.HasPrefix(field) {
					continue
				}
				said = said || unequal(x.CurrentValue, x.DesiredValue, at[len(field):])
			}
		}
		if !said {
			out = append(out, at)
		}
	}
	return out
}

// unequal reports whether two values differ at a place, or in whether there is what the
// place is in: what is new has defaults, too.
func unequal(a, b any, at value.Path) bool {
	for n := range len(at) + 1 {
		was, had := value.Get(a, at[:n])
		is, has := value.Get(b, at[:n])
		if n == len(at) || (had && was != nil) != (has && is != nil) {
			return !value.Equal(was, is)
		}
	}
	return false
}

// An item of a list keeps what a declaration does not say of it, in apply, whatever else
// changes; in sync it goes, and the plan says so. What an update changes is named among
// its fields, and nothing else changes.
func TestItemFieldsLeftOut(t *testing.T) {
	var tried, several, changed, nulls atomic.Int64
	afterAll(t, func() {
		t.Logf("%d fields of items were left out, %d of several items, beside %d changes; %d were null", tried.Load(), several.Load(), changed.Load(), nulls.Load())
		if tried.Load() < 150 || several.Load() < 100 || changed.Load() < 300 || nulls.Load() < 100 {
			t.Error("too few were tried")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		if typ.Update == nil {
			return
		}
		list := itemFields(typ)
		for i, f := range list {
			w := newWorld(t)
			l := &leaving{w: w, scene: newScene(w, w.cat.Kind(typ.Kind))}
			if l.start(f) {
				tried.Add(1)
				if len(l.at) > 1 {
					several.Add(1)
				}
				changed.Add(l.applied(t, list[(i+1)%len(list)]))
				l.synced(t)
				if l.nulled(t) {
					nulls.Add(1)
				}
			}
		}
	})
}

// leaving is a resource with a field of an item that is no longer declared.
type leaving struct {
	w     *world
	scene *scene
	ref   string
	// with and left are its declarations with and without it, at are its places.
	with, left map[string]any
	at         []value.Path
	feature    feature
	before     map[string]any
}

// start brings about what has the field; false where it must have it.
func (l *leaving) start(f feature) bool {
	s := l.scene
	if s.t.Parent != nil {
		s.below = s.parent(s.t)
	}
	s.n++
	l.with = s.sampled(s.t, s.below, f)
	s.known(l.with)
	if two := doubled(s.t, l.with, f); two != nil && !l.w.try(l.text(two)).HasErrors() {
		l.with = two
	}
	l.left, l.at = without(l.with, f)
	l.feature = f
	if len(l.at) == 0 || l.w.try(l.text(l.with)).HasErrors() || l.w.try(l.text(l.left)).HasErrors() {
		return false
	}
	l.w.run(l.w.plan(l.text(l.with), plan.ModeSync))
	l.before = l.live(l.with)
	return slices.ContainsFunc(l.at, func(p value.Path) bool { v, _ := value.Get(l.before, p); return !value.Empty(v) })
}

// doubled is a sample with a second item in the list that a feature leads into; nil where
// nothing would tell the two apart.
func doubled(t *catalog.Bound, sample map[string]any, f feature) map[string]any {
	p := f[:slices.IndexFunc(f, func(s step) bool { return s.item })].path()
	out, _ := value.Clone(sample).(map[string]any)
	found, _ := value.Get(out, p)
	list, _ := found.([]any)
	s := t.Write().At(p.Generic(), sample)
	if len(list) != 1 || s == nil || s.Item() == nil {
		return nil
	}
	for _, k := range catalog.KnownBy(s.Item().Object(nil)) {
		item, _ := value.Clone(list[0]).(map[string]any)
		if text, isText := item[k].(string); isText {
			item[k] = text + "2"
			value.Set(out, p, append(list, item))
			return out
		}
	}
	return nil
}

// second is the second item of the first list that a path leads through.
func second(at value.Path) value.Path {
	for i, key := range at {
		if n, isItem := value.Place(key); isItem {
			return at[:i].Index(max(1, n))
		}
	}
	return at
}

// text is a configuration with the resource.
func (l *leaving) text(fields map[string]any) string {
	is := &scene{w: l.w, t: l.scene.t, lists: maps.Clone(l.scene.lists), below: l.scene.below}
	l.ref = is.add(is.t, fields, is.below)
	return is.text()
}

// live is what exists of it.
func (l *leaving) live(fields map[string]any) map[string]any {
	l.w.plan(l.text(fields), plan.ModeApply, l.ref)
	return l.w.current(l.ref)
}

// bring changes what exists into a declaration, and fails where something changes that
// the plan does not name.
func (l *leaving) bring(t *testing.T, what string, fields map[string]any, mode plan.Mode) (*plan.Plan, map[string]any) {
	t.Helper()
	p := l.w.plan(l.text(fields), mode, l.ref)
	l.w.run(p)
	after := l.live(fields)
	if !slices.ContainsFunc(p.Changes, func(c *plan.Change) bool { return c.ResourceRef == l.ref && c.Action != plan.Update }) {
		for _, at := range unnamedIn(p, l.ref, l.before, after) {
			was, _ := value.Get(l.before, at)
			is, _ := value.Get(after, at)
			if !computed(l.scene.t, at) {
				t.Errorf("%s (%s, %s without %v): %s was %v and is %v, and the plan names %v", l.scene.t.Kind, what, mode, l.at, at, was, is, p.Changes[0].FieldChanges)
			}
		}
	}
	return p, after
}

// computed reports whether what a field has is not for a declaration to say: Konnect
// alone says it, or a mark does.
func computed(t *catalog.Bound, at value.Path) bool {
	s := t.Write().At(at.Generic(), nil)
	return s == nil || s.ReadOnly || s.Secret || strings.HasPrefix(at.String(), "labels.KONGCTL-")
}

// applied declares the resource without the field, alone and beside changes, of which it
// returns the number.
func (l *leaving) applied(t *testing.T, more feature) (changed int64) {
	t.Helper()
	next, _ := other(l.scene.t, l.left, false)
	beside, _ := joined(l.left, l.scene.sampled(l.scene.t, l.scene.below, more)).(map[string]any)
	for _, p := range l.at {
		value.Delete(beside, p)
	}
	for _, way := range []struct {
		name   string
		fields map[string]any
	}{{"nothing else", l.left}, {"other texts", next}, {"another part", beside}} {
		if l.w.try(l.text(way.fields)).HasErrors() {
			continue
		}
		p, after := l.bring(t, way.name, way.fields, plan.ModeApply)
		l.left = way.fields
		of := slices.IndexFunc(p.Changes, func(c *plan.Change) bool { return c.ResourceRef == l.ref })
		if of >= 0 {
			changed++
		}
		for _, at := range l.at {
			was, _ := value.Get(l.before, at)
			is, _ := value.Get(after, at)
			if !value.Equal(was, is) && (way.name != "another part" || at.HasPrefix(second(at))) { // the first item may be another one
				t.Errorf("%s (%s): %s was %v and is %v", l.scene.t.Kind, way.name, at, was, is)
			}
		}
		if way.name == "nothing else" && of >= 0 {
			t.Errorf("%s: without %v it is changed: %+v", l.scene.t.Kind, l.at, p.Changes[of].FieldChanges)
		}
		l.before = after
	}
	return changed
}

// synced declares the whole: the field has what it has without a declaration.
func (l *leaving) synced(t *testing.T) {
	t.Helper()
	text := l.text(l.left)
	p, after := l.bring(t, "sync", l.left, plan.ModeSync)
	l.w.settled(text, plan.ModeSync)
	l.gone(t, p, after)
}

// nulled declares it again, and then says null, with apply: false where it cannot say so.
func (l *leaving) nulled(t *testing.T) bool {
	t.Helper()
	fields, _ := value.Clone(l.left).(map[string]any)
	for _, at := range l.at {
		value.Set(fields, at, nil)
	}
	if l.w.try(l.text(fields)).HasErrors() || l.w.try(l.text(l.with)).HasErrors() {
		return false
	}
	_, l.before = l.bring(t, "again", l.with, plan.ModeSync)
	l.left, _ = without(l.with, l.feature)
	p, after := l.bring(t, "null", fields, plan.ModeApply)
	l.gone(t, p, after)
	l.w.settled(l.text(fields), plan.ModeApply)
	return true
}

// gone fails unless the field has what it has without a declaration.
func (l *leaving) gone(t *testing.T, p *plan.Plan, after map[string]any) {
	t.Helper()
	text := l.text(l.left)
	fresh := newWorld(t)
	fresh.run(fresh.plan(text, plan.ModeSync))
	fresh.plan(text, plan.ModeSync)
	for _, at := range l.at {
		is, _ := value.Get(after, at)
		want, _ := value.Get(fresh.current(l.ref), at)
		if !value.Equal(is, want) && (!value.Empty(is) || !value.Empty(want)) && !keeps(p, l.scene.t.Kind, l.ref, at) && !unset(l.scene.t, at, after, fresh.current(l.ref)) {
			t.Errorf("%s: after a %s without it, %s is %v and must be %v", l.scene.t.Kind, p.Metadata.Mode, at, is, want)
		}
	}
}
