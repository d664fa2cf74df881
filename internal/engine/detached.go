package engine

import (
	"context"

	"github.com/kongctl/kongctl/internal/execute"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// detachment says what is known about the resources that an unfinished run
// detached and did not attach again: open ones lack references, others are not
// declared.
type detachment struct{ open, others bool }

// warnDetached warns about resources that unfinished runs detached and did not
// attach again, and that the plan leaves as they are.
func (e *Engine) warnDetached(ctx context.Context, w *Walk) error {
	s, err := e.session(ctx, w.parts())
	if err != nil {
		return err
	}
	runs, err := e.history.unfinished(ctx, s.here)
	if err != nil {
		return err
	}
	e.history.detached = map[string]detachment{}
	for _, u := range runs {
		var d detachment
		for _, x := range u.Detached() {
			open, known := x.Open(w.Plan, w.Set.Types, w.Set, w.State)
			if open {
				w.Plan.Warn(x, u.ID)
			}
			d.open, d.others = d.open || open, d.others || !known
		}
		e.history.detached[u.ID] = d
	}
	return nil
}

// leavesDetached reports whether a run that is complete leaves something
// detached that only the journal of an older run knows about. A sync that prunes
// has deleted what is not declared.
func (h *history) leavesDetached(done *plan.Plan, u *execute.Unfinished) bool {
	d, known := h.detached[u.ID]
	if !known {
		return len(u.Detached()) > 0
	}
	m := done.Metadata
	return d.open || d.others && (m.Mode != plan.ModeSync || m.SyncScope.Prune != resource.PruneFull || len(m.SyncScope.Narrowed) > 0)
}
