package laws

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// A key of a resource that is no field of it, as the lists of its children, says with
// null as little as if it were not written: nothing is declared, and nothing counts as a
// written list, of which sync would delete what it lacks.
func TestNullKeyIsNotWritten(t *testing.T) {
	var tried atomic.Int64
	eachType(t, func(t *testing.T, s *scene) {
		below := s.parent(s.t)
		fields := s.sampled(s.t, below, nil)
		want := s.loadedWith(t, fields, below)
		for _, key := range keysBesides(s.w.cat, s.t) {
			with := maps.Clone(fields)
			with[key] = nil
			if got := s.loadedWith(t, with, below); got != want {
				t.Errorf("%s: null is\n%s\nand without it\n%s", key, got, want)
			}
			tried.Add(1)
		}
		for key, members := range catalog.Groups(s.t) {
			with := maps.Clone(fields)
			group := map[string]any{}
			for _, m := range members {
				group[m.Name] = nil
			}
			with[key] = group
			if got := s.loadedWith(t, with, below); got != want {
				t.Errorf("%s of nulls is\n%s\nand without it\n%s", key, got, want)
			}
		}
	})
	afterAll(t, func() {
		t.Logf("%d keys were tried", tried.Load())
		if tried.Load() < 90 {
			t.Error("too few")
		}
	})
}

// keysBesides are the keys of a type that hold resources, or what others do with it.
func keysBesides(cat *catalog.Catalog, b *catalog.Bound) []string {
	out := slices.Collect(maps.Keys(catalog.Groups(b)))
	for _, c := range b.Children {
		out = append(out, c.Key)
	}
	for _, s := range cat.Sides(b) {
		out = append(out, s.Key)
	}
	if b.Tree != nil {
		out = append(out, b.Tree.Children)
	}
	if b.Kind == "control_plane" {
		out = append(out, "_deck")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// loadedWith is all that a configuration with a declaration comes to.
func (s *scene) loadedWith(t *testing.T, fields map[string]any, below string) string {
	t.Helper()
	trial := s.copied()
	trial.add(s.t, fields, below)
	walk, diags := s.w.walk(trial.text())
	if diags.HasErrors() {
		return diags.Err().Error()
	}
	var b strings.Builder
	for _, r := range walk.Set.Resources {
		fmt.Fprintln(&b, r.Address(), r.Written, len(r.Shares), len(r.Extras), r.Fields.Plain(func(value.Path, *value.Expression) any { return "tag" }))
	}
	return b.String()
}

// What may be left out because it is worked out from other fields may be null, too.
func TestNullForWhatIsWorkedOut(t *testing.T) {
	eachType(t, func(t *testing.T, s *scene) {
		below := s.parent(s.t)
		fields := s.sampled(s.t, below, nil)
		for _, l := range s.t.Loads {
			without, with := maps.Clone(fields), maps.Clone(fields)
			delete(without, l.Field)
			with[l.Field] = nil
			want, got := s.loadedWith(t, without, below), s.loadedWith(t, with, below)
			if len(l.From) > 0 && !strings.HasPrefix(want, "error") && got != want {
				t.Errorf("%s: null is\n%s\nand without it\n%s", l.Field, got, want)
			}
		}
	})
}
