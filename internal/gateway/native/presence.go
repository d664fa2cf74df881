//go:build !nonative

package native

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/client"
)

// How often and how long to look for a control plane that was just made: reads
// may be behind writes for a moment.
const (
	presenceTries = 4
	presenceWait  = 250 * time.Millisecond
)

// presence is whether the control plane can be read.
type presence struct {
	seen    atomic.Bool
	looking sync.Mutex
	absent  error // the last look was in vain
}

// lately are the lists that came late to Konnect: where one answers 404, it is not
// the control plane that is missing. The library takes it for empty, which a
// control plane that was just made is.
var lately = map[string]bool{"degraphql_routes": true, "ai-models": true, "filter-chains": true, "partials": true, "custom-plugins": true, oauth2List: true, "cloned-plugins": true}

// appear waits for a control plane that answers 404.
func (g *gate) appear(ctx context.Context) error {
	g.looking.Lock()
	defer g.looking.Unlock()
	for try := 0; g.absent == nil && !g.seen.Load(); try++ {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.base+"/services?size=1", http.NoBody)
		if err != nil {
			return err
		}
		res, err := g.client.Raw(ctx, req)
		if res != nil {
			_ = res.Body.Close()
		}
		switch {
		case err == nil:
			g.seen.Store(true)
		case !client.IsNotFound(err):
			return err
		case try == presenceTries-1:
			g.absent = err
		default:
			if err := g.client.Sleep(ctx, presenceWait<<try); err != nil {
				return err
			}
		}
	}
	return g.absent
}
