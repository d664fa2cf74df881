package catalog

var apiTypes = []*Type{API, APIVersion, APIPublication, APIImplementation, APIDocument}

// API is an API of the catalog that portals publish.
var API = &Type{
	Kind: "api", Key: "apis",
	Identity: []string{"name"},
	Path:     "/v3/apis",
	// A slug of null is made from the name.
	Computed:  []string{"slug"},
	Unique:    []string{"slug"},
	Normalize: versionOfContent,
}

// APIVersion is a version of an API with its specification.
var APIVersion = &Type{
	Kind: "api_version", Key: "versions", Parent: API,
	Identity:  []string{"version"},
	Path:      "/v3/apis/{apiId}/versions",
	Normalize: versionFromSpec,
}

// APIPublication makes an API visible in a portal.
var APIPublication = &Type{
	Kind: "api_publication", Key: "publications", Parent: API,
	Identity: []string{"portal_id"},
	Shape:    Map, MapKey: "portal_id",
	Path: "/v3/apis/{apiId}/publications/{portalId}",
	List: "/v3/api-publications", ListParent: "api_id",
	// A publication without them takes the portal's default strategy.
	Computed: []string{"auth_strategy_ids"},
	References: []Reference{
		{Field: "portal_id", Kind: "portal"},
		{Field: "auth_strategy_ids", Kind: "application_auth_strategy"},
	},
}

// APIImplementation ties an API to the gateway that serves it.
var APIImplementation = &Type{
	Kind: "api_implementation", Key: "implementations", Parent: API,
	Identity: []string{"service.id", "service.control_plane_id", "control_plane.control_plane_id"},
	Path:     "/v3/apis/{apiId}/implementations",
	List:     "/v3/api-implementations", ListParent: "api_id",
	References: []Reference{
		// decK may write the service later, or again.
		{Field: "service.id", Kind: "gateway_service", OnDelete: Keeps},
		// By the contract the deletion of a control plane cannot conflict.
		{Field: "service.control_plane_id", Kind: "control_plane", OnDelete: Cascades},
		{Field: "control_plane.control_plane_id", Kind: "control_plane", OnDelete: Cascades},
	},
}

// APIDocument is a text about an API; documents form a tree.
var APIDocument = &Type{
	Kind: "api_document", Key: "documents", Parent: API,
	Identity:  []string{"slug"},
	Path:      "/v3/apis/{apiId}/documents",
	Tree:      &Tree{Parent: "parent_document_id", Children: "children"},
	Normalize: frontMatter("title", "slug", "status"),
}
