package laws

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// Resources whose names have the wrong type, as version: 1.10 has without quotes, are
// not the same resource, and do not go by the same ref: the wrong type is all that is
// reported.
func TestMisnamedAreNotTheSame(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		if tried.Load() < 50 {
			t.Errorf("%d types were tried", tried.Load())
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		named := nameTexts(s.t)
		if s.t.ReadOnly || s.t.Shape == catalog.Singleton || len(named) == 0 {
			return
		}
		tried.Add(1)
		parent := s.parent(s.t)
		for _, wrong := range []any{1.25, 2, true} {
			s.n++
			doc := s.sampled(s.t, parent, nil)
			for _, p := range named {
				value.Set(doc, p, wrong)
			}
			if parent != "" {
				doc[s.t.ParentKeys()[0]] = parent
			}
			var b strings.Builder
			write(&b, doc)
			s.lists[s.t.Root()] = append(s.lists[s.t.Root()], b.String())
		}
		list := s.w.diagnostics(s.text())
		if !list.HasErrors() {
			t.Error("no error")
		}
		for _, d := range list {
			if d.Code == diag.CfgDuplicateRef || d.Code == diag.CfgDuplicate {
				t.Error(d)
			}
		}
	})
}

// nameTexts are the fields that tell resources of a type apart and hold texts.
func nameTexts(t *catalog.Bound) (out []value.Path) {
	for _, f := range t.Identity {
		p := value.ParsePath(f)
		_, refers := t.Reference(p.Generic())
		if schema := t.Write().At(p, nil); schema != nil && schema.Type == "string" && !refers && t.MapKey != f {
			out = append(out, p)
		}
	}
	return out
}
