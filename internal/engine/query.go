package engine

import (
	"kongctl/internal/konnect/live"
	"kongctl/internal/plan"
)

// query says what to read for a plan.
func (w *walk) query() live.Query {
	q := live.Query{
		Catalog: w.catalog, Set: w.set, Links: w.links,
		Sync: w.request.Mode == plan.ModeSync, Prune: w.request.Prune,
		Below: w.request.Mode == plan.ModeDelete || len(w.request.Scope.AllowReplace) > 0,
	}
	q.AllowPending, q.CheckIDs = w.request.Scope.AllowPending, w.request.Scope.CheckIDs
	q.Lenient = w.request.Mode == plan.ModeDelete || w.request.Mode == plan.ModeAdopt
	switch w.request.Mode {
	case plan.ModeDelete:
		q.Brief, q.Foreign = true, live.ForeignPassed
	case plan.ModeAdopt:
		q.Foreign = live.ForeignAdopted
		if w.request.Adopt.Overwrite {
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

// mayLose reports whether what is ignored may go with what it belongs to, so that
// all of it must be known.
func (w *walk) mayLose() bool {
	return len(w.filter.Ignore) > 0 && (w.request.Mode == plan.ModeDelete || len(w.request.Scope.AllowReplace) > 0)
}
