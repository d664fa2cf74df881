package laws

import (
	"context"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// counted is what was read, and how much of it was looked at.
type counted struct {
	resource.State
	objects int
}

func (c *counted) Objects(t *resource.Type) []resource.Part {
	out := c.State.Objects(t)
	c.objects += len(out)
	return out
}

func (c *counted) Undeclared(t *resource.Type, ancestors []string) ([]*resource.Object, bool) {
	out, read := c.State.Undeclared(t, ancestors)
	c.objects += len(out)
	return out, read
}

func (c *counted) Below(t *resource.Type, ancestors []string, id string) []resource.Part {
	out := c.State.Below(t, ancestors, id)
	c.objects += len(out)
	return out
}

// A plan of three times as many resources looks at three times as many objects, and not at
// nine times: no resource looks at all of them.
func TestPlansAreLinear(t *testing.T) {
	t.Parallel()
	const few, many = 3, 9
	for _, typ := range writable(newWorld(t).cat) {
		if typ.Parent == nil && typ.Shape == catalog.Singleton {
			continue // the organization has one
		}
		t.Run(typ.Kind, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s := newScene(w, typ)
			seen := map[plan.Mode][]int{}
			for _, n := range []int{few, many - few} {
				for range n {
					s.sampleOf(nil)
				}
				text := s.text()
				w.run(w.plan(text, plan.ModeSync))
				for _, mode := range []plan.Mode{plan.ModeSync, plan.ModeDelete} {
					walk := w.loaded(text)
					walk.Request.Mode = mode
					if _, err := walk.Read(context.Background()); err != nil {
						t.Fatal(err)
					}
					state := &counted{State: walk.State}
					walk.State = state
					if _, err := walk.Build(context.Background()); err != nil {
						t.Fatal(err)
					}
					seen[mode] = append(seen[mode], state.objects)
				}
			}
			for mode, n := range seen {
				if n[1] > n[0]*many/few {
					t.Errorf("%s of %d resources looks at %d objects, of %d at %d", mode, few, n[0], many, n[1])
				}
			}
		})
	}
}
