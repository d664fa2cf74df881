package laws

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/diff"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// scene writes a configuration with samples of one type and all that they
// need.
type scene struct {
	w     *world
	t     *catalog.Bound
	lists map[string][]string // root key -> items
	made  map[string]string   // kind -> ref of the one that references use
	below string              // ref of the parent that samples stand below
	// above has the parents of what was added; at is what is being made.
	above map[string]string
	// only are the fields of what the organization has once.
	only map[string]map[string]any
	at   *making
	n    int
	// last is the sample that was added last.
	last map[string]any
}

// making is a resource that is being made, below a parent.
type making struct {
	t      *catalog.Bound
	parent string
}

func newScene(w *world, t *catalog.Bound) *scene {
	return &scene{w: w, t: t, lists: map[string][]string{}, made: map[string]string{}, above: map[string]string{}}
}

// text is the configuration.
func (s *scene) text() string {
	for _, t := range s.w.cat.All() { // what Konnect asks to be there first
		for _, q := range t.Requires {
			if first := s.w.cat.Kind(q.Kind); t.Parent == nil && len(s.lists[t.Root()]) > 0 && len(s.lists[first.Root()]) == 0 {
				s.minimal(first)
			}
		}
	}
	var b strings.Builder
	b.WriteString("_defaults: {kongctl: {namespace: laws}}\n")
	for _, t := range s.w.cat.All() {
		if items := s.lists[t.Root()]; len(items) > 0 {
			fmt.Fprintf(&b, "%s:\n- %s\n", t.Root(), strings.Join(items, "\n- "))
		}
	}
	return b.String()
}

// reference is a resource of the kind, made when first asked for. What cannot
// be declared is made in the embedded Konnect.
func (s *scene) reference(kind string) any {
	t := s.w.cat.Kind(kind)
	if t == nil {
		for _, any := range s.w.cat.All() {
			if any.Parent != nil || any == s.t {
				continue
			}
			if t == nil || s.names(any) {
				t = any
			}
		}
	}
	if t.ReadOnly {
		return bareID
	}
	if t == s.t {
		s.n++ // what it lies below belongs to the same parent
		if s.below == "" && t.Parent != nil {
			s.below = s.parent(t)
		}
		return refTo{ref: s.add(t, sampler{t: t, n: s.n, refs: s.reference}.sample(nil), s.below)}
	}
	owner := s.owner(t)
	key := t.Kind + " " + owner
	if s.made[key] == "" {
		if owner != "" {
			s.made[key] = s.minimalBelow(t, owner)
		} else {
			s.made[key] = s.minimal(t)
		}
	}
	return refTo{ref: s.made[key]}
}

// names reports whether a text of the example of what is being made names a type.
func (s *scene) names(t *catalog.Bound) bool {
	of := s.t
	if s.at != nil {
		of = s.at.t
	}
	for _, v := range of.Example {
		if text, ok := v.(string); ok && strings.ReplaceAll(strings.ToLower(text), " ", "_") == t.Root() {
			return true
		}
	}
	return false
}

// owner is what the resource that is being made has in common with one of
// another type: the parent of both, "" where they have none.
func (s *scene) owner(t *catalog.Bound) string {
	at := making{s.t, s.below}
	if s.at != nil {
		at = *s.at
	}
	for up := at.t.Parent; up != nil && at.parent != ""; up = up.Parent {
		if up == t.Parent {
			return at.parent
		}
		at.parent = s.above[at.parent]
	}
	return ""
}

// minimal adds a resource with no more than it needs.
func (s *scene) minimal(t *catalog.Bound) string { return s.minimalBelow(t, s.parent(t)) }

func (s *scene) minimalBelow(t *catalog.Bound, parent string) string {
	return s.addMinimal(t, parent, nil)
}

// minimalWith adds a resource with no more than it needs, and these fields.
func (s *scene) minimalWith(t *catalog.Bound, more map[string]any) string {
	return s.addMinimal(t, s.parent(t), more)
}

func (s *scene) addMinimal(t *catalog.Bound, parent string, more map[string]any) string {
	s.n++
	if t.ReadOnly { // one that is there
		return s.add(t, map[string]any{t.Identity[0]: resident(len(s.lists[t.Root()]))}, "")
	}
	fields := s.sampled(t, parent, nil)
	maps.Copy(fields, more)
	return s.add(t, fields, parent)
}

// sampled is a declaration with a feature.
func (s *scene) sampled(t *catalog.Bound, parent string, f feature) map[string]any {
	was := s.at
	s.at = &making{t, parent}
	defer func() { s.at = was }()
	return sampler{t: t, n: s.n, refs: s.reference}.sample(f)
}

func (s *scene) parent(t *catalog.Bound) string {
	if t.Parent == nil {
		return ""
	}
	parent := s.minimalWith(t.Parent, t.Under)
	for _, kind := range t.Follows { // what Konnect asks to be there first
		if first := s.w.cat.Kind(kind); first.Parent == t.Parent {
			s.minimalBelow(first, parent)
		}
	}
	return parent
}

