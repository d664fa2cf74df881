package laws

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

// usage is a configuration in which one resource refers to another by a field.
type usage struct {
	s         *scene
	use       resource.Use
	user      map[string]any // its fields
	used      string         // the other's ref
	parent    string
	usedAt, n int // where the other stands in its list, and the number that names it
}

// newUsage declares a resource of the type that refers to another by the field;
// false where no value of the type can.
func newUsage(w *world, use resource.Use) (*usage, bool) {
	target := w.cat.Kind(use.Kind)
	u := &usage{s: newScene(w, catalog.OfType(use.By)), use: use}
	u.used = u.s.minimal(target)
	u.usedAt, u.n = len(u.s.lists[target.Root()])-1, u.s.n
	if use.By.Parent != nil {
		u.parent = u.beside(catalog.OfType(use.By), target)
		u.s.below = u.parent
	}
	p := value.ParsePath(use.Field)
	for _, f := range allFeatures(catalog.OfType(use.By)) {
		if !strings.HasPrefix(f.path().String()+".", use.Field+".") && use.Field != use.By.KeyField {
			continue
		}
		u.s.n++
		u.user = sampler{t: catalog.OfType(use.By), n: u.s.n, refs: func(kind string) any {
			if kind == use.Kind {
				return refTo{ref: u.used}
			}
			return u.s.reference(kind)
		}}.sample(f)
		if len(value.Places(u.user, p)) > 0 && !w.try(u.text(u.user, true)).HasErrors() {
			return u, true
		}
	}
	return nil, false
}

// beside is a parent for the user: below what it must share with what it uses.
func (u *usage) beside(by, target *catalog.Bound) string {
	shared := catalog.Shared(by, target)
	if shared == nil {
		return u.s.parent(by)
	}
	above := u.s.above[u.used]
	for up := target.Parent; up != shared; up = up.Parent {
		above = u.s.above[above]
	}
	var parent func(t *catalog.Bound) string
	parent = func(t *catalog.Bound) string {
		if t.Parent == shared {
			return above
		}
		return u.s.addMinimal(t.Parent, parent(t.Parent), t.Under)
	}
	return parent(by)
}

// text is the configuration with the user as given, nil for none, and with or
// without what it uses.
func (u *usage) text(user map[string]any, used bool) string {
	s := newScene(u.s.w, u.s.t)
	for key, items := range u.s.lists {
		s.lists[key] = slices.Clone(items)
	}
	if !used {
		root := u.s.w.cat.Kind(u.use.Kind).Root()
		s.lists[root] = slices.Delete(s.lists[root], u.usedAt, u.usedAt+1)
	}
	if user != nil {
		s.add(catalog.OfType(u.use.By), user, u.parent)
	}
	return s.text()
}

// released is the user without the field; with another value of it where one
// is given; nil where it cannot be without.
func (u *usage) released(v any) map[string]any {
	p := value.ParsePath(u.use.Field)
	if u.use.By.IsIdentity(p) || u.use.By.Immutable(p) {
		return nil
	}
	out, _ := value.Clone(u.user).(map[string]any)
	p = value.Listed(out, p) // with the items that it stands in
	value.Delete(out, p)
	if v != nil {
		value.Set(out, p, v)
	}
	if u.s.w.try(u.text(out, false)).HasErrors() {
		return nil
	}
	return out
}

// around are the users without an object that the field stands in: not written,
// written with nothing in it, and written as none.
func (u *usage) around() map[string]map[string]any {
	p := value.ParsePath(u.use.Field)
	out := map[string]map[string]any{}
	if u.use.By.IsIdentity(p) || u.use.By.Immutable(p) {
		return out
	}
	at := value.Listed(u.user, p)
	for n := 1; n < len(at); n++ {
		for way, x := range map[string]any{"not written": nil, "empty": map[string]any{}, "null": nil} {
			user, _ := value.Clone(u.user).(map[string]any)
			if value.Delete(user, at[:n]); way != "not written" {
				value.Set(user, at[:n], x)
			}
			if !u.s.w.try(u.text(user, false)).HasErrors() {
				out[at[:n].String()+" "+way] = user
			}
		}
	}
	return out
}

