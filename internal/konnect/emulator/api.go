package emulator

import (
	"slices"
	"strings"
	"unicode"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"

	"go.yaml.in/yaml/v3"
)

// api is what the contract cannot express about APIs and what lies below them.
func api() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{Kind: "api", Source: model.FromFacts, Says: "two APIs may share a name if their versions differ", Unique: []string{"name", "version"}},
			{Kind: "api", Source: model.FromFacts, Says: "the slug is made from the name and the major version by default", Fill: slugFromName},
			{Kind: "api", Source: model.FromContract, Says: "the specification that a new API comes with becomes its first version", Makes: firstVersion},
			{Kind: "api", Source: model.Assumed, Says: "an API shows its portals, its specifications and its newest version", View: apiSummary},
			{
				Kind: "api", Source: model.FromFacts, Says: "lists do not show the newest version",
				Listed: func(v map[string]any) { v["current_version_summary"] = nil },
			},
			{
				Kind: "api", Source: model.FromFacts, Says: "an API with an implementation is bound to a service, or enforced by a control plane (that word is of the contract)",
				View: implementationMode,
			},
			{
				Kind: "api_version", Source: model.FromFacts, Says: "the version is that of the specification by default, and the kind of specification is found out",
				Fill: readSpecification,
			},
			{Kind: "api_version", Source: model.FromContract, Says: "the response has the kind of specification and its problems", View: specification},
			{Kind: "api_version", Source: model.FromContract, Says: "the kind of specification can be filtered by", Filters: map[string]string{"type": "spec.type"}},
			{Kind: "api_version", Source: model.FromContract, Says: "an API has the operations of its specifications, whether a gateway enforces them or not (assumed)", Fill: readOperations},
			{Kind: "api_version", Source: model.FromContract, Says: "operations that no specification has go", Part: dropOperations},
			{Kind: "api_specification", Source: model.FromContract, Says: "the kind of specification is found out", Fill: kindOfContent},
			{Kind: "api_specification", Source: model.FromContract, Says: "an API has the operations of its specifications, whether a gateway enforces them or not (assumed)", Fill: readOperations},
			{Kind: "api_specification", Source: model.FromContract, Says: "operations that no specification has go", Part: dropOperations},
			{Kind: "api_specification", Source: model.FromContract, Says: "the response has the problems of the specification", View: contentProblems},
			{Kind: "api_publication", Source: model.FromContract, Says: "the names of what is published and of the portal can be filtered by", View: publicationNames},
			{
				Kind: "api_publication", Source: model.FromContract, Says: "a portal with publications is deleted only with force, and they with it (that the answer is a conflict is assumed)",
				Forced: []string{"portal_id"},
			},
			{Kind: "api_implementation", Source: model.FromContract, Says: "service and control plane can be filtered by", View: implementationIDs},
			{Kind: "api_implementation", Source: model.FromFacts, Says: "an implementation of a service that does not exist is refused", Check: serviceExists},
			{Kind: "api_implementation", Source: model.FromContract, Says: "the service is one of the control plane beside it", Loose: []string{"service.id"}},
			{Kind: "api_document", Source: model.FromFacts, Says: "the content's front matter stands for fields that are left out", Expand: frontMatter(catalog.APIDocument.FrontMatter)},
			{Kind: "api_document", Source: model.FromContract, Says: "the slug is made from the title by default; the title from slug or content (assumed)", Fill: titleAndSlug},
			{Kind: "api_document", Source: model.FromContract, Says: "a move counts a negative index backwards from the last place, and takes null for the top, though its schema has no null", Moves: true},
			{Kind: "api_image", Source: model.FromContract, Says: "the response has the state of an image, not the image; that it is valid at once is assumed", View: imageState},
		},
		Fixed: []model.Fixed{
			{
				Operation: "GET /v3/portals/{portalId}/api-publications", Source: model.FromContract, Says: "a portal lists what is published in it",
				Many: publicationsIn,
			},
		},
	}
}

