package laws

import (
	"encoding/json"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// Items of a list that have ids of Konnect's own keep them when another item is
// changed, added or removed, and when they are changed themselves.
func TestItemsKeepTheirIDs(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		if tried.Load() == 0 {
			t.Error("no type has such a list: the law was not tried")
		}
	})
	eachType(t, func(t *testing.T, s *scene) {
		for _, list := range catalog.ItemLists(s.t) {
			tried.Add(1)
			sample := sampler{t: s.t, n: 1, refs: s.reference}.sample(nil)
			one, _ := sample[list.Field].([]any)[0].(map[string]any)
			item := func(name string, enabled any) any {
				x, _ := value.Clone(one).(map[string]any)
				for _, f := range list.Known {
					if at := s.t.Write().At([]string{list.Field, f}, nil); at != nil && len(at.Enum) == 0 {
						x[f] = name
					}
				}
				for k, v := range x {
					if _, is := v.(bool); is {
						x[k] = enabled
					}
				}
				return x
			}
			bring := func(items ...any) []string {
				sample[list.Field] = items
				is := newScene(s.w, s.t)
				is.add(s.t, sample, "")
				s.w.run(s.w.plan(is.text(), plan.ModeSync))
				var all []map[string]any
				if err := json.Unmarshal([]byte(storedOf(t, s.w, s.t.Kind)), &all); err != nil || len(all) != 1 {
					t.Fatal(err, all)
				}
				var out []string
				for _, x := range all[0][list.Field].([]any) {
					id, _ := x.(map[string]any)["id"].(string)
					out = append(out, id)
				}
				return out
			}
			first := bring(item("a", true), item("b", true), item("c", true))
			second := bring(item("n", true), item("c", true), item("b", false))
			if second[1] != first[2] || second[2] != first[1] {
				t.Errorf("%s.%s: the items a, b, c had %v; n, c, b have %v", s.t.Kind, list.Field, first, second)
			}
			if second[0] == first[0] || second[0] == "" {
				t.Errorf("%s.%s: a new item has the id of another one: %v, %v", s.t.Kind, list.Field, first, second)
			}
		}
	})
}
