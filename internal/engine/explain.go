package engine

import (
	"github.com/kongctl/kongctl/internal/gateway"
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/explain"
	"github.com/kongctl/kongctl/internal/resource"
)

// Explainer describes Konnect's types, and what other targets add to them.
func Explainer(cat *catalog.Catalog) *explain.Explainer {
	return explain.New(cat, []resource.Extension{gateway.Extension()})
}