// other is the configuration in which what is used must be created again; false
// where nothing about it is immutable.
func (u *usage) other() (string, bool) {
	target := u.s.w.cat.Kind(u.use.Kind)
	root := target.Root()
	if target.ReadOnly || target.Shape != catalog.Collection {
		return "", false
	}
	was := sampler{t: target, n: u.n, refs: u.s.reference}.sample(nil)
	before := u.s.lists[root]
	defer func() { u.s.lists[root] = before }()
	var others []map[string]any
	for _, f := range features(target) {
		others = append(others, sampler{t: target, n: u.n, refs: u.s.reference}.sample(f))
	}
	for _, now := range slices.Concat(others, shorter(was), retold(target, was)) {
		if !diff.Compare(target, now, was, diff.Merge).Replace() {
			continue
		}
		doc, _ := value.Clone(now).(map[string]any)
		doc["ref"] = u.used
		if target.Parent != nil {
			doc[target.ParentKeys()[0]] = u.s.above[u.used]
		}
		if held(u.s.t, target) {
			doc["kongctl"] = map[string]any{"namespace": "held"}
		}
		var b strings.Builder
		write(&b, doc)
		u.s.lists[root] = slices.Clone(before)
		u.s.lists[root][u.usedAt] = b.String()
		if text := u.text(u.user, true); !u.s.w.try(text).HasErrors() {
			return text, true
		}
	}
	return "", false
}

// retold are the values with another text in one of the fields that only a new resource
// can have.
func retold(t *catalog.Bound, fields map[string]any) []map[string]any {
	var out []map[string]any
	for _, k := range slices.Sorted(maps.Keys(fields)) {
		text, ok := fields[k].(string)
		if _, refers := t.Reference([]string{k}); !ok || refers || t.IsIdentity([]string{k}) || !t.Immutable([]string{k}) {
			continue
		}
		other := maps.Clone(fields)
		other[k] = text + "2"
		out = append(out, other)
	}
	return out
}

// shorter are the values with an item less in one of their lists.
func shorter(fields map[string]any) []map[string]any {
	var out []map[string]any
	for _, k := range slices.Sorted(maps.Keys(fields)) {
		if list, _ := fields[k].([]any); len(list) > 1 {
			less, _ := value.Clone(fields).(map[string]any)
			less[k] = list[:len(list)-1]
			out = append(out, less)
		}
	}
	return out
}

// external is the type of something below what is used that others own and the
// user refers to by its id, and that id; nil where it refers to no such thing.
func (u *usage) external() (*catalog.Bound, string) {
	for _, r := range u.use.By.References {
		t := u.s.w.cat.Kind(r.Kind)
		v, _ := value.Get(u.user, value.ParsePath(r.Field))
		if id, _ := v.(string); t != nil && t.ReadOnly && t.Parent == u.s.w.cat.Kind(u.use.Kind) && id != "" {
			return t, id
		}
	}
	return nil, ""
}

// make makes something below what is used, by hand.
func (u *usage) make(t *catalog.Bound, id string) {
	w := u.s.w
	at := slices.IndexFunc(w.set.Resources, func(r *resource.Resource) bool { return r.Ref == u.used })
	above := w.snap.Object(w.set.Resources[at]).ID
	if got := w.post(regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(t.Path, above), map[string]any{"id": id, "name": "theirs", "host": "theirs.example.com"}); got != id {
		w.t.Fatalf("%s was made with the id %s, not %s", t.Kind, got, id)
	}
}

// eachUse runs a law in a world of its own for every reference of every type.
func eachUse(t *testing.T, law func(t *testing.T, u *usage)) {
	t.Helper()
	t.Parallel()
	cat := testkit.Catalog(t)
	for _, target := range writable(cat) {
		for _, use := range cat.Types().Uses(target.Kind) {
			t.Run(use.By.Kind+" "+use.Field, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				use.By = w.cat.Kind(use.By.Kind).Neutral()
				u, ok := newUsage(w, use)
				if !ok {
					t.Fatal("no value of the type has this reference")
				}
				law(t, u)
			})
		}
	}
}

// What is removed together with its use goes, and nothing is left to do.
func TestUseIsDroppedBeforeWhatItUses(t *testing.T) {
	var dropped atomic.Int64
	afterAll(t, func() {
		if dropped.Load() == 0 {
			t.Error("no use was dropped: the law was not tried")
		}
	})
	eachUse(t, func(t *testing.T, u *usage) {
		w := u.s.w
		ways := map[string]map[string]any{"with its user": nil}
		if user := u.released(nil); user != nil {
			ways["not written any more"] = user
		}
		if _, isList := must(value.Get(u.user, value.Listed(u.user, value.ParsePath(u.use.Field)))).([]any); isList {
			if user := u.released([]any{}); user != nil {
				ways["written as none"] = user
			}
		}
		maps.Copy(ways, u.around())
		for _, name := range slices.Sorted(maps.Keys(ways)) {
			user := ways[name]
			t.Run(name, func(t *testing.T) {
				w.t = t
				w.run(w.plan(u.text(u.user, true), plan.ModeSync))
				after := u.text(user, false)
				if user == nil && u.use.By.Fixed { // it stays, and uses it
					_, diags := w.tryPlan(after, "")
					if !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.LiveInUse }) {
						t.Errorf("what uses it stays and is not reported: %v", diags)
					}
					return
				}
				w.run(w.plan(after, plan.ModeSync))
				w.settled(after, plan.ModeSync)
				if user != nil {
					dropped.Add(1)
				}
			})
		}
	})
}