// publicationsIn lists the publications of APIs and API packages in a portal.
func publicationsIn(sc model.Scene, c *model.Call) ([]map[string]any, error) {
	portal, err := sc.Find("portal", "", c.Params["portalId"])
	if err != nil {
		return nil, err
	}
	var found []*store.Record
	for _, kind := range []string{"api_publication", "api_package_publication"} {
		sc.Tx.Range(kind, "", func(r *store.Record) bool {
			if r.Made["portal_id"] == portal.ID {
				found = append(found, r)
			}
			return true
		})
	}
	slices.SortStableFunc(found, func(a, b *store.Record) int { return a.Created.Compare(b.Created) })
	views := sc.Views(found)
	for _, v := range views {
		v["portal_ids"] = []any{portal.ID}
	}
	return views, nil
}

// imageState is what a response says of an image.
func imageState(sc model.Scene, r *store.Record, v map[string]any) {
	delete(v, "data")
	v[sc.Kind(r.Kind).Parent.Kind+"_id"] = r.Parent
	v["status"], v["error"] = "valid", nil
}

// slugify keeps letters and digits and joins them with hyphens.
func slugify(text string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(text) {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_') {
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
			continue
		}
		gap = true
	}
	return b.String()
}

func slugFromName(_ model.Scene, r *store.Record) error {
	if r.Fields["slug"] != nil {
		return nil
	}
	name, _ := r.Fields["name"].(string)
	version, _ := r.Fields["version"].(string)
	major, _, _ := strings.Cut(slugify(version), "-")
	if slug := slugify(name + " " + major); slug != "" {
		r.Fields["slug"] = slug
	}
	return nil
}

// firstVersion makes the version; the text itself is not kept with the API. A
// specification that names no version gets that of the API.
func firstVersion(sc model.Scene, r *store.Record) error {
	content, ok := r.Fields["spec_content"].(string)
	delete(r.Fields, "spec_content")
	if !ok || content == "" {
		return nil
	}
	version := sc.NewRecord("api_version", r.ID, r.Created, map[string]any{"spec": map[string]any{"content": content}})
	if readSpecification(sc, version) != nil {
		version.Fields["version"] = "1.0.0"
		if own, ok := r.Fields["version"].(string); ok && own != "" {
			version.Fields["version"] = own
		}
	}
	return sc.Put(version)
}

func apiSummary(sc model.Scene, r *store.Record, v map[string]any) {
	portals := []any{}
	sc.Tx.Range("api_publication", r.ID, func(p *store.Record) bool {
		id, _ := p.Made["portal_id"].(string)
		if portal := sc.Tx.Get("portal", id); portal != nil {
			portals = append(portals, map[string]any{
				"id": id, "name": portal.Fields["name"], "display_name": portal.Fields["display_name"],
			})
		}
		return true
	})
	v["portals"] = portals
	ids := []any{}
	var newest *store.Record
	sc.Tx.Range("api_version", r.ID, func(x *store.Record) bool {
		ids = append(ids, x.ID)
		newest = x
		return true
	})
	sc.Tx.Range("api_specification", r.ID, func(x *store.Record) bool { ids = append(ids, x.ID); return true })
	v["api_spec_ids"] = ids
	v["current_version_summary"] = nil
	if newest != nil {
		v["current_version_summary"] = map[string]any{
			"id": newest.ID, "version": newest.Fields["version"],
			"created_at": newest.Created, "updated_at": newest.Updated,
			"spec": specType(newest),
		}
	}
}

func implementationMode(sc model.Scene, r *store.Record, v map[string]any) {
	sc.Tx.Range("api_implementation", r.ID, func(x *store.Record) bool {
		v["implementation_mode"] = "gateway_entity_binding"
		if x.Fields["control_plane"] != nil {
			v["implementation_mode"] = "access_control_enforcement"
		}
		return false
	})
}

// What is kept of a specification.
const (
	specKind    = "spec_type"
	specProblem = "spec_problem"
)

func specType(r *store.Record) map[string]any {
	if kind, ok := r.Made[specKind]; ok {
		return map[string]any{"type": kind}
	}
	return map[string]any{}
}

func readSpecification(_ model.Scene, r *store.Record) error {
	spec, _ := r.Fields["spec"].(map[string]any)
	content, _ := spec["content"].(string)
	version := readContent(r, content)
	if r.Fields["version"] != nil {
		return nil
	}
	if version == "" {
		return model.Bad("body", "version", "required", "is required where the specification has none")
	}
	r.Fields["version"] = version
	return nil
}

