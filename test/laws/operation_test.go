package laws

import (
	"slices"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// What can be listed can be read alone, written again as it is, and removed,
// whether plans use the operation or not.
func TestEveryOperationOfATypeWorks(t *testing.T) {
	eachType(t, func(t *testing.T, s *scene) {
		s.minimal(s.t)
		text := s.text()
		s.w.run(s.w.plan(text, plan.ModeApply))
		s.w.plan(text, plan.ModeApply)
		r, scope, o := s.found()
		if s.t.Read != nil {
			again, err := s.w.target.Read(t.Context(), scope, o.ID)
			if err != nil || again == nil {
				t.Fatalf("read: %v, %v", again, err)
			}
			if !s.t.Listed {
				o = again
			}
		}
		if fields := same(s.t, r, o); len(fields) > 0 {
			if _, err := s.w.target.Update(t.Context(), scope, o.ID, remote.Write{Fields: fields}); err != nil {
				t.Fatalf("update: %v", err)
			}
		}
		if s.t.Delete == nil {
			return
		}
		if err := s.w.target.Delete(t.Context(), scope, o.ID); err != nil {
			t.Fatalf("delete: %v", err)
		}
		if s.t.Read != nil {
			if gone, err := s.w.target.Read(t.Context(), scope, o.ID); err != nil || gone != nil {
				t.Errorf("read after delete: %v, %v", gone, err)
			}
		}
	})
}

// found is the resource of the type in the last plan, and where it is.
func (s *scene) found() (*resource.Resource, remote.Scope, *resource.Object) {
	s.w.t.Helper()
	for _, r := range s.w.set.Resources {
		if catalog.Of(r).Kind != s.t.Kind {
			continue
		}
		ancestors, ok := s.w.snap.Ancestors(r)
		if o := s.w.snap.Object(r); ok && o != nil {
			return r, remote.Scope{Type: catalog.Of(r), Ancestors: ancestors}, o
		}
	}
	s.w.t.Fatalf("%s was not found again", s.t.Kind)
	return nil, remote.Scope{}, nil
}

// same is a write that changes nothing: the declared fields as they are, but for
// mappings that are patched, which answers may show in a form of their own.
func same(t *catalog.Bound, r *resource.Resource, o *resource.Object) map[string]any {
	out := map[string]any{}
	if t.Update == nil {
		return out
	}
	body := t.Update.Body().Object(o.Fields)
	for _, name := range body.Names() {
		v, f := o.Fields[name], body.Field(name)
		if f.Required && f.Schema.Secret {
			v = "law" // nobody returns it
		}
		if slices.Contains(t.ReplaceOn, name) && !f.Required {
			continue
		}
		if m, mapping := v.(map[string]any); mapping && f.Required && !t.Puts() {
			v = f.Schema.Filter(m, func(_ *contract.Schema, allowed bool, _ any) bool { return !allowed })
			out[name] = v
		}
		if list, several := v.([]any); several { // answers may say more of their items
			v = f.Schema.Filter(list, func(field *contract.Schema, allowed bool, x any) bool {
				return !allowed || x == nil && field != nil && !catalog.Nullable(field)
			})
		}
		if v == nil && f.Required && catalog.Nullable(f.Schema) && t.Puts() {
			out[name] = nil
		}
		if _, mapping := v.(map[string]any); v != nil && (!mapping || t.Puts()) && r.Fields.Has(name) {
			out[name] = v
		}
	}
	return out
}
