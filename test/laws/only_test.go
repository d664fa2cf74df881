package laws

import (
	"maps"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/value"
)

// A required field with one allowed value may be left out, at any depth: an editor takes
// it, and the declaration is the same as with it.
func TestOnlyValueMayBeLeftOut(t *testing.T) {
	var tried, schemas atomic.Int64
	editor := editorSchema(t)
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		for form := range min(forms(typ.Write(), 0), mostFormsOfNulls) {
			w := newWorld(t)
			base := newScene(w, w.cat.Kind(typ.Kind))
			if base.t.Parent != nil {
				base.below = base.parent(base.t)
			}
			base.at = &making{base.t, base.below}
			full := sampler{t: base.t, n: 100 * (form + 1), refs: base.reference}.everything(form)
			left := withoutOnly(base.t, full)
			if value.Equal(full, left) {
				continue
			}
			plain, short := base.with(full), base.with(left)
			if w.try(plain).HasErrors() {
				continue
			}
			tried.Add(1)
			if diags := w.try(short); diags.HasErrors() {
				t.Errorf("form %d: %v", form, diags.Err())
				continue
			}
			if want, got := w.declaration(t, plain), w.declaration(t, short); got != want {
				t.Errorf("form %d: it is\n%s\nand with all fields\n%s", form, got, want)
			}
			if editor.Validate(inEditor(t, plain)) == nil {
				schemas.Add(1)
				if err := editor.Validate(inEditor(t, short)); err != nil {
					t.Errorf("form %d: an editor refuses it: %v", form, err)
				}
			}
		}
	})
	afterAll(t, func() {
		t.Logf("%d forms were tried, %d of them in an editor", tried.Load(), schemas.Load())
		if tried.Load() < 5 || schemas.Load() < 5 {
			t.Error("too few")
		}
	})
}

// withoutOnly is a body without the required fields that have one allowed value.
func withoutOnly(t *catalog.Bound, body map[string]any) map[string]any {
	var clean func(p value.Path, v any) any
	clean = func(p value.Path, v any) any {
		switch x := v.(type) {
		case map[string]any:
			out := map[string]any{}
			o := t.Write().At(p, body).Object(nil)
			for _, k := range slices.Sorted(maps.Keys(x)) {
				if f := o.Field(k); f != nil && len(x) > 1 {
					if _, one := f.Only(); one {
						continue
					}
				}
				out[k] = clean(p.Child(k), x[k])
			}
			return out
		case []any:
			out := make([]any, len(x))
			for i := range x {
				out[i] = clean(p.Index(i), x[i])
			}
			return out
		}
		return v
	}
	out, _ := clean(nil, body).(map[string]any)
	return out
}