// kindOfContent finds out what a specification is written in where a request does
// not say.
func kindOfContent(_ model.Scene, r *store.Record) error {
	content, _ := r.Fields["content"].(string)
	readContent(r, content)
	if r.Fields["type"] == nil {
		r.Fields["type"] = r.Made[specKind]
		if r.Fields["type"] == nil {
			r.Fields["type"] = "oas3"
		}
	}
	return nil
}

func contentProblems(_ model.Scene, r *store.Record, v map[string]any) {
	v["validation_messages"] = problems(r)
}

// readContent keeps the kind of a specification or what is wrong with it, and
// returns its version.
func readContent(r *store.Record, content string) string {
	var doc struct {
		Swagger  string `yaml:"swagger"`
		OpenAPI  string `yaml:"openapi"`
		AsyncAPI string `yaml:"asyncapi"`
		Info     struct {
			Version string `yaml:"version"`
		} `yaml:"info"`
	}
	delete(r.Made, specKind)
	delete(r.Made, specProblem)
	err := yaml.Unmarshal([]byte(content), &doc)
	switch {
	case content == "":
	case err != nil:
		r.Made[specProblem] = "the content is neither JSON nor YAML"
	case doc.AsyncAPI != "":
		r.Made[specKind] = "asyncapi"
	case doc.OpenAPI != "":
		r.Made[specKind] = "oas3"
	case doc.Swagger != "":
		r.Made[specKind] = "oas2"
	default:
		r.Made[specProblem] = "the content is neither OpenAPI nor AsyncAPI"
	}
	return doc.Info.Version
}

func specification(_ model.Scene, r *store.Record, v map[string]any) {
	written, _ := r.Fields["spec"].(map[string]any)
	spec := specType(r)
	for k, x := range written {
		spec[k] = x
	}
	spec["validation_messages"] = problems(r)
	v["spec"] = spec
}

func problems(r *store.Record) []any {
	if m, ok := r.Made[specProblem]; ok {
		return []any{map[string]any{"message": m}}
	}
	return []any{}
}

func publicationNames(sc model.Scene, r *store.Record, v map[string]any) {
	v["auth_strategy_id"] = r.Fields["auth_strategy_ids"]
	if published := sc.Tx.Get(sc.Kind(r.Kind).Parent.Kind, r.Parent); published != nil {
		v["api_name"] = published.Fields["name"]
	}
	id, _ := r.Made["portal_id"].(string)
	if portal := sc.Tx.Get("portal", id); portal != nil {
		v["portal_name"] = portal.Fields["name"]
	}
}

func implementationIDs(_ model.Scene, r *store.Record, v map[string]any) {
	v["service_id"] = model.At(r.Fields, "service.id")
	v["control_plane_id"] = model.At(r.Fields, "service.control_plane_id")
	if v["control_plane_id"] == nil {
		v["control_plane_id"] = model.At(r.Fields, "control_plane.control_plane_id")
	}
}

// serviceExists looks for a service that an implementation newly names. A control
// plane that does not exist is left to the check of references.
func serviceExists(sc model.Scene, r *store.Record) error {
	plane, _ := model.At(r.Fields, "service.control_plane_id").(string)
	for _, id := range sc.Newly(r, "service.id") {
		if sc.Tx.Get("control_plane", plane) != nil && sc.Named("gateway_service", plane, id) == nil {
			return model.Bad("body", "service.id", "missing_reference", "gateway service "+id+" does not exist")
		}
	}
	return nil
}

// titleAndSlug takes the title from the first heading of the content where
// there is nothing else.
func titleAndSlug(_ model.Scene, r *store.Record) error {
	slug, _ := r.Fields["slug"].(string)
	title, _ := r.Fields["title"].(string)
	if title == "" {
		title = headline(slug)
		if slug == "" {
			content, _ := r.Fields["content"].(string)
			title = firstHeading(content)
		}
		r.Fields["title"] = title
	}
	if slug == "" {
		slug = slugify(title)
		if slug == "" {
			return model.Bad("body", "slug", "required", "is required where title and content give none")
		}
		r.Fields["slug"] = slug
	}
	return nil
}

func firstHeading(content string) string {
	for _, line := range strings.Split(content, "\n") {
		if text, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(text)
		}
	}
	return "Untitled"
}