// byName lets the user name what it uses, where the contract takes its name for its id.
func (u *usage) byName() bool {
	p := value.ParsePath(u.use.Field)
	above := p[:len(p)-1]
	if _, either := catalog.Either(catalog.OfType(u.use.By))[above.String()]; !either {
		return false
	}
	name := sampler{t: u.s.w.cat.Kind(u.use.Kind), n: u.n, refs: u.s.reference}.sample(nil)["name"]
	for _, at := range value.Places(u.user, p) {
		value.Set(u.user, at[:len(at)-1], map[string]any{"name": name})
	}
	return true
}

// What is in use by its name can be created again as if it was used by its id.
func TestNamedUseSurvivesReplace(t *testing.T) {
	var replaced atomic.Int64
	afterAll(t, func() {
		if replaced.Load() == 0 {
			t.Error("nothing was replaced: the law was not tried")
		}
	})
	eachUse(t, func(t *testing.T, u *usage) {
		if !u.byName() {
			return
		}
		if after, ok := u.other(); ok {
			replaced.Add(1)
			u.survives(t, after, plan.ModeSync)
		}
	})
}

// What is in use can be deleted and created again, in a sync and in an apply, and
// what uses it uses the new one.
func TestUseSurvivesReplace(t *testing.T) {
	var replaced atomic.Int64
	afterAll(t, func() {
		if replaced.Load() == 0 {
			t.Error("nothing was replaced: the law was not tried")
		}
	})
	t.Parallel()
	for _, mode := range []plan.Mode{plan.ModeSync, plan.ModeApply} {
		t.Run(string(mode), func(t *testing.T) {
			eachUse(t, func(t *testing.T, u *usage) {
				after, ok := u.other()
				if !ok {
					return // nothing about it is immutable
				}
				replaced.Add(1)
				u.survives(t, after, mode)
			})
		})
	}
}

// survives checks that a configuration creates again what is used, and nothing is left
// to do.
func (u *usage) survives(t *testing.T, after string, mode plan.Mode) {
	t.Helper()
	w := u.s.w
	w.run(w.plan(u.text(u.user, true), plan.ModeSync))
	p := w.plan(after, mode, u.used)
	if x := slices.IndexFunc(p.Blocked, func(x plan.Blocked) bool { return x.By == "replace" && x.ResourceType == u.use.By.Kind }); x >= 0 {
		p = w.plan(after, mode, u.used, p.Blocked[x].ResourceRef) // what uses it cannot be without it
	}
	if x, id := u.external(); x != nil && !p.Empty() {
		// What the id names does not exist: nothing of others is lost. Once it
		// does, the replace is refused.
		u.make(x, id)
		p = w.plan(after, mode, u.used)
		if len(p.Blocked) != 1 || p.Blocked[0].By != "external" || !p.Empty() {
			t.Errorf("what holds something that others own is replaced: %v, blocked %v", p.ExecutionOrder, p.Blocked)
		}
		return
	}
	if !slices.ContainsFunc(p.Changes, func(c *plan.Change) bool {
		return c.Action == plan.Create && c.Replace && c.ResourceRef == u.used
	}) {
		t.Fatalf("%s is not created again: %v", u.used, p.Blocked)
	}
	w.run(p)
	w.settled(after, plan.ModeSync)
	staysWhatItWas(t, w, p)
}

// staysWhatItWas checks that what a plan only updates has the id that it had.
func staysWhatItWas(t *testing.T, w *world, p *plan.Plan) {
	t.Helper()
	for _, c := range p.Changes {
		gone := c.Action == plan.Update && c.ResourceID != "" && !slices.ContainsFunc(w.set.Resources, func(r *resource.Resource) bool {
			o := w.snap.Object(r)
			return r.Type.Kind == c.ResourceType && o != nil && o.ID == c.ResourceID
		})
		if gone {
			t.Errorf("%s: what is only updated is another one now", c.ID)
		}
	}
}

