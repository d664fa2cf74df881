// Package entity is how the embedded Konnect treats the core entities of
// gateways: services, routes, plugins and the like.
//
// In: records of entities, and calls that no type of the catalog has. Out:
// families of rules and fixed answers, with the schemas of plugins. It must
// never import the emulator that uses it or the engine that talks to it.
package entity

import (
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// Families are what the contract cannot express about the core entities of
// gateways.
func Families() []model.Family {
	return []model.Family{patched(), proxy(), consumer(), certificate(), plugins(), schemas(), {Rules: checks()}}
}

// core is an operation on core entities.
func core(method, path string) string {
	return method + " /v2/control-planes/{controlPlaneId}/core-entities" + path
}

// patched is about every core entity.
func patched() model.Family {
	return model.Family{Rules: []model.Rule{{
		Kind: model.EveryType, Source: model.FromFacts, Says: "core entities have a PATCH, though the contract has only PUT: decK 1.55.0 changes targets with it, other clients of gateways all else",
		Patched: isEntity,
	}}}
}

func isEntity(b *catalog.Bound) bool { return b.Writer != "" }

func controlPlaneOf(sc model.Scene, c *model.Call) (*store.Record, error) {
	return sc.Find("control_plane", "", c.Params["controlPlaneId"])
}

// entity finds a core entity by the id or name in a parameter of the path or in
// a field of the body.
func entity(sc model.Scene, c *model.Call, kind, param, field string) (*store.Record, error) {
	controlPlane, err := controlPlaneOf(sc, c)
	if err != nil {
		return nil, err
	}
	if id, ok := c.Params[param]; ok {
		return sc.Find(kind, controlPlane.ID, id)
	}
	id, _ := c.Body[field].(string)
	if id == "" {
		return nil, model.Bad("body", field, "required", "is required")
	}
	rec := sc.Named(kind, controlPlane.ID, id)
	if rec == nil {
		return nil, model.Bad("body", field, "missing_reference", catalog.Words(kind)+" "+id+" does not exist")
	}
	return rec, nil
}
