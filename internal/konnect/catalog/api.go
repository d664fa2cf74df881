package catalog

import (
	"go.yaml.in/yaml/v3"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/value"
)

var apiFamily = Family{
	Name: "apis", Title: "APIs: versions, documents, publications and implementations",
	Types: []*Type{
		API, APIVersion, APIPublication, APIImplementation, APIDocument,
		APISpecification, APIImage, APIOperation, APIPackage, APIPackageDocument, APIPackageSpecification, APIPackagePublication, APIPackageImage, APIPackageOperation,
	},
}

// API is an API of the catalog that portals publish.
var API = &Type{
	Kind: "api", Key: "apis",
	Page:     "/{region}/apis/{id}",
	Identity: []string{"name"},
	Variant:  "version",
	Path:     "/v3/apis",
	// A slug of null is made from the name.
	Computed:  []string{"slug"},
	Unique:    []string{"slug"},
	Parts:     []string{"attributes"},
	Normalize: versionOfContent,
	Formats:   []Formatted{{"spec_content", Document}},
	// Published addresses hold it: a reset would break them.
	Keeps: []Kept{{Field: "slug", Why: "Konnect makes it when the API is created", Words: []string{"name", "version"}}},
}

// APIVersion is a version of an API with its specification.
var APIVersion = &Type{
	Kind: "api_version", Key: "versions", ChildOf: API,
	Identity:  []string{"version"},
	Path:      "/v3/apis/{apiId}/versions",
	Normalize: versionFromSpec,
	Loads: []Loaded{
		{Field: "spec", From: []string{"version"}, Free: true, Says: "may be left out where version is written; the specification may stand in its place, as a text or a mapping"},
		{Field: "version", From: []string{"spec"}, Says: "taken from the specification where it is left out"},
	},
	Formats: []Formatted{{"spec.content", Document}},
	Keeps:   []Kept{{Field: "spec.content", Why: noWay}},
	Example: map[string]any{
		"version": "1.0.0",
		"spec":    map[string]any{"content": "openapi: 3.0.3\ninfo: {title: My API, version: 1.0.0}\npaths: {/flights: {get: {responses: {\"200\": {description: OK}}}}}\n"},
	},
}

// APIPublication makes an API visible in a portal.
var APIPublication = &Type{
	Kind: "api_publication", Key: "publications", ChildOf: API,
	Identity: []string{"portal_id"},
	Shape:    Map,
	Path:     "/v3/apis/{apiId}/publications/{portalId}",
	ListPath: "/v3/api-publications",
	AsList:   true,
	// A publication without them takes the portal's default strategy.
	Computed: []string{"auth_strategy_ids"},
	Inherits: []Inherited{{Field: "auth_strategy_ids", From: "portal_id", Of: "default_application_auth_strategy_id"}},
	References: []Reference{
		{Field: "portal_id", Kind: "portal"},
		{Field: "auth_strategy_ids", Kind: "application_auth_strategy"},
	},
}

// APIImplementation ties an API to the gateway that serves it.
var APIImplementation = &Type{
	Kind: "api_implementation", Key: "implementations", ChildOf: API,
	Identity: []string{"service.id", "service.control_plane_id", "control_plane.control_plane_id"},
	Path:     "/v3/apis/{apiId}/implementations",
	ListPath: "/v3/api-implementations",
	AsList:   true,
	Loads:    []Loaded{{Field: "implementation_url", Says: "ignored: Konnect no longer has it", Ignored: true}},
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
	Kind: "api_document", Key: "documents", ChildOf: API,
	Identity:    []string{"slug"},
	Path:        "/v3/apis/{apiId}/documents",
	Tree:        &Tree{Parent: "parent_document_id", Children: "children"},
	Formats:     []Formatted{{"slug", Slug}},
	FrontMatter: []string{"title", "slug", "status"},
	Normalize:   withSlug,
	Loads:       []Loaded{{Field: "slug", From: []string{"title", "content"}, Says: slugOfTitle}, overrides},
	Keeps:       []Kept{{Field: "title", Why: noWay, Words: []string{"slug"}, Wordless: "Home"}},
}

