package engine

import (
	"kongctl/internal/konnect/export"
)

// takeState takes what only a state says out of the documents of a seed.
func (w *Walk) takeState() error {
	docs, state, list := export.TakeState(w.Files.Documents)
	w.Files.Documents, w.state = docs, state
	return w.found(list)
}

// fill makes of a plan one that fills an empty embedded Konnect: labels as a
// state has them, and siblings made in their order.
func (w *Walk) fill() {
	if w.state != nil {
		w.state.Restore(w.Catalog, w.Plan, w.Env)
		return
	}
	export.KeepOrder(w.Catalog, w.Plan)
}
