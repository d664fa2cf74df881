package engine

import (
	"kongctl/internal/konnect/live"
	"kongctl/internal/plan"
)

// query says what to read for a plan.
func (w *Walk) query() live.Query {
	q := live.Query{
		Made: w.made, Sleep: w.Sleep,
		Catalog: w.Catalog, Set: w.Set, Links: w.Links,
		Sync: w.Request.Mode == plan.ModeSync, Prune: w.Request.Prune,
		Below: w.Request.Mode == plan.ModeDelete || len(w.Request.Scope.AllowReplace) > 0,
	}
	q.AllowPending, q.CheckIDs = w.Request.Scope.AllowPending, w.Request.Scope.CheckIDs
	q.Lenient = w.Request.Mode == plan.ModeDelete || w.Request.Mode == plan.ModeAdopt
	switch w.Request.Mode {
	case plan.ModeDelete:
		q.Brief, q.Foreign = true, live.ForeignPassed
	case plan.ModeAdopt:
		q.Foreign = live.ForeignAdopted
		if w.Request.Adopt.Overwrite {
			q.Foreign = live.ForeignSeized
		}
	case plan.ModeApply, plan.ModeSync:
	}
	if !w.filter.Empty() {
		q.DeckLeftOut = w.filter.DeckLeftOut(w.Set)
		q.LeftOut = w.filter.LeftOut(w.Set)
		q.All = w.filter.Wide(w.Set) || w.mayLose()
	}
	return q
}

// mayLose reports whether what is ignored may go with what it belongs to, so that
// all of it must be known.
func (w *Walk) mayLose() bool {
	return len(w.filter.Ignore) > 0 && (w.Request.Mode == plan.ModeDelete || len(w.Request.Scope.AllowReplace) > 0)
}
