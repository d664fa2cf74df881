//go:build !nonative

package native_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/client"
	"github.com/kongctl/kongctl/internal/testkit"
)

// A control plane that was just made answers 404 for a moment: it is waited for,
// not for ever, and by the client's clock.
func TestControlPlaneThatWasJustMade(t *testing.T) {
	for name, row := range map[string]struct {
		lag     time.Duration
		appears bool
		waited  time.Duration
	}{
		"at once":       {0, true, 0},
		"after a while": {600 * time.Millisecond, true, 750 * time.Millisecond},
		"never":         {time.Hour, false, 1750 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlane(t)
			c := testkit.NewClock(time.Unix(0, 0))
			var mu sync.Mutex
			refused := 0
			p.recorder.intercept = func(*http.Request) *http.Response {
				if c.Now().Sub(time.Unix(0, 0)) >= row.lag {
					return nil
				}
				mu.Lock()
				defer mu.Unlock()
				refused++
				return refuse(404, `{"message":"control plane not found"}`)
			}
			p.Reconciler = p.reconciler(func(cfg *client.Config) { cfg.Clock = c })
			got, err := p.Run(t.Context(), p.ask(gateway.Sync, stories["plugins of everything"].text))
			if waited := c.Now().Sub(time.Unix(0, 0)); waited != row.waited {
				t.Errorf("waited %s, want %s", waited, row.waited)
			}
			if !row.appears {
				if e := failed(t, err); e.Message != "read services: 404 control plane not found" || !client.IsNotFound(err) {
					t.Error(err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(stories["plugins of everything"].creates, short(got)); d != "" {
				t.Error(d)
			}
			if row.lag > 0 && refused == 0 {
				t.Error("nothing was refused")
			}
		})
	}
}

// A control plane that was seen is not waited for: a list that answers 404 is
// one that this Konnect does not have.
func TestListsThatKonnectDoesNotHave(t *testing.T) {
	p := newPlane(t)
	c := testkit.NewClock(time.Unix(0, 0))
	p.Reconciler = p.reconciler(func(cfg *client.Config) { cfg.Clock = c })
	p.recorder.intercept = func(req *http.Request) *http.Response {
		if strings.HasSuffix(req.URL.Path, "/degraphql_routes") || strings.HasSuffix(req.URL.Path, "/partials") {
			return refuse(404, `{"message":"no such list"}`)
		}
		time.Sleep(time.Millisecond) // so that those come first
		return nil
	}
	if got := p.diff(p.ask(gateway.Sync, "services: [{name: a, host: h}]")); len(got) != 1 {
		t.Errorf("%v", short(got))
	}
	if n := len(p.reads()); n != 19 {
		t.Errorf("%d reads: %v", n, p.reads())
	}
	if !c.Now().Equal(time.Unix(0, 0)) {
		t.Errorf("waited until %s", c.Now())
	}
}
