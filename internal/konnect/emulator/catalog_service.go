package emulator

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"github.com/kongctl/kongctl/internal/value"

	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// serviceCatalog is what the contract cannot express about the service catalog.
func serviceCatalog() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{Kind: apiMapping, Source: model.FromContract, Says: "a mapping shows its service", View: serviceOfMapping},
			{Kind: "integration_instance", Source: model.FromContract, Says: "the response has the integration as an object", View: integrationOf},
			{Kind: "resource_mapping", Source: model.FromContract, Says: "the resource may be named by its id", Expand: resourceByID},
			{Kind: "resource_mapping", Source: model.FromContract, Says: "an id is that of a resource which is mapped: nothing else is known of here", Fill: knownResource},
			{Kind: "resource_mapping", Source: model.FromContract, Says: "the service and the instance may be named", Fill: mappedByName},
			{Kind: "resource_mapping", Source: model.FromContract, Says: "the response describes what the request names", View: mapped},
			{Kind: "scorecard", Source: model.FromContract, Says: "a criterion without an id is a new one", Fill: newCriteria},
			{Kind: "scorecard", Source: model.FromContract, Says: "each criterion has an id; nothing is judged here", View: criteriaIDs},
		},
		Fixed: []model.Fixed{
			{
				Operation: "GET /v1/apis/{apiId}/service-mappings", Source: model.FromContract, Says: "an API lists the mappings of services to it",
				Many: mappingsTo,
			},
			{Operation: "GET /v1/scorecards/{id}/criteria", Source: model.FromContract, Says: "the criteria of a scorecard are those that it shows", Many: criteriaOf},
		},
	}
}

const apiMapping = "catalog_service_api_mapping"

func serviceOfMapping(_ model.Scene, r *store.Record, v map[string]any) { v["service_id"] = r.Parent }

// mappingsTo lists the mappings of all services to an API, oldest first.
func mappingsTo(sc model.Scene, c *model.Call) ([]map[string]any, error) {
	api, err := sc.Find("api", "", c.Params["apiId"])
	if err != nil {
		return nil, err
	}
	var found []*store.Record
	sc.Tx.Range(apiMapping, "", func(r *store.Record) bool {
		if r.Fields["api_id"] == api.ID {
			found = append(found, r)
		}
		return true
	})
	slices.SortStableFunc(found, func(a, b *store.Record) int { return a.Created.Compare(b.Created) })
	return sc.Views(found), nil
}

func criteriaOf(sc model.Scene, c *model.Call) ([]map[string]any, error) {
	card, err := sc.Find("scorecard", "", c.Params["id"])
	if err != nil {
		return nil, err
	}
	shown, _ := sc.View(card)["criteria"].([]any)
	out := make([]map[string]any, len(shown))
	for i, x := range shown {
		out[i], _ = x.(map[string]any)
	}
	return out, nil
}

func newCriteria(sc model.Scene, r *store.Record) error {
	written, _ := r.Fields["criteria"].([]any)
	for _, x := range written {
		if fields, _ := x.(map[string]any); fields != nil && fields["id"] == nil {
			fields["id"] = sc.NewID()
		}
	}
	return nil
}

func criteriaIDs(_ model.Scene, r *store.Record, v map[string]any) {
	written, _ := r.Fields["criteria"].([]any)
	shown := make([]any, len(written))
	for i, x := range written {
		fields, _ := x.(map[string]any)
		criterion := maps.Clone(fields)
		if criterion["id"] == nil {
			criterion["id"] = uuid.NewSHA1(uuid.Nil, fmt.Appendf(nil, "%s/%d", r.ID, i)).String()
		}
		criterion["scorecard_id"], criterion["created_at"], criterion["updated_at"] = r.ID, r.Created, r.Updated
		shown[i] = criterion
	}
	v["criteria"] = shown
}

func integrationOf(_ model.Scene, r *store.Record, v map[string]any) {
	name, _ := r.Fields["integration_name"].(string)
	v["integration"] = map[string]any{"name": name, "display_name": headline(name)}
}

// byID is the type of a resource that is named by its id. No integration has it.
const byID = "-"

// resourceByID gives a resource that is named by its id the other form of the
// contract, with the id in place of the instance.
func resourceByID(body map[string]any) {
	if id, ok := body["resource"].(string); ok {
		body["resource"] = map[string]any{"integration_instance": id, "type": byID, "config": map[string]any{}}
	}
}

// knownResource puts the resource in the place of its id.
func knownResource(sc model.Scene, r *store.Record) error {
	named, _ := r.Fields["resource"].(map[string]any)
	id, _ := named["integration_instance"].(string)
	if named["type"] != byID {
		return nil
	}
	var found map[string]any
	sc.Tx.Range(r.Kind, "", func(other *store.Record) bool {
		if resource, _ := other.Fields["resource"].(map[string]any); resourceID(resource) == id {
			found = resource
		}
		return found == nil
	})
	if found == nil {
		return model.Bad("body", "resource", "missing_reference", "resource "+id+" does not exist")
	}
	r.Fields["resource"] = model.CloneMap(found)
	return nil
}

// resourceID is the id of what an integration found.
func resourceID(resource map[string]any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%v %v %s", resource["integration_instance"], resource["type"], value.Canonical(resource["config"])))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// mappedByName puts ids in the place of names.
func mappedByName(sc model.Scene, r *store.Record) error {
	found, _ := r.Fields["resource"].(map[string]any)
	for _, x := range []struct {
		in          map[string]any
		field, kind string
	}{{r.Fields, "service", "catalog_service"}, {found, "integration_instance", "integration_instance"}} {
		name, _ := x.in[x.field].(string)
		if to := sc.Holder(x.kind, "", name); to != nil {
			x.in[x.field] = to.ID
		}
	}
	return nil
}

// mapped describes the service and the resource of a mapping.
func mapped(sc model.Scene, r *store.Record, v map[string]any) {
	brief := func(kind string, id any) (map[string]any, *store.Record) {
		text, _ := id.(string)
		to := sc.Tx.Get(kind, text)
		if to == nil {
			return map[string]any{"id": text, "name": text, "display_name": text}, nil
		}
		return map[string]any{"id": to.ID, "name": to.Fields["name"], "display_name": to.Fields["display_name"]}, to
	}
	v["service"], _ = brief("catalog_service", r.Fields["service"])
	found, _ := r.Fields["resource"].(map[string]any)
	instance, of := brief("integration_instance", found["integration_instance"])
	integration := map[string]any{"instance": instance}
	if of != nil {
		name, _ := of.Fields["integration_name"].(string)
		integration["name"], integration["display_name"] = name, headline(name)
	}
	v["resource"] = map[string]any{
		"id": resourceID(found), "name": nil, "type": found["type"], "config": found["config"],
		"integration": integration,
	}
}
