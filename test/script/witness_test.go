package script

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/test/witness"
)

// watch lets a witness see every exchange of the scripts. At the end it tells
// the operations, which must be the catalog's.
func watch(t *testing.T, cat *catalog.Catalog) (func(http.Handler) http.Handler, error) {
	t.Helper()
	var log witness.Log
	third, err := witness.New(t, &log)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() {
		seen, used := log.Operations(), operations(cat)
		for _, op := range slices.Sorted(maps.Keys(seen)) {
			t.Logf("%6d  %s", seen[op], op)
			if !used[op] {
				t.Errorf("%s is no operation of the catalog", op)
			}
		}
		t.Logf("%d operations witnessed, %d used by the catalog", len(seen), len(used))
	})
	return third.Handler, nil
}

// operations are those of all types, the two that tell whose token it is, those of
// access tokens, and those that tell decK what an entity of a gateway looks like.
func operations(cat *catalog.Catalog) map[string]bool {
	out := map[string]bool{
		"GET /v3/organizations/me": true, "GET /v3/users/me": true,
		"GET /v2/control-planes/{controlPlaneId}/core-entities/schemas/plugins/{pluginName}":   true,
		"GET /v2/control-planes/{controlPlaneId}/core-entities/schemas/partials/{partialType}": true,
	}
	// What decK writes below what it belongs to.
	for _, kind := range []string{"basic-auth/{BasicAuthId}", "key-auth/{KeyAuthId}", "hmac-auth/{HMACAuthId}", "jwt/{JWTId}", "acls/{ACLId}"} {
		out["PUT /v2/control-planes/{controlPlaneId}/core-entities/consumers/{ConsumerIdForNestedEntities}/"+kind] = true
	}
	out["PUT /v2/control-planes/{controlPlaneId}/core-entities/upstreams/{UpstreamIdForTarget}/targets/{TargetId}"] = true
	out["POST /v2/control-planes/{controlPlaneId}/core-entities/consumer_groups/{ConsumerGroupId}/consumers"] = true
	for _, tokens := range []string{"/v3/users/{userId}/access-tokens", "/v3/system-accounts/{accountId}/access-tokens"} {
		out["GET "+tokens], out["POST "+tokens], out["DELETE "+tokens+"/{tokenId}"] = true, true, true
	}
	// What scripts ask for by kongctl api: actions.
	out["POST /v3/openmeter/plans/{planId}/publish"], out["POST /v3/openmeter/plans/{planId}/archive"] = true, true
	out["POST /v3/openmeter/addons/{addonId}/publish"], out["POST /v3/openmeter/addons/{addonId}/archive"] = true, true
	// What developers of portals do.
	registrations := "/v3/portals/{portalId}/applications/{applicationId}/registrations"
	out["POST "+registrations], out["PATCH "+registrations+"/{registrationId}"] = true, true
	out["GET /v3/portals/{portalId}/teams/{teamId}/developers"] = true
	for _, b := range cat.All() {
		for _, op := range []*contract.Operation{b.Create, b.Read, b.List, b.Update, b.Rewrite, b.Delete} {
			if op != nil {
				out[op.Carrier().Key()] = true
			}
		}
	}
	return out
}
