package laws

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/event"
	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/konnect/emulator/local"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// Of the first forms of a type the first transitions are tried, and the first of each
// field; of each further form some, spread over all of them. Parts change to some of
// their other forms.
const (
	most, mostForms = 20, 4
	leastOfForm     = 4
	mostOfFurther   = 16
	mostOfParts     = 6
	perForm         = 1000 // numbers of samples
)

// chosen reports whether one of the transitions of a form is tried.
func chosen(form, forms, i, count int) bool {
	if form < mostForms {
		return i < most
	}
	n := max(leastOfForm, mostOfFurther/(forms-mostForms))
	step := max(1, (count+n-1)/n)
	return i%step == form%step || i == 0
}

// inTurn is the place of each transition when the fields of a resource take turns, so
// that one with much inside does not use up what is tried.
func inTurn(list []transition) []int {
	turn, of := make([]int, len(list)), map[string]int{}
	for i, x := range list {
		field, _, _ := strings.Cut(x.name, " ")
		field, _, _ = strings.Cut(strings.ReplaceAll(field, "[", "."), ".")
		turn[i] = of[field]
		of[field]++
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return turn[a] - turn[b] })
	place := make([]int, len(list))
	for at, i := range order {
		place[i] = at
	}
	return place
}

// journey holds the transitions of a type: two configurations, which differ in its
// resources, and for each resource what is done to it.
type journey struct {
	before, after string
	what          map[string]string // ref -> transition
	// tried are the transitions of the journey, all the possible ones; invalid are
	// those that no configuration can declare.
	tried, all, invalid int
}

// journeyOf declares each transition of a type with a resource of its own.
func journeyOf(w *world, t *catalog.Bound) journey {
	was := newScene(w, t)
	type move struct {
		name     string
		from, to map[string]any
		below    string
	}
	var list []move
	tried := map[string]bool{}
	out := journey{what: map[string]string{}}
	below := func() string { // what samples refer to belongs to the same parent
		if t.Parent != nil && (!shares(t) || was.below == "") {
			was.below = was.parent(t)
		}
		was.at = &making{t, was.below}
		return was.below
	}
	below()
	all := forms(t.Write(), 0)
	was.n += perForm*(all+5) + all*all // what samples refer to has other numbers than they
	for form := range all {
		n := perForm * (form + 1)
		at := func(n int) []transition {
			g := sampler{t: t, n: n, refs: was.reference}
			full := g.everything(form)
			return transitions(t, full, g.least(t.Write(), full, nil))
		}
		same := at(n) // but for their numbers: most begin alike, and are tried once
		place := inTurn(same)
		for i := range same {
			if !chosen(form, all, i, len(same)) && (form >= mostForms || place[i] >= most) {
				out.all++
				continue
			}
			parent := below()
			x := at(n + i)[i]
			to := x.to()
			if !w.valid(t, same[i].from, tried) || !w.valid(t, same[i].to(), tried) {
				out.invalid++
				continue
			}
			out.all++
			out.tried++
			list = append(list, move{x.name, x.from, to, parent})
		}
	}
	for i, left := 0, mostOfParts; i < all*all && left > 0; i++ { // to few fields, so that Konnect fills the rest
		g := sampler{t: t, n: perForm*(all+4) + i, refs: was.reference}
		from := g.everything(i / all)
		g.part = i % all
		other := g.everything(i / all)
		if to := g.least(t.Write(), other, nil); !value.Equal(from, other) && !diff.Compare(t, to, from, diff.Merge).Replace() && w.valid(t, from, tried) && w.valid(t, to, tried) {
			out.all, out.tried, left = out.all+1, out.tried+1, left-1
			list = append(list, move{fmt.Sprintf("other forms of its parts (%d, %d)", i/all, g.part), from, to, below()})
		}
	}
	if g := (sampler{t: t, n: 99, refs: was.reference}); t.Optional() && !t.KeyedPrune && !t.Top().ReadOnly {
		// The last one, so that the others have the same refs without it.
		out.all, out.tried = out.all+1, out.tried+1
		list = append(list, move{"gone", g.sample(nil), nil, below()})
	}
	for _, m := range list {
		was.known(m.from, m.to)
	}
	is := &scene{w: w, t: t, lists: maps.Clone(was.lists)}
	for _, m := range list {
		ref := was.add(t, m.from, m.below)
		out.what[ref] = m.name
		if m.to != nil {
			is.add(t, m.to, m.below)
		}
	}
	out.before, out.after = was.text(), is.text()
	return out
}

