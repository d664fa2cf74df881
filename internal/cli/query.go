package cli

import (
	"kongctl/internal/konnect/live"
	"kongctl/internal/plan"
)

// query says what to read for a plan.
func (w *walk) query() live.Query {
	q := live.Query{
		Catalog: w.catalog, Set: w.set, Links: w.links,
		Sync: w.request.mode == plan.ModeSync, Prune: w.prune,
		Below: w.request.mode == plan.ModeDelete || len(w.request.scope.allowReplace) > 0,
	}
	q.AllowPending, q.CheckIDs = w.request.scope.allowPending, w.request.scope.checkIDs
	q.Lenient = w.request.mode == plan.ModeDelete || w.request.mode == plan.ModeAdopt
	switch w.request.mode {
	case plan.ModeDelete:
		q.Brief, q.Foreign = true, live.ForeignPassed
	case plan.ModeAdopt:
		q.Foreign = live.ForeignAdopted
		if w.request.adopt.overwrite {
			q.Foreign = live.ForeignSeized
		}
	case plan.ModeApply, plan.ModeSync:
	}
	if !w.filter.Empty() {
		q.DeckLeftOut = w.filter.DeckLeftOut(w.set)
		q.LeftOut = w.filter.LeftOut(w.set)
		q.All = w.filter.Wide(w.set) || w.mayLose()
	}
	return q
}

// mayLose tells that what is ignored may go with what it belongs to, so that
// all of it must be known.
func (w *walk) mayLose() bool {
	return len(w.filter.Ignore) > 0 && (w.request.mode == plan.ModeDelete || len(w.request.scope.allowReplace) > 0)
}
