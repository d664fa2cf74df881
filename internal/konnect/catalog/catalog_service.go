package catalog

var catalogFamily = Family{
	Name: "catalog", Title: "Service catalog",
	Words: []string{"catalog"},
	Types: []*Type{CatalogService, CatalogServiceAPIMapping, IntegrationInstance, ResourceMapping, Scorecard},
}

// CatalogService is a service of the service catalog.
var CatalogService = &Type{
	Kind: "catalog_service", Key: "catalog_services",
	Page:     "/{region}/service-catalog/{id}",
	Identity: []string{"name"},
	Path:     "/v1/catalog-services",
	Parts:    []string{"custom_fields"},
}

// CatalogServiceAPIMapping says that a service offers an API.
var CatalogServiceAPIMapping = &Type{
	Terraform: Terraform{None: true},
	Kind:      "catalog_service_api_mapping", Key: "api_mappings", ChildOf: CatalogService,
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
	Elsewhere: []Elsewhere{{"integration_name", "integration.name"}},
	Example:   map[string]any{"integration_name": "pagerduty"},
}

// ResourceMapping says that what an integration finds in another system belongs to a
// service.
var ResourceMapping = &Type{
	Terraform: Terraform{None: true},
	Kind:      "resource_mapping", Key: "resource_mappings",
	Identity: []string{"service", "resource.integration_instance", "resource.type", "resource.config"},
	Shape:    Membership,
	Path:     "/v1/resource-mappings",
	// The response describes the service and the instance, the request has their ids.
	Elsewhere: []Elsewhere{
		{"service", "service.id"},
		{"resource.integration_instance", "resource.integration.instance.id"},
	},
	References: []Reference{
		{Field: "service", Kind: "catalog_service", OnDelete: Cascades},
		{Field: "resource.integration_instance", Kind: "integration_instance", OnDelete: Cascades},
	},
	Example: map[string]any{"resource": map[string]any{"type": "pagerduty.service", "config": map[string]any{"service_id": "P1A2B3C"}}},
}

// Scorecard says by which criteria services of the catalog are judged.
var Scorecard = &Type{
	Terraform: Terraform{None: true},
	Kind:      "scorecard", Key: "scorecards",
	Identity: []string{"name"},
	Path:     "/v1/scorecards",
	Example: map[string]any{"criteria": []any{map[string]any{
		"enabled": true, "template_name": "time_to_merge", "section_name": nil, "template_parameters": map[string]any{"measure": "median"},
	}}},
}