// valid reports whether a sample can be declared. It keeps what it has tried.
func (w *world) valid(t *catalog.Bound, sample map[string]any, tried map[string]bool) bool {
	if sample == nil {
		return true
	}
	s := newScene(w, t)
	s.n = 1000
	below := ""
	if t.Parent != nil {
		below = s.parent(t)
	}
	s.at = &making{t, below}
	again, _ := value.Clone(sample).(map[string]any)
	s.add(t, s.grounded(again).(map[string]any), below)
	text := s.text()
	ok, known := tried[text]
	if !known {
		ok = !w.try(text).HasErrors()
		tried[text] = ok
	}
	return ok
}

// grounded has references to resources of this scene.
func (s *scene) grounded(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for k, y := range x {
			x[k] = s.grounded(y)
		}
	case []any:
		for i, y := range x {
			x[i] = s.grounded(y)
		}
	case refTo:
		kind := x.ref[:strings.LastIndexByte(x.ref, '-')]
		return s.reference(strings.ReplaceAll(kind, "-", "_"))
	}
	return v
}

// verified fails unless a plan is done as "--verify" asks: another plan of the
// same configuration is empty, and of the plan itself nothing is left.
func (w *world) verified(p *plan.Plan, text string) *plan.Plan {
	w.t.Helper()
	again := w.plan(text, plan.ModeSync)
	for _, c := range again.Changes {
		w.t.Errorf("did not converge: %s %v", c.ID, c.FieldChanges)
	}
	finding, err := execute.Check(context.Background(), w.execution(p))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, c := range p.Changes {
		if finding.Done[c.ID] == nil && len(c.SecretWrites) == 0 {
			w.t.Errorf("not done: %s %v", c.ID, c.FieldChanges)
		}
	}
	w.verify(p, text)
	return again
}