func (s *scene) add(t *catalog.Bound, fields map[string]any, parent string) string {
	ref := fmt.Sprintf("%s-%d", strings.ReplaceAll(t.Kind, "_", "-"), len(s.lists[t.Root()]))
	doc, _ := value.Clone(fields).(map[string]any)
	doc["ref"] = ref
	if parent != "" {
		doc[t.ParentKeys()[0]] = parent
	}
	if t.Parent == nil && t.Shape == catalog.Singleton { // the organization has one
		maps.Copy(doc, s.only[t.Kind])
		ref = strings.ReplaceAll(t.Kind, "_", "-")
		doc["ref"] = ref
		if s.only == nil {
			s.only = map[string]map[string]any{}
		}
		s.only[t.Kind], s.lists[t.Root()] = doc, nil
	}
	if t != s.t && held(s.t, t) {
		doc["kongctl"] = map[string]any{"namespace": "held"}
	}
	var b strings.Builder
	write(&b, doc)
	s.lists[t.Root()] = append(s.lists[t.Root()], b.String())
	if s.above != nil {
		s.above[ref] = parent
	}
	return ref
}

// held reports whether resources of a type hold those of another: sync never
// deletes the first, which carry no mark, and so cannot delete the others, which
// stand in a namespace of their own therefore.
func held(by, t *catalog.Bound) bool {
	return by.Parent == nil && !by.ReadOnly && !by.HasLabels() && t.HasLabels() && slices.ContainsFunc(by.References, func(r catalog.Reference) bool {
		return r.Kind == t.Kind && r.OnDelete == catalog.Refuses
	})
}

// samples adds one resource per feature and says how many features could be
// had.
func (s *scene) samples() (covered, all int) { return s.samplesOf(features(s.t)) }

func (s *scene) samplesOf(list []feature) (covered, all int) {
	for _, f := range list {
		all++
		s.n++
		if why := s.uncovered(f); why != "" {
			s.w.t.Logf("%s%s is not covered: %s", s.t.Kind, f, why)
			continue
		}
		covered++
		s.sampleOf(f)
	}
	return covered, all
}

// tried keeps what is wrong with a sample of a feature: many laws ask.
var tried sync.Map

// uncovered is why no configuration can declare a feature; "" where one can.
func (s *scene) uncovered(f feature) string {
	key := s.t.Kind + f.String()
	if why, known := tried.Load(key); known {
		return why.(string)
	}
	trial, why := newScene(s.w, s.t), ""
	trial.n = 1
	trial.sampleOf(f)
	if diags := s.w.try(trial.text()); diags.HasErrors() {
		why = strings.SplitN(diags.Err().Error(), "\n", 4)[2]
	}
	tried.Store(key, why)
	return why
}

// sampleOf adds a resource with the feature.
func (s *scene) sampleOf(f feature) string {
	if s.t.Parent != nil && (!shares(s.t) || s.below == "") {
		s.below = s.parent(s.t)
	}
	s.n++
	sample := s.sampled(s.t, s.below, f)
	s.known(sample)
	s.last = sample
	return s.add(s.t, sample, s.below)
}

// known gives samples of one resource references of their own in the fields that it
// is known by, where nothing else tells samples apart.
func (s *scene) known(samples ...map[string]any) {
	if s.t.Parent != nil || shares(s.t) {
		return
	}
	for _, id := range s.t.Identity {
		ref, isRef := s.t.Reference(value.ParsePath(id))
		if !isRef || strings.Contains(id, ".") {
			continue
		}
		delete(s.made, ref.Kind+" ")
		for own, i := s.reference(ref.Kind), 0; i < len(samples); i++ {
			if samples[i] != nil {
				samples[i][id] = own
			}
		}
	}
}

func writable(cat *catalog.Catalog) []*catalog.Bound {
	var out []*catalog.Bound
	for _, t := range cat.All() {
		if !t.ReadOnly {
			out = append(out, t)
		}
	}
	return out
}

func TestApplyThenPlanIsEmpty(t *testing.T) {
	var covered, all atomic.Int64
	afterAll(t, func() {
		t.Logf("coverage: %d of %d features of the contract (%.1f %%)", covered.Load(), all.Load(), 100*float64(covered.Load())/float64(all.Load()))
		if covered.Load()*100 < all.Load()*95 {
			t.Errorf("coverage below 95 %%")
		}
	})
	eachType(t, func(_ *testing.T, s *scene) {
		c, a := s.samplesOf(spread(allFeatures(s.t), 120))
		covered.Add(int64(c))
		all.Add(int64(a))
		text := s.text()
		s.w.run(s.w.plan(text, plan.ModeApply))
		s.w.settled(text, plan.ModeApply)
		s.w.settled(text, plan.ModeSync)
	})
}

