package query

import "github.com/kongctl/kongctl/internal/konnect/catalog"

// Hidden stands in place of a secret.
const Hidden = "(secret)"

// Masked is what Konnect returned without what is secret of it.
func Masked(t *catalog.Bound, body map[string]any) map[string]any {
	return catalog.Masked(t, body, Hidden)
}
