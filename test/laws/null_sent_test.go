package laws

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// nuller adds null to the bodies of requests for each field that only other variants of
// a union have, at any depth.
type nuller struct {
	contract *contract.Contract
	next     http.RoundTripper
	added    atomic.Int64
}

func (n *nuller) RoundTrip(req *http.Request) (*http.Response, error) {
	op, _, _ := n.contract.Match(req.Method, req.URL.EscapedPath())
	if req.Body == nil || op == nil || op.Body() == nil {
		return n.next.RoundTrip(req)
	}
	raw, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	if body, err := value.Decode(raw); err == nil {
		for _, at := range foreignFields(op.Body(), op.Body(), body, nil) {
			value.Set(body.(map[string]any), at, nil)
			n.added.Add(1)
		}
		if raw, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	return n.next.RoundTrip(req)
}

// A request that says null for what only other variants of a union have does what it
// does without: whatever the contract tells the variants apart by, in every operation
// that creates or changes something.
func TestNullOfAnotherVariantSaysNothing(t *testing.T) {
	var added atomic.Int64
	afterAll(t, func() {
		t.Logf("%d nulls were added", added.Load())
		if added.Load() < 5000 {
			t.Error("too few")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		w := newWorld(t)
		m := journeyOf(w, w.cat.Kind(typ.Kind))
		nulls := &nuller{contract: w.cat.Contract, next: emulator.Transport(w.server)}
		w.wire.next = &lender{next: nulls}
		for _, text := range []string{m.before, m.after} {
			w.run(w.plan(text, plan.ModeSync))
			w.settled(text, plan.ModeSync)
		}
		added.Add(nulls.added.Load())
	})
}