func TestCompareWithItselfIsEmpty(t *testing.T) {
	eachType(t, func(t *testing.T, s *scene) {
		s.samples()
		s.w.run(s.w.plan(s.text(), plan.ModeApply))
		s.w.plan(s.text(), plan.ModeApply)
		compared := 0
		for _, r := range s.w.set.Resources {
			o := s.w.snap.Object(r)
			if o == nil {
				t.Fatalf("%s was not found again", r.Address())
			}
			for _, mode := range []diff.Mode{diff.Merge, diff.Whole} {
				if d := diff.Compare(catalog.Of(r), o.Fields, o.Fields, mode); !d.Empty() {
					t.Errorf("%s differs from itself: %v", r.Address(), d.Changes)
				}
			}
			compared++
		}
		if compared == 0 {
			t.Error("nothing was compared")
		}
	})
}

func TestSyncSettlesFromAnywhere(t *testing.T) {
	eachType(t, func(_ *testing.T, s *scene) {
		s.samples()
		s.w.run(s.w.plan(s.text(), plan.ModeSync))
		less := newScene(s.w, s.t)
		less.minimal(s.t)
		s.w.run(s.w.plan(less.text(), plan.ModeSync))
		s.w.settled(less.text(), plan.ModeSync)
		s.w.run(s.w.plan(s.text(), plan.ModeSync))
		s.w.settled(s.text(), plan.ModeSync)
	})
}

func TestSamePlanSameBytes(t *testing.T) {
	eachType(t, func(t *testing.T, s *scene) {
		s.samples()
		text := s.text()
		first, second := s.w.bytes(s.w.plan(text, plan.ModeSync)), s.w.bytes(s.w.plan(text, plan.ModeSync))
		if !bytes.Equal(first, second) {
			t.Error("two plans of the same input differ")
		}
	})
}

func TestSyncOfNothingEmptiesKonnect(t *testing.T) {
	eachType(t, func(t *testing.T, s *scene) {
		empty := stored(t, s.w)
		s.samples()
		s.w.run(s.w.plan(s.text(), plan.ModeSync))
		if stored(t, s.w) == empty {
			t.Fatal("nothing was made")
		}
		before := unmarked(s)
		s.dropBelowResidents(s.text())
		s.w.run(s.w.plan(nothing, plan.ModeSync))
		if after := unmarked(s); after != before {
			t.Errorf("sync took what carries no labels: before\n%s\nafter\n%s", before, after)
		}
		s.w.run(s.wipe())
		if now := stored(t, s.w); now != empty && !lasting(s.t) {
			t.Errorf("something is left:\n%s", now)
		}
	})
}

// nothing is a configuration that names a namespace and declares nothing in it.
const nothing = "_defaults: {kongctl: {namespace: laws}}\n"

// marked reports whether all roots of a scene carry labels, so that sync can
// tell which of them it made.
func (s *scene) marked() bool {
	for _, t := range s.w.cat.All() {
		if t.Parent == nil && len(s.lists[t.Root()]) > 0 && !t.HasLabels() {
			return false
		}
	}
	return true
}

// wipe is a plan that deletes all of a scene: a sync of nothing, or a delete where
// roots carry no labels.
func (s *scene) wipe() *plan.Plan {
	if s.marked() {
		return s.w.plan(nothing, plan.ModeSync)
	}
	return s.w.planAs(s.text(), plan.ModeDelete, nil)
}

// lasting reports whether the organization always has the one resource of a type:
// it can be changed, and never deleted.
func lasting(t *catalog.Bound) bool { return t.Parent == nil && !t.Optional() && !t.ReadOnly }

// unmarked is what the embedded Konnect holds of the roots of a scene that carry
// no labels.
func unmarked(s *scene) string {
	var out strings.Builder
	for _, t := range s.w.cat.All() {
		if t.Parent == nil && !t.ReadOnly && len(s.lists[t.Root()]) > 0 && !t.HasLabels() {
			fmt.Fprintf(&out, "%s: %s\n", t.Kind, storedOf(s.w.t, s.w, t.Kind))
		}
	}
	return out.String()
}

// stored is all that the embedded Konnect holds.
func stored(t *testing.T, w *world) string {
	t.Helper()
	rec := httptest.NewRecorder()
	w.server.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/__local/state", nil))
	if rec.Code != http.StatusOK {
		t.Fatal(rec.Code, rec.Body)
	}
	return rec.Body.String()
}

func TestNoCanary(t *testing.T) {
	var secrets atomic.Int64
	afterAll(t, func() {
		if secrets.Load() == 0 {
			t.Error("no type has a secret: the law was not tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		for _, f := range secretFeatures(s.t) {
			s.sampleOf(f)
			secrets.Add(1)
		}
		if len(s.lists) == 0 {
			return
		}
		s.w.loud = true
		s.w.run(s.w.plan(s.text(), plan.ModeSync))
		s.w.settled(s.text(), plan.ModeSync)
		if !strings.Contains(s.w.wire.sent.String(), canary) {
			t.Error("the secret never reached the wire")
		}
		if strings.Contains(s.w.text.String(), canary) {
			t.Error("a plan or an event holds the secret")
		}
		if strings.Contains(stored(t, s.w), canary) {
			t.Error("the state shows the secret")
		}
	})
}
