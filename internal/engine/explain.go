package engine

import (
	"kongctl/internal/gateway"
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/explain"
	"kongctl/internal/resource"
)

// Explainer describes Konnect's types, and what other targets add to them.
func Explainer(cat *catalog.Catalog) *explain.Explainer {
	return explain.New(cat, []resource.Extension{gateway.Extension()})
}
