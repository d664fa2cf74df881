package entity

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// proxy is about services, routes and upstreams.
func proxy() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{Kind: "gateway_service", Source: model.Assumed, Says: "url is short for protocol, host, port and path", Expand: expandURL},
			{Kind: "gateway_service", Source: model.FromContract, Says: "the name may stand in the path in place of the id", ByName: true},
			{
				Kind: "gateway_service", Source: model.Assumed, Says: "the authorities that a service trusts must be there, and stay as long",
				Points: []catalog.Reference{{Field: "ca_certificates", Kind: "gateway_ca_certificate"}},
			},
			{Kind: "gateway_route", Source: model.FromContract, Says: "the name may stand in the path in place of the id", ByName: true},
			{Kind: "gateway_route", Source: model.FromContract, Says: "a route is made of an expression, or of paths, methods and the like", Variant: routeVariant},
			{Kind: "gateway_route", Source: model.FromFacts, Says: "a route of an expression keeps the handling of paths that it is given, and has none by default", Bare: bareExpression},
			{Kind: "gateway_upstream", Source: model.FromContract, Says: "the name may stand in the path in place of the id", ByName: true},
			{Kind: "gateway_target", Source: model.Assumed, Says: "an upstream has one target of each address, which may stand in the path in place of the id", ByName: true},
			{Kind: "gateway_target", Source: model.Assumed, Says: "targets of several upstreams may be the same", Unique: []string{"upstream.id", "target"}},
			{Kind: "gateway_target", Source: model.Assumed, Says: "an address without a port has port 8000", Fill: targetPort},
			{Kind: "gateway_degraphql_route", Source: model.Assumed, Says: "addresses may repeat", Unique: []string{}},
		},
		Fixed: []model.Fixed{
			{
				Operation: core("GET", "/services/{ServiceId}/graphql-rate-limiting-advanced/costs"), Source: model.Assumed, Says: "costs of GraphQL queries are not kept: the list is empty",
				Many: noCosts,
			},
			{
				Operation: core("GET", "/graphql-rate-limiting-advanced/costs"), Source: model.Assumed, Says: "costs of GraphQL queries are not kept: the list is empty",
				Many: func(sc model.Scene, c *model.Call) ([]map[string]any, error) {
					_, err := controlPlaneOf(sc, c)
					return nil, err
				},
			},
		},
	}
}

// expandURL leaves a URL that cannot be read to the validation.
func expandURL(body map[string]any) {
	text, ok := body["url"].(string)
	if !ok {
		return
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" {
		return
	}
	body["protocol"], body["host"] = u.Scheme, u.Hostname()
	switch {
	case u.Port() != "":
		body["port"] = json.Number(u.Port())
	case u.Scheme == "https":
		body["port"] = json.Number("443")
	default:
		body["port"] = json.Number("80")
	}
	if u.Path != "" {
		body["path"] = u.Path
	}
	delete(body, "url")
}

// routeVariant names the schema of a route.
func routeVariant(body map[string]any) string {
	for _, f := range []string{"expression", "priority"} {
		if body[f] != nil {
			return "RouteExpression"
		}
	}
	return "RouteJson"
}

func bareExpression(body map[string]any) []string {
	if body["expression"] == nil {
		return nil
	}
	return []string{"path_handling"}
}

const defaultTargetPort = ":8000"

func targetPort(_ model.Scene, r *store.Record) error {
	target, _ := r.Fields["target"].(string)
	bare := strings.HasPrefix(target, "[") && strings.HasSuffix(target, "]")
	if target != "" && (bare || !strings.Contains(target, ":")) {
		r.Fields["target"] = target + defaultTargetPort
	}
	return nil
}

func noCosts(sc model.Scene, c *model.Call) ([]map[string]any, error) {
	_, err := entity(sc, c, "gateway_service", "ServiceId", "")
	return nil, err
}
