package engine

import (
	"context"
	"errors"
	"strings"

	"kongctl/internal/event"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/export"
)

// ExportRequest says what to export, and how.
type ExportRequest struct {
	Read  export.Options
	Write export.WriteOptions
}

// Exported is an export; Failed counts the parts that could not be read.
type Exported struct {
	*export.Output
	Failed int
}

// Export reads what exists as configuration.
func (e *Engine) Export(ctx context.Context, r ExportRequest) (*Exported, error) {
	s, err := e.konnect.open(ctx)
	if err != nil {
		return nil, err
	}
	var snap *export.Snapshot
	err = e.phase(event.Reading, func() (_ int, err error) {
		snap, err = export.Read(ctx, s.target, s.catalog, r.Read)
		return 0, err
	})
	if err != nil {
		return nil, err
	}
	if len(snap.Roots) == 0 && len(r.Read.Filters) > 0 && len(snap.Failed) == 0 {
		return nil, errors.New("nothing in Konnect fits the filter")
	}
	out, err := export.Write(snap, r.Write)
	if err != nil {
		return nil, err
	}
	return &Exported{Output: out, Failed: len(snap.Failed)}, nil
}

// LeftOut counts what an export of the embedded Konnect does not hold: what is in
// other regions, by region, and what decK manages, by type.
func (e *Engine) LeftOut(ctx context.Context) (regions, entities map[string]int, err error) {
	s, err := e.konnect.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	state, err := s.about.State(ctx)
	if err != nil {
		return nil, nil, err
	}
	regions, entities = map[string]int{}, map[string]int{}
	for kind, list := range state {
		_, region, other := strings.Cut(kind, "@")
		switch t := s.catalog.Kind(kind); {
		case other:
			regions[region] += len(list)
		case t != nil && t.Writer != "":
			entities[catalog.Words(kind)] += len(list)
		}
	}
	return regions, entities, nil
}

// seed is what only a state says.
type seed = export.State

// takeState takes what only a state says out of the documents of a seed.
func (w *Walk) takeState() error {
	docs, state, list := export.TakeState(w.Files.Documents)
	w.Files.Documents, w.seed = docs, state
	return w.found(list)
}

// fill makes of a plan one that fills an empty embedded Konnect: labels as a
// state has them, and siblings made in their order.
func (w *Walk) fill() error {
	cat, err := w.konnect().Catalog()
	if err != nil {
		return err
	}
	if w.seed != nil {
		w.seed.Restore(cat, w.Plan, w.Env)
		return nil
	}
	export.KeepOrder(cat, w.Plan)
	return nil
}
