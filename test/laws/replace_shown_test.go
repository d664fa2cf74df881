package laws

import (
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/engine"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
	"github.com/kongctl/kongctl/internal/view"
)

// added is a line of a view that says of a field that it had no value.
var added = pattern.New(`^ +([^ ]+): (?:\(none\) -> |added$)`)

// replacesAreShown fails unless the plan names what differs between each resource that
// it replaces and the new one, and neither the document nor the view says of a field
// that it had another value than the live resource has. It looks at every plan of every
// law.
func (w *world) replacesAreShown(p *plan.Plan) {
	w.t.Helper()
	for _, gone := range p.Changes {
		made := p.Half(gone)
		if !p.Metadata.Inverse && made != gone.Half || gone.Replace && made == nil { // inverse plans are not built
			w.t.Errorf("the other half of %s is read as %v, and it was made as %v", gone.ID, made, gone.Half)
		}
		if made == nil || gone.Action != plan.Delete || gone.CurrentState == nil {
			continue
		}
		if len(made.ChangedFields) == 0 && len(made.SecretWrites) == 0 {
			w.t.Errorf("the replace of %s %s names no field", gone.ResourceType, gone.ResourceRef)
		}
		for name, x := range made.ChangedFields {
			path := value.ParsePath(name)
			have, _ := value.Get(gone.CurrentState, path)
			if path[0] != "kongctl" && path[0] != "labels" && !plan.HoldsHidden(x.Old) && !isEvidenceOf(w.cat.Kind(gone.ResourceType), name) && !plan.Alike(have, x.Old) {
				w.t.Errorf("the replace of %s %s shows %s as %v, and it is %v", gone.ResourceType, gone.ResourceRef, name, x.Old, have)
			}
		}
		for _, name := range w.addedBy(p, gone) {
			if have, _ := value.Get(gone.CurrentState, value.ParsePath(name)); !value.Empty(have) {
				w.t.Errorf("the replace of %s %s shows %s as added, and it is %v", gone.ResourceType, gone.ResourceRef, name, have)
			}
		}
	}
}

func isEvidenceOf(t *catalog.Bound, field string) bool {
	for _, e := range t.Evidence {
		if e.Of == field {
			return true
		}
	}
	return false
}

// addedBy are the fields that the view of a replace says had no value.
func (w *world) addedBy(p *plan.Plan, gone *plan.Change) (out []string) {
	w.t.Helper()
	load := func() (*catalog.Catalog, error) { return w.cat, nil }
	var b testkit.Buffer
	if err := view.WritePlan(&b, p, view.PlanOptions{Style: view.Style{Diff: view.Diff{Holds: engine.Holds(load), Meaning: engine.Meaning(load)}}}); err != nil {
		w.t.Fatal(err)
	}
	_, _ = w.text.Write([]byte(b.String()))
	inside := false
	for _, line := range strings.Split(b.String(), "\n") {
		switch {
		case strings.HasPrefix(line, "-/+ "+gone.ResourceType+" \""+gone.ResourceRef+"\""):
			inside = true
		case strings.TrimSpace(line) == "":
			inside = false
		case inside:
			if m := added.FindStringSubmatch(line); m != nil {
				out = append(out, m[1])
			}
		}
	}
	return out
}

// Views take keys that people choose for something that a resource can have.
func TestViewsHoldChosenKeys(t *testing.T) {
	t.Parallel()
	cat := testkit.Catalog(t)
	holds := engine.Holds(func() (*catalog.Catalog, error) { return cat, nil })
	tried := 0
	for _, b := range writable(cat) {
		for _, f := range append([]feature{nil}, allFeatures(b)...) {
			sample := sampler{t: b, n: 1, refs: func(string) any { return "ref" }}.sample(f)
			choose(b.Write(), sample)
			for _, p := range places(sample) {
				if !slices.Contains(p, "law") {
					continue
				}
				if tried++; !holds(b.Kind, sample, p) {
					t.Errorf("%s%s: %s is not held", b.Kind, f, p)
				}
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d values were tried", tried)
	}
}

// choose adds a key of people's own to every mapping that takes any.
func choose(s *contract.Schema, v any) {
	m, ok := v.(map[string]any)
	if !ok {
		return
	}
	o := s.Object(m)
	for k, x := range m {
		if f := o.Field(k); f != nil {
			choose(f.Schema, x)
		}
	}
	if o.Open {
		m["law"] = map[string]any{"x": "y"}
	}
}
