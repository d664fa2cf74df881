package laws

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// dropper leaves a field of one object out of every answer.
type dropper struct {
	next  http.RoundTripper
	id    string
	field value.Path
}

func (d dropper) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := d.next.RoundTrip(req)
	if err != nil || req.Method != http.MethodGet {
		return resp, err
	}
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	var body any
	if json.Unmarshal(raw, &body) == nil {
		d.drop(body)
		if raw, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	resp.Header.Del("Content-Length")
	return resp, nil
}

func (d dropper) drop(body any) {
	switch x := body.(type) {
	case []any:
		for _, item := range x {
			d.drop(item)
		}
	case map[string]any:
		if x["id"] == d.id {
			value.Delete(x, d.field)
		}
		for _, item := range x {
			d.drop(item)
		}
	}
}

// What exists without a field of its identity stops no plan: it stays, and a warning
// names it. Beside it everything is found and planned.
func TestUnnamedObjectsStay(t *testing.T) {
	var tried atomic.Int64
	afterAll(t, func() {
		t.Logf("%d fields left out", tried.Load())
		if tried.Load() < 15 {
			t.Error("too few fields were tried")
		}
	})
	eachKind(t, func(t *testing.T, typ *catalog.Bound) {
		for _, field := range typ.Identity {
			if typ.List == nil || !catalog.MayLack(typ, field) {
				continue
			}
			tried.Add(1)
			w := newWorld(t)
			config := func(n int) string {
				s := newScene(w, typ)
				parent := s.parent(typ)
				for range 2 {
					s.made = map[string]string{} // each refers to others
					s.addMinimal(typ, parent, nil)
				}
				if list := s.lists[typ.Root()]; n == 1 {
					s.lists[typ.Root()] = list[:len(list)-1]
				}
				return s.text()
			}
			w.run(w.plan(config(2), plan.ModeSync))
			id := ""
			w.plan(config(2), plan.ModeSync)
			for _, r := range w.set.Resources {
				if o := w.snap.Object(r); o != nil && catalog.Of(r) == typ {
					id = o.ID
				}
			}
			w.wire.next = dropper{w.wire.next, id, catalog.AnswerPath(typ, value.ParsePath(field))}
			for _, mode := range []plan.Mode{plan.ModeApply, plan.ModeSync} {
				p := w.plan(config(1), mode)
				if len(p.Errors) > 0 || len(p.Changes) > 0 {
					t.Errorf("%s without %s: %d changes, %v", mode, field, len(p.Changes), p.Errors)
				}
				named := 0
				for _, x := range p.Warnings {
					if strings.Contains(x.Message, id) && strings.Contains(x.Message, "has no "+field) {
						named++
					}
				}
				if named != 1 {
					t.Errorf("%s without %s: %d warnings name %s: %v", mode, field, named, id, p.Warnings)
				}
			}
			p := w.plan(config(1), plan.ModeDelete)
			for _, c := range p.Changes {
				if c.ResourceID == id {
					t.Errorf("delete without %s deletes %s", field, id)
				}
			}
		}
	})
}
