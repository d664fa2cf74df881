package laws

import (
	"slices"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// labelled is a resource whose labels are not all known before it is made.
const labelled = "teams:\n- {ref: named, name: named}\ncontrol_planes:\n- {ref: labelled, name: labelled, labels: {a: b, c: !ref named}}\n"

// A mapping whose keys people choose takes labels of another resource where its
// values are text. Anything else is found before the first request.
func TestMappingsFit(t *testing.T) {
	var taken, refused atomic.Int64
	afterAll(t, func() {
		t.Logf("%d mappings take labels, %d do not", taken.Load(), refused.Load())
		if taken.Load() == 0 || refused.Load() == 0 {
			t.Error("the law was not tried")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		var w *world
		seen := map[string]bool{}
		for _, f := range allFeatures(typ) {
			p := f.path()
			m := typ.Write().At(p, nil)
			if len(p) == 0 || seen[p.String()] || catalog.Kinds(m) != resource.Mappings || p[0] == "labels" && typ.HasLabels() {
				continue
			}
			o := m.Object(nil)
			kinds := catalog.Kinds(o.Values)
			if len(o.Names()) > 0 || o.Values == nil || kinds == 0 {
				continue
			}
			if w == nil {
				w = newWorld(t)
				typ = w.cat.Kind(typ.Kind)
			}
			one := newScene(w, typ)
			parent := one.parent(typ)
			fields := one.sampled(typ, parent, f)
			places := value.Places(fields, p)
			if len(places) == 0 {
				continue
			}
			seen[p.String()] = true
			for _, at := range places {
				value.Set(fields, at, refTo{ref: "labelled", field: "labels"})
			}
			one.add(typ, fields, parent)
			diags := w.try(merged(one.text(), labelled))
			fits := !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == diag.RefValue })
			if want := resource.Texts.Fit(kinds); fits != want {
				t.Errorf("%s takes a mapping of %s: found %v", p, kinds, diags)
			}
			if fits {
				taken.Add(1)
			} else {
				refused.Add(1)
			}
		}
	})
}