// APISpecification is the specification of an API that has no versions: the
// older form of one version.
var APISpecification = &Type{
	Kind: "api_specification", Key: "specification", ChildOf: API,
	Shape:   Singleton,
	Path:    "/v3/apis/{apiId}/specifications",
	Formats: []Formatted{{"content", Document}},
	// Konnect works it out from the content.
	Computed: []string{"type"},
	Keeps:    []Kept{{Field: "type", Why: noSpecification, From: kindOfContent}},
	// A version may show here too: it stays.
	KeyedPrune: true,
	Example:    map[string]any{"content": "openapi: 3.0.3\ninfo: {title: My API, version: 1.0.0}\npaths: {}\n"},
}

// APIImage is an image of an API, by its use. There is no list: each use is asked
// for by itself, so only where images are declared.
var APIImage = &Type{
	Terraform: Terraform{None: true},
	Kind:      "api_image", Key: "images", ChildOf: API,
	Identity:   []string{"image_type"},
	Shape:      Map,
	Path:       "/v3/apis/{apiId}/images/{imageType}",
	KeyedPrune: true,
	Example:    map[string]any{"data": exampleImage},
}

// APIOperation is an operation of an API. Konnect reads them from the specification.
var APIOperation = &Type{
	Kind: "api_operation", Key: "api_operations", ChildOf: API,
	Identity: []string{"method", "path"},
	Path:     "/v3/apis/{apiId}/operations",
	ReadOnly: true,
	Derived:  &Derivation{From: []Source{{Kind: "api_version", Field: "spec.content"}, {Kind: "api_specification", Field: "content"}}, Read: operationsOf},
	Example:  map[string]any{"method": "GET", "path": "/flights"},
}

// versionFromSpec lets the specification stand directly under spec, and takes
// the version from it where none is written, as Konnect does.
func versionFromSpec(v value.Value) (value.Value, diag.List) {
	spec := v.Field("spec")
	var diags diag.List
	if doc, key, inline := inlineSpec(spec); inline {
		text, problems := documentText(key, doc)
		diags = append(diags, problems...)
		if own := doc.Field("info").Field("version"); own.Expr() != nil && !v.Has("version") { // reported
			v = v.With(value.Entry{Key: "version", KeyPos: own.Pos(), Value: value.ExprAt(own.Pos(), value.Expression{Op: value.OpNone})})
		}
		if spec = value.StringAt(doc.Pos(), text); v.Field("spec").Has(Content) {
			spec = v.Field("spec").With(value.Entry{Key: Content, KeyPos: v.Field("spec").KeyPos(Content), Value: spec})
			v = v.With(value.Entry{Key: "spec", KeyPos: v.KeyPos("spec"), Value: spec})
		}
	}
	if spec.IsAbsent() && v.Has("version") { // Konnect asks for it, not for what is in it
		return v.With(value.Entry{Key: "spec", KeyPos: v.Pos(), Value: value.MapAt(v.Pos())}), nil
	}
	if spec.Kind() == value.String {
		spec = value.MapAt(spec.Pos(), value.Entry{Key: "content", KeyPos: spec.Pos(), Value: spec})
		v = v.With(value.Entry{Key: "spec", KeyPos: v.KeyPos("spec"), Value: spec})
	}
	if v.Has("version") {
		return v, diags
	}
	text, ok := spec.Field("content").Text()
	if !ok {
		return v, diags
	}
	var doc struct {
		Info struct {
			Version string `yaml:"version"`
		} `yaml:"info"`
	}
	if yaml.Unmarshal([]byte(text), &doc) != nil || doc.Info.Version == "" {
		return v, diags
	}
	return v.With(value.Entry{Key: "version", KeyPos: spec.Pos(), Value: value.StringAt(spec.Pos(), doc.Info.Version)}), diags
}

// versionOfContent makes the specification of an API into a version of it.
// Konnect does so when the API is created, never returns the text, and takes no
// other later: only as a version can it be compared and changed.
func versionOfContent(v value.Value) (value.Value, diag.List) {
	content := v.Field("spec_content")
	if content.IsAbsent() || content.Kind() == value.Null {
		return v, nil
	}
	at := v.KeyPos("spec_content")
	spec := value.MapAt(at, value.Entry{Key: "content", KeyPos: at, Value: content})
	version, diags := versionFromSpec(value.MapAt(at, value.Entry{Key: "spec", KeyPos: at, Value: spec}))
	if own := v.Field("version"); !version.Has("version") && !own.IsAbsent() {
		version = version.With(value.Entry{Key: "version", KeyPos: own.Pos(), Value: own})
	}
	versions := value.ListAt(at, []value.Value{version})
	return v.Without("spec_content").With(value.Entry{Key: "versions", KeyPos: at, Value: versions}), diags
}
