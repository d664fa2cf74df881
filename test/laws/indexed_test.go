package laws

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// An index of identities finds what a comparison with every object finds, in whatever
// form the identity is written, and nothing else shares its place: plans take time in
// proportion to what they are about.
func TestIdentitiesAreIndexed(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, typ := range writable(newWorld(t).cat) {
		if typ.Parent == nil && typ.Shape == catalog.Singleton {
			continue // the organization has one
		}
		tried++
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s := newScene(w, typ)
			for range 3 {
				s.sampleOf(nil)
			}
			text := s.text()
			w.run(w.plan(text, plan.ModeSync))
			walk := w.loaded(text)
			walk.Request.Mode = plan.ModeSync
			if _, err := walk.Read(context.Background()); err != nil {
				t.Fatal(err)
			}
			neutral := typ.Neutral()
			var all []*resource.Object
			for _, part := range walk.State.Objects(neutral) {
				all = append(all, part.Object)
			}
			index, keys := resource.NewIdentities(neutral, all), map[string]int{}
			for _, x := range walk.Set.Of(neutral) {
				want, known := resource.KnownIdentity(walk.State, walk.Links, x)
				if !known {
					t.Fatalf("%s is not known by anything", x.Ref)
				}
				keys[resource.IdentityKey(neutral, want)]++
				for how, want := range written(want) {
					compared := slices.DeleteFunc(slices.Clone(all), func(o *resource.Object) bool { return !resource.SameIdentity(neutral, want, o) })
					if found := index.Same(want); !slices.Equal(found, compared) {
						t.Errorf("%v (%s): the index finds %d objects, a comparison with each %d", want, how, len(found), len(compared))
					}
				}
			}
			if len(typ.Identity) > 0 && len(keys) < 3 && typ.Parent == nil {
				t.Errorf("3 resources have %d keys in the index: %v", len(keys), keys)
			}
		})
	}
	if tried < 90 {
		t.Errorf("%d types were tried", tried)
	}
}

// written are ways to write an identity.
func written(want map[string]any) map[string]map[string]any {
	ways := map[string]func(string) string{
		"as it is": func(s string) string { return s }, "in capitals": strings.ToUpper,
		"with the end of a line": func(s string) string { return s + " \n" }, "of another": func(s string) string { return s + "x" },
	}
	out := map[string]map[string]any{}
	for how, write := range ways {
		out[how] = map[string]any{}
		for field, v := range want {
			if text, ok := v.(string); ok {
				v = write(text)
			}
			out[how][field] = v
		}
	}
	return out
}
