package engine

import (
	"context"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/resource"
)

// watchSettings notes in each delete what exists once below its resource, so that a
// change of it before the delete is found: lists do not say when it was changed.
func watchSettings(ctx context.Context, w *Walk) error {
	k := &keeping{w: w, places: w.Plan.Places()}
	for _, c := range w.Plan.Changes {
		t := w.Set.Types.Kind(c.ResourceType)
		if c.Action != plan.Delete || t == nil {
			continue
		}
		reader, ok := w.registry.of(t.Kind).(SettingsReader)
		if !ok {
			continue
		}
		own := resource.Part{Type: t, Ancestors: plan.AncestorsOf(c), Object: t.Recorded(c.ResourceID, c.CurrentState)}
		settings, err := reader.Settings(ctx, append([]resource.Part{own}, k.below(c, t)...))
		if err != nil {
			return err
		}
		c.Watch(settings)
	}
	return nil
}
