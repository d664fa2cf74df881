package drive

import (
	"context"
	"sync"
	"time"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/konnect/remote"
	"github.com/kongctl/kongctl/internal/resource"
)

// lookout keeps the lists that checks during a run read, so that many changes of
// one list cost one read.
type lookout struct {
	mu    sync.Mutex
	lists map[string]*sight
}

// sight is one list and when it was read.
type sight struct {
	mu      sync.Mutex
	at      time.Time
	objects []*resource.Object
	err     error
}

// recent reads a list unless this run has done so a moment ago.
func (d *Driver) recent(ctx context.Context, s remote.Scope) ([]*resource.Object, error) {
	key := scopeKey(s)
	d.rechecks.mu.Lock()
	l := d.rechecks.lists[key]
	if l == nil {
		l = &sight{}
		d.rechecks.lists[key] = l
	}
	d.rechecks.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := d.Now(); l.at.IsZero() || l.err != nil || now.Sub(l.at) > execute.RecheckAfter {
		l.at = now
		l.objects, l.err = d.Target.List(ctx, s)
	}
	return l.objects, l.err
}
