package catalog

import (
	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

// APIPackage is a choice of operations of several APIs that portals publish as
// one.
var APIPackage = &Type{
	Kind: "api_package", Key: "api_packages",
	Identity: []string{"name"},
	Variant:  "version",
	Path:     "/v3/api-packages",
	// Unlike that of an API it is never made from the name.
	Unique: []string{"slug"},
	Parts:  []string{"attributes"},
}

// APIPackageDocument is a text about an API package; documents form a tree.
var APIPackageDocument = &Type{
	Terraform: Terraform{None: true},
	Kind:      "api_package_document", Key: "documents", ChildOf: APIPackage,
	Identity:    []string{"slug"},
	Path:        "/v3/api-packages/{packageId}/documents",
	Tree:        &Tree{Parent: "parent_document_id", Children: "children"},
	Formats:     []Formatted{{"slug", Slug}},
	FrontMatter: []string{"title", "slug", "status"},
	Normalize:   withSlug,
	Loads:       []Loaded{{Field: "slug", From: []string{"title", "content"}, Says: slugOfTitle}, overrides},
	Keeps:       []Kept{{Field: "title", Why: noWay, Words: []string{"slug"}, Wordless: "Home"}},
}

// APIPackageSpecification is the specification of an API package where people
// write one.
var APIPackageSpecification = &Type{
	Terraform: Terraform{None: true},
	Kind:      "api_package_specification", Key: "specification", ChildOf: APIPackage,
	Shape:   Singleton,
	Path:    "/v3/api-packages/{packageId}/current-specification",
	Formats: []Formatted{{"content", Document}},
	// Konnect works it out from the content.
	Computed: []string{"type"},
	Keeps:    []Kept{{Field: "type", Why: noSpecification, From: kindOfContent}},
	Example:  map[string]any{"content": "openapi: 3.0.3\ninfo: {title: My package, version: 1.0.0}\npaths: {}\n"},
}

// APIPackagePublication makes an API package visible in a portal.
var APIPackagePublication = &Type{
	Terraform: Terraform{None: true},
	Kind:      "api_package_publication", Key: "publications", ChildOf: APIPackage,
	Identity: []string{"portal_id"},
	Shape:    Map,
	Path:     "/v3/api-packages/{apiPackageId}/publications/{portalId}",
	// One list has the publications of APIs and of API packages.
	ListPath: "/v3/api-publications",
	AsList:   true,
	// As of an API's publication: without them it takes the portal's default.
	Computed: []string{"auth_strategy_ids"},
	Inherits: []Inherited{{Field: "auth_strategy_ids", From: "portal_id", Of: "default_application_auth_strategy_id"}},
	References: []Reference{
		{Field: "portal_id", Kind: "portal"},
		{Field: "auth_strategy_ids", Kind: "application_auth_strategy"},
	},
}

// APIPackageImage is an image of an API package, by its use, as of an API.
var APIPackageImage = &Type{
	Terraform: Terraform{None: true},
	Kind:      "api_package_image", Key: "images", ChildOf: APIPackage,
	Identity:   []string{"image_type"},
	Shape:      Map,
	Path:       "/v3/api-packages/{packageId}/images/{imageType}",
	KeyedPrune: true,
	Example:    map[string]any{"data": exampleImage},
}

// APIPackageOperation is an operation of an API that an API package offers.
var APIPackageOperation = &Type{
	Terraform: Terraform{None: true},
	Kind:      "api_package_operation", Key: "operations", ChildOf: APIPackage,
	Identity:   []string{"operation_id"},
	Shape:      Map,
	Path:       "/v3/api-packages/{packageId}/operations/{operationId}",
	References: []Reference{{Field: "operation_id", Kind: "api_operation", OnDelete: Cascades}},
	KeyedPrune: true,
	Normalize:  operationOf,
	Loads: []Loaded{
		{Field: "operation_id", From: []string{"method"}, Says: "or write api, method and path"},
		{Field: "method", Says: "with path: the operation, in place of its id"},
		{Field: "path", Says: "with method: the operation, in place of its id"},
		{Field: "api", Says: "with method and path: ref, name or id of the API that has the operation"},
		{Field: "api_id", Says: "same as api"},
	},
}

// operationOf lets an operation be named by its API, method and path: the contract
// knows it by an id that nobody chooses.
func operationOf(v value.Value) (value.Value, diag.List) {
	if v.Has("operation_id") || v.Has("operation") {
		return v, nil
	}
	var by []value.Entry
	for _, key := range []string{"api", "api_id", "method", "path"} {
		if v.Has(key) {
			by = append(by, value.Entry{Key: key, KeyPos: v.KeyPos(key), Value: v.Field(key)})
			v = v.Without(key)
		}
	}
	if len(by) == 0 {
		return v, nil
	}
	args := value.MapAt(by[0].KeyPos, by...)
	found := value.ExprAt(by[0].KeyPos, value.Expression{Op: value.OpLookup, Args: &args})
	return v.With(value.Entry{Key: "operation_id", KeyPos: by[0].KeyPos, Value: found}), nil
}
