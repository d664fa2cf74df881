package catalog

var catalogFamily = Family{
	Name: "catalog", Title: "Service catalog",
	Words: []string{"catalog"},
	Types: []*Type{CatalogService, CatalogServiceAPIMapping, IntegrationInstance, Scorecard},
}

// CatalogService is a service of the service catalog.
var CatalogService = &Type{
	Kind: "catalog_service", Key: "catalog_services",
	Identity: []string{"name"},
	Path:     "/v1/catalog-services",
	Parts:    []string{"custom_fields"},
}

// CatalogServiceAPIMapping says that a service offers an API.
var CatalogServiceAPIMapping = &Type{
	Kind: "catalog_service_api_mapping", Key: "api_mappings", ChildOf: CatalogService,
	Identity:   []string{"api_id"},
	Shape:      Membership,
	Path:       "/v1/catalog-services/{serviceId}/api-mappings",
	References: []Reference{{Field: "api_id", Kind: "api", OnDelete: Cascades}},
	KeyedPrune: true,
}

// IntegrationInstance connects the catalog to another system.
var IntegrationInstance = &Type{
	Kind: "integration_instance", Key: "integration_instances",
	Identity: []string{"name"},
	Path:     "/v1/integration-instances",
	// The response names the integration in an object of its own.
	Gathered: &Gathered{In: "integration", As: map[string]string{"name": "integration_name"}},
	Example:  map[string]any{"integration_name": "pagerduty"},
}

// Scorecard says by which criteria services of the catalog are judged.
var Scorecard = &Type{
	Kind: "scorecard", Key: "scorecards",
	Identity: []string{"name"},
	Path:     "/v1/scorecards",
	Example: map[string]any{"criteria": []any{map[string]any{
		"enabled": true, "template_name": "time_to_merge", "section_name": nil, "template_parameters": map[string]any{"measure": "median"},
	}}},
}