// What refers to others in a list loses the item of what is deleted, keeps the
// others, and gets the item of what is created again; all in one sync, and back by
// the inverse plan.
func TestItemsOfListsAreDropped(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		if tried.Load() == 0 {
			t.Error("no reference stands in a list: the law was not tried")
		}
	})
	eachUse(t, func(t *testing.T, u *usage) {
		w, p := u.s.w, value.ParsePath(u.use.Field)
		w.keep = true
		at := value.Listed(u.user, p)
		list, _ := must(value.Get(u.user, at)).([]any)
		target := w.cat.Kind(u.use.Kind)
		if len(list) == 0 || target.Parent == nil && !target.HasLabels() {
			return // it stands in no list, or nothing prunes what it leads to
		}
		with := func(refs ...string) map[string]any {
			out, _ := value.Clone(u.user).(map[string]any)
			var items []any
			for _, ref := range refs {
				item := map[string]any{"": value.Clone(list[0])}
				value.Set(item, append(value.Path{""}, p[len(at):]...), refTo{ref: ref})
				if m, isMap := item[""].(map[string]any); isMap && m["key"] != nil { // no two have the same
					m["key"] = strings.ReplaceAll(ref, "-", "_")
				}
				items = append(items, item[""])
			}
			value.Set(out, at, items)
			return out
		}
		first, second, root := u.s.minimalBelow(target, u.s.above[u.used]), u.s.minimalBelow(target, u.s.above[u.used]), target.Root()
		all := slices.Clone(u.s.lists[root])
		before := u.text(with(u.used, first, second), true)
		if w.try(before).HasErrors() {
			return // the list has fewer items
		}
		tried.Add(1)
		w.run(w.plan(before, plan.ModeSync))
		// The one that is used is created again where it can be, first goes, and second
		// stays.
		u.user = with(u.used, second)
		u.s.lists[root] = slices.Delete(all, len(all)-2, len(all)-1)
		after, replaces := u.other()
		if !replaces {
			after = u.text(u.user, true)
		}
		made := w.plan(after, plan.ModeSync, u.used)
		gone := slices.ContainsFunc(made.Changes, func(c *plan.Change) bool { return c.Action == plan.Delete && c.ResourceRef != u.used })
		if !gone || len(made.Blocked) > 0 {
			t.Fatalf("what is not declared is not deleted: %v, blocked %v", made.ExecutionOrder, made.Blocked)
		}
		if slices.ContainsFunc(made.Changes, func(c *plan.Change) bool { return c.Action != plan.Update && c.ResourceType == u.use.By.Kind }) {
			t.Errorf("what uses it is created again: %v", made.ExecutionOrder)
		}
		w.run(made)
		w.settled(after, plan.ModeSync)
		if cannot := w.undo(made, "plans never contain secrets"); len(cannot) > 0 {
			onlySecretsAreLost(t, slices.DeleteFunc(cannot, func(text string) bool { // a replace is undone whole, or not at all
				return len(secretFeatures(target)) > 0 && (strings.Contains(text, "another one has its place") || strings.Contains(text, "it exists again") || strings.HasSuffix(text, "which cannot be made again"))
			}))
			return
		}
		w.settled(before, plan.ModeSync)
	})
}

// What is used in another namespace is not deleted, and the plan says by what.
func TestUseInAnotherNamespace(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		if tried.Load() == 0 {
			t.Error("nothing is used across namespaces: the law was not tried")
		}
	})
	eachUse(t, func(t *testing.T, u *usage) {
		w, target := u.s.w, u.s.w.cat.Kind(u.use.Kind)
		by := catalog.OfType(u.use.By)
		if target.Parent != nil || u.use.OnDelete != resource.Refuses || by.Root() == target.Root() || !target.HasLabels() || !catalog.OfType(u.use.By.Top()).HasLabels() {
			return
		}
		mine := newScene(w, target)
		mine.lists[target.Root()] = u.s.lists[target.Root()][u.usedAt : u.usedAt+1]
		theirs := newScene(w, by)
		for key, items := range u.s.lists {
			theirs.lists[key] = slices.Clone(items)
		}
		theirs.lists[target.Root()] = slices.Delete(theirs.lists[target.Root()], u.usedAt, u.usedAt+1)
		theirs.add(by, u.user, u.parent)
		tried.Add(1)
		w.run(w.plan(mine.text(), plan.ModeSync))
		w.plan(mine.text(), plan.ModeSync)
		id := w.snap.Object(w.set.Resources[0]).ID
		other := strings.Replace(theirs.text(), "namespace: laws", "namespace: others", 1)
		w.run(w.plan(strings.ReplaceAll(other, "!ref \""+u.used+"\"", "\""+id+"\""), plan.ModeApply))
		_, diags := w.tryPlan(nothing, "")
		if !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool {
			return d.Code == diag.LiveInUse && strings.Contains(d.Detail, "namespace others")
		}) {
			t.Errorf("it is not said that the namespace others uses it: %v", diags)
		}
	})
}

func must(v any, _ bool) any { return v }
