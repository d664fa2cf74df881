package engine

import (
	"kongctl/internal/konnect/export"
)

// takeState takes what only a state says out of the documents of a seed.
func (w *walk) takeState() error {
	docs, state, list := export.TakeState(w.loaded.Documents)
	w.loaded.Documents, w.state = docs, state
	return w.found(list)
}

// fill makes of a plan one that fills an empty embedded Konnect: labels as a
// state has them, and siblings made in their order.
func (w *walk) fill(env func(string) (string, bool)) {
	if w.state != nil {
		w.state.Restore(w.catalog, w.plan, env)
		return
	}
	export.KeepOrder(w.catalog, w.plan)
}
