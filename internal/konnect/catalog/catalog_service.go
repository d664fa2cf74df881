package catalog

var catalogFamily = Family{
	Name: "catalog", Title: "Service catalog",
	Words: []string{"catalog"},
	Types: []*Type{CatalogService},
}

// CatalogService is a service of the service catalog.
var CatalogService = &Type{
	Kind: "catalog_service", Key: "catalog_services",
	Identity: []string{"name"},
	Path:     "/v1/catalog-services",
}
