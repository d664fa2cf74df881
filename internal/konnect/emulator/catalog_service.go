package emulator

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"

	"github.com/google/uuid"

	"github.com/kongctl/kongctl/internal/value"

	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// serviceCatalog is what the contract cannot express about the service catalog.
func serviceCatalog() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{Kind: "integration_instance", Source: model.FromContract, Says: "the response has the integration as an object", View: integrationOf},
			{Kind: "resource_mapping", Source: model.FromContract, Says: "the service and the instance may be named", Fill: mappedByName},
			{Kind: "resource_mapping", Source: model.FromContract, Says: "the response describes what the request names", View: mapped},
			{Kind: "scorecard", Source: model.FromContract, Says: "a criterion without an id is a new one", Fill: newCriteria},
			{Kind: "scorecard", Source: model.FromContract, Says: "each criterion has an id; nothing is judged here", View: criteriaIDs},
		},
	}
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
		criterion["scorecard_id"] = r.ID
		shown[i] = criterion
	}
	v["criteria"] = shown
}

func integrationOf(_ model.Scene, r *store.Record, v map[string]any) {
	name, _ := r.Fields["integration_name"].(string)
	v["integration"] = map[string]any{"name": name, "display_name": headline(name)}
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
	sum := sha256.Sum256(fmt.Appendf(nil, "%v %v %s", found["integration_instance"], found["type"], value.Canonical(found["config"])))
	v["resource"] = map[string]any{
		"id": base64.RawURLEncoding.EncodeToString(sum[:12]), "name": nil, "type": found["type"], "config": found["config"],
		"integration": integration,
	}
}