// verify fails unless the engine itself finds nothing left to do: of the
// configuration, if there is one, and of the plan as one that was saved.
func (w *world) verify(p *plan.Plan, text string) {
	w.t.Helper()
	work := w.t.TempDir()
	if err := os.WriteFile(filepath.Join(work, "config.yaml"), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	at := make(chan time.Time)
	close(at)
	e, err := engine.New(engine.Options{
		Host: engine.Host{
			Now: time.Now, After: func(time.Duration) <-chan time.Time { return at }, Env: w.env,
			WorkDir: func() (string, error) { return work, nil }, State: func() (string, error) { return work, nil },
			Log:     func() (*slog.Logger, error) { return slog.New(slog.DiscardHandler), nil },
			Aborted: func() <-chan struct{} { return nil }, Command: "kongctl", Version: "laws",
			Catalog: func() (*catalog.Catalog, error) { return w.cat, nil },
		},
		Sink: func(event.Event) {},
		Konnect: engine.Konnect{
			Embedded:    &local.Embedded{Handler: w.server},
			Concurrency: func() (int, error) { return 4, nil },
		},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = e.Close() }() // not at the end of the law: it holds the whole world
	request := engine.PlanRequest{Sources: engine.Sources{Files: []string{"config.yaml"}}, Mode: plan.ModeSync, Prune: engine.PruneFull, Scope: engine.Scope{AllowEmpty: []string{"*"}}}
	for _, saved := range []bool{false, true} {
		if text == "" && !saved || saved && p.Empty() { // it would be made once more, from files that it does not name
			continue
		}
		left, err := e.Verify(context.Background(), engine.RunRequest{Planned: &engine.Planned{Plan: p, Dir: work}, Saved: saved}, request)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, c := range left {
			w.t.Errorf("verify (saved: %v) did not converge: %s %v", saved, c.ID, c.FieldChanges)
		}
	}
}

// found is what exists of the declared resources after the last plan, by ref,
// without secrets and what Konnect alone says, with refs in the place of ids.
func (w *world) found() map[string]map[string]any {
	w.t.Helper()
	var ids []string
	for _, r := range w.set.Resources {
		if o := w.snap.Object(r); o != nil && (strings.Count(o.ID, "-") == 4 || len(o.ID) == 26) {
			ids = append(ids, o.ID, r.Ref)
		}
	}
	named := strings.NewReplacer(ids...)
	out := map[string]map[string]any{}
	for _, r := range w.set.Resources {
		o := w.snap.Object(r)
		if o == nil {
			w.t.Errorf("%s does not exist", r.Address())
			continue
		}
		raw, err := json.Marshal(r.Type.Essence(o))
		if err != nil {
			w.t.Fatal(err)
		}
		plain, err := value.Decode([]byte(named.Replace(string(raw))))
		if err != nil {
			w.t.Fatal(err)
		}
		out[r.Ref], _ = plain.(map[string]any)
	}
	return out
}

// unlike are the paths at which two values differ; what is empty is the same as
// nothing.
func unlike(at value.Path, a, b any) []value.Path {
	x, ok1 := a.(map[string]any)
	y, ok2 := b.(map[string]any)
	blank := func(v any) bool { return value.Empty(v) || v == "" }
	if (ok1 || a == nil) && (ok2 || b == nil) && (ok1 || ok2) {
		keys := map[string]bool{}
		for k := range x {
			keys[k] = true
		}
		for k := range y {
			keys[k] = true
		}
		var out []value.Path
		for _, k := range slices.Sorted(maps.Keys(keys)) {
			out = append(out, unlike(at.Child(k), x[k], y[k])...)
		}
		return out
	}
	if value.Equal(a, b) || blank(a) && blank(b) {
		return nil
	}
	return []value.Path{at}
}

// unset reports whether one value is missing where the other is the default.
func unset(t *catalog.Bound, at value.Path, a, b map[string]any) bool {
	s := t.Write().At(at.Generic(), a)
	x, there := value.Get(a, at)
	y, also := value.Get(b, at)
	return s != nil && s.HasDefault() && there != also && (value.Equal(x, s.Default) || value.Equal(y, s.Default))
}

// keeps reports whether a plan says of a resource that a field stays.
func keeps(p *plan.Plan, kind, ref string, at value.Path) bool {
	return slices.ContainsFunc(p.Warnings, func(w plan.Warning) bool {
		name, _, note := strings.Cut(w.Message, " keeps ")
		return note && w.ResourceType == kind && w.ResourceRef == ref && at.HasPrefix(value.ParsePath(name))
	})
}

// Sync settles from any declaration to any other one, with a plan that is saved, too:
// it does all that it announces, its view shows all that it does, nothing is left to do,
// and what exists is what the second one makes of nothing, but for what the plan says
// that it stays.
func TestTransitions(t *testing.T) {
	var tried, all, invalid, kept, announced, shown atomic.Int64
	afterAll(t, func() {
		t.Logf("coverage: %d of %d transitions (%.1f %%; %d more are invalid configurations), %d fields as announced, %d changed values shown, %d kept with a note", tried.Load(), all.Load(), 100*float64(tried.Load())/float64(all.Load()), invalid.Load(), announced.Load(), shown.Load(), kept.Load())
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		w, fresh := newWorld(t), newWorld(t)
		m := journeyOf(w, w.cat.Kind(typ.Kind))
		tried.Add(int64(m.tried))
		all.Add(int64(m.all))
		invalid.Add(int64(m.invalid))
		w.run(w.plan(m.before, plan.ModeSync))
		p := w.plan(m.after, plan.ModeSync)
		if len(p.Blocked)+len(p.Errors) > 0 {
			t.Fatalf("refused: %v %v", p.Blocked, p.Errors)
		}
		w.due(p)
		w.run(p)
		again := w.verified(p, m.after)
		announced.Add(int64(w.announced(p)))
		shown.Add(int64(w.changesAreShown(p)))
		have := w.found()
		fresh.run(fresh.plan(m.after, plan.ModeSync))
		fresh.settled(m.after, plan.ModeSync)
		for ref, want := range fresh.found() {
			for _, at := range unlike(nil, want, have[ref]) {
				if unset(w.cat.Kind(typ.Kind), at, have[ref], want) {
					continue
				}
				// What a pinned field was declared to be is known until its root is written.
				pinned, _ := catalog.KeptAt(w.cat.Kind(typ.Kind), at)
				if keeps(again, typ.Kind, ref, at) || pinned.Pinned && keeps(p, typ.Kind, ref, at) {
					kept.Add(1)
					continue
				}
				x, _ := value.Get(have[ref], at)
				y, _ := value.Get(want, at)
				t.Errorf("%s %s (%s): %s is %v and must be %v", typ.Kind, ref, m.what[ref], at, x, y)
			}
		}
		// Without a label, sync keeps a root that is no longer declared.
		if b := w.cat.Kind(typ.Kind); b.Parent != nil || b.HasLabels() {
			if a, b := counts(t, w), counts(t, fresh); a != b {
				t.Errorf("%s exist, of nothing %s are made", a, b)
			}
		}
		w.undo(p, "")
	})
}

// counts says how many resources of each kind exist, without those that are
// there from the start or come with others.
func counts(t *testing.T, w *world) string {
	t.Helper()
	var state map[string]any
	if err := json.Unmarshal([]byte(stored(t, w)), &state); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, typ := range writable(w.cat) {
		if list, ok := state[typ.Kind].([]any); ok && typ.Optional() {
			out = append(out, fmt.Sprintf("%d %s", len(list), typ.Kind))
		}
	}
	return strings.Join(out, ", ")
}
