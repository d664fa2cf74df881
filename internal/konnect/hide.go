package konnect

import (
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// Hide returns the fields of a resource without what is secret. Of what another
// program wrote, passwords in URLs and fields that are secret by their name are hidden,
// too.
func (t *Target) Hide(kind string, fields map[string]any, foreign bool) map[string]any {
	cat, err := t.Catalog()
	if err != nil || cat.Kind(kind) == nil {
		return plan.HideByName(fields, plan.Secret)
	}
	return catalog.Guarded(cat.Kind(kind), fields, plan.Secret, harmless, foreign)
}

// harmless reports whether a text is no secret, wherever it stands.
func harmless(text string) bool {
	return text == "" || value.FromVault(text) || plan.HoldsHidden(text) || text == plan.UnknownID
}
