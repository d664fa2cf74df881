package query_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/query"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/resource"
)

// only has objects of one type.
type only struct {
	memory
	t   *catalog.Type
	err error
}

func (o only) List(ctx context.Context, s remote.Scope) ([]*resource.Object, error) {
	if s.Type.Type != o.t {
		return nil, nil
	}
	if o.err != nil {
		return nil, o.err
	}
	return o.memory.List(ctx, s)
}

// A resource that is called as something that its type has is shown where no flag says
// whose children, parts or groups are asked for. With a flag, these are meant.
func TestNameThatIsAlsoAChild(t *testing.T) {
	cat := load(t)
	tried, all := 0, 0
	for _, x := range cat.All() {
		words := query.Next([]string{x.Kind})
		for group := range catalog.Groups(x) {
			words = append(words, group)
		}
		slices.Sort(words)
		for _, word := range words {
			asked, err := query.Parse([]string{x.Kind, word})
			if err != nil || asked.Or == nil {
				if x.Shape != catalog.Singleton {
					t.Errorf("%s %s: %+v, %v", x.Kind, word, asked, err)
				}
				continue
			}
			field := x.NameField()
			if field == "" || strings.Contains(field, ".") {
				field = "name"
			}
			world := only{t: x.Type, memory: memory{objects: []*resource.Object{object(map[string]any{"id": "7", field: word})}}}
			world.single = world.objects[0]
			parents := map[string]query.Selection{}
			for p := x.Parent; p != nil; p = p.Parent {
				parents[catalog.FlagWord(p.Type)] = query.Selection{ID: "1"}
			}
			run := func(world only) (*query.Answer, error) {
				return query.Run(context.Background(), world, cat, query.Request{Asked: *asked, Parents: parents})
			}
			if b := cat.Kind(asked.Type.Kind); asked.Part+asked.Group == "" && (b.ListParent != "" && x.Depth() == 0 || b.Depth() == 0) {
				all++ // listed over all parents, or at the root
				continue
			}
			if a, err := run(world); err != nil || len(a.Bodies) != 1 || a.Bodies[0]["id"] != "7" {
				t.Errorf("%s %s: %+v, %v", x.Kind, word, a, err)
			}
			var open *query.WordError
			if a, err := run(only{t: x.Type}); !errors.As(err, &open) || !strings.Contains(open.Message, "which one?") || !strings.HasSuffix(open.Hint, " Konnect has none.") {
				t.Errorf("%s %s, and there is none: %+v, %v", x.Kind, word, a, err)
			}
			others := only{t: x.Type}
			for _, name := range []string{"f", "e", "d", "c", "b", "a", "a"} {
				others.objects = append(others.objects, object(map[string]any{"id": name, field: name}))
			}
			if a, err := run(others); !errors.As(err, &open) || !strings.HasSuffix(open.Hint, ` Konnect has "a", "b", "c", "d", "e" and 1 more.`) {
				t.Errorf("%s %s, and there are others: %+v, %v %+v", x.Kind, word, a, err, open)
			}
			if a, err := run(only{t: x.Type, err: errors.New("down")}); !errors.As(err, &open) || !strings.Contains(open.Hint, "-name "+word) {
				t.Errorf("%s %s, which cannot be read: %+v, %v", x.Kind, word, a, err)
			}
			if asked.AsName() != asked.Or {
				t.Errorf("%s %s is no name", x.Kind, word)
			}
			parents[catalog.FlagWord(x.Type)] = query.Selection{ID: "1"}
			if a, err := run(only{t: x.Type}); errors.As(err, &open) {
				t.Errorf("%s %s with a flag: %+v, %v", x.Kind, word, a, err)
			}
			tried++
		}
	}
	if tried < 80 || all == 0 {
		t.Errorf("%d words were tried, %d are listed over all parents", tried, all)
	}
}
