package laws

import (
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

const strangeKey = "zzz_unknown"

// A key that a mapping does not have is an error (CFG002) that names the command which
// describes its fields, in every mapping of every type.
func TestUnknownKeys(t *testing.T) {
	var tried, open atomic.Int64
	afterAll(t, func() {
		t.Logf("%d mappings, %d take keys that people choose", tried.Load(), open.Load())
		if tried.Load() < 500 {
			t.Error("too few were tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		if s.t.ReadOnly {
			return
		}
		below := s.parent(s.t)
		var samples []map[string]any
		for form := range forms(s.t.Write(), 0) {
			samples = append(samples, sampler{t: s.t, n: 7, refs: s.reference}.everything(form))
		}
		for _, f := range features(s.t) {
			samples = append(samples, s.sampled(s.t, below, f))
		}
		seen := map[string]bool{}
		for _, full := range samples {
			var at []value.Path
			for _, p := range append(paths(nil, full), nil) {
				m, isMap := must(value.Get(full, p)).(map[string]any)
				if len(p) == 0 {
					m, isMap = full, true
				}
				sign := strings.Join(p.Generic(), ".") + " " + strings.Join(slices.Sorted(maps.Keys(m)), " ")
				if !isMap || seen[sign] {
					continue
				}
				seen[sign] = true
				at = append(at, p)
			}
			if len(at) == 0 || s.problems(full, below).HasErrors() {
				continue // nothing new, or not a sample that can be had
			}
			for _, p := range at {
				if takesAnyKey(s.t, full, p) {
					open.Add(1)
					continue
				}
				tried.Add(1)
				with, _ := value.Clone(full).(map[string]any)
				value.Set(with, p.Child(strangeKey), "1")
				if diags := s.problems(with, below); !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool {
					return d.Code == diag.CfgUnknownKey && strings.Contains(d.Detail, strangeKey) && strings.Contains(d.Fix, "kongctl explain "+s.t.Kind)
				}) {
					t.Errorf("an unknown key in %s of %s: %v", p, s.t.Kind, diags)
				}
			}
		}
	})
}

// takesAnyKey reports whether people choose the keys of a mapping.
func takesAnyKey(t *catalog.Bound, full map[string]any, p value.Path) bool {
	of := catalog.SchemaAt(t.Write(), p, full)
	if of == nil {
		return true
	}
	for _, s := range append(of.Branches(), of) {
		if o := s.Object(nil); o.Open || o.Values != nil {
			return true
		}
	}
	return false
}
