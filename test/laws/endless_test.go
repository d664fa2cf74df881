package laws

import (
	"testing"

	"github.com/kongctl/kongctl/internal/testkit"
	"github.com/kongctl/kongctl/internal/value"
)

// Every body of a request that the contract knows can be sampled, also where a
// schema holds itself: what holds itself is shown once inside of itself.
func TestEndlessSchemasHaveSamples(t *testing.T) {
	t.Parallel()
	cat := testkit.Catalog(t)
	g := sampler{t: cat.All()[0], n: 1, refs: func(string) any { return "x" }}
	tried := 0
	for _, op := range cat.Contract.Operations() {
		body := op.Body()
		if body == nil {
			continue
		}
		tried++
		if g.whole(body, 0, nil, 0) == nil {
			t.Errorf("%s has no sample", op.Key())
		}
		if n := len(walk(body, nil, nil)); n > 20_000 {
			t.Errorf("%s has %d features", op.Key(), n)
		}
	}
	if tried < 200 {
		t.Errorf("%d bodies were tried", tried)
	}
	filter := cat.Contract.Schema("QueryFilterString")
	sample := g.whole(filter, 0, nil, 0)
	for path, want := range map[string]bool{"and[0].eq": true, "and[0].and": false, "or[1].in": true} {
		if _, got := value.Get(sample, value.ParsePath(path)); got != want {
			t.Errorf("a filter has %s: %v", path, got)
		}
	}
}
