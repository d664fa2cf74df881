package language_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kongctl/kongctl/internal/konnect/language"
	"github.com/kongctl/kongctl/internal/resource"
)

const otherID = "6f1e8400-e29b-41d4-a716-446655440000"

// An id is the external that is declared with it, in whichever way and order that and
// what uses the id are written.
func TestIDOfADeclaredExternal(t *testing.T) {
	plane := "control_planes: [{ref: cp, name: cp}]\n"
	services := map[string]string{
		"flat":           plane + "gateway_services: [{ref: s, control_plane: cp, _external: {id: ID}}]\n",
		"flat, no ref":   plane + "gateway_services: [{control_plane: cp, _external: {id: ID}}]\n",
		"nested":         "control_planes: [{ref: cp, name: cp, gateway_services: [{ref: s, _external: {id: ID}}]}]\n",
		"nested, no ref": "control_planes: [{ref: cp, name: cp, gateway_services: [{_external: {id: ID}}]}]\n",
		"in the list":    plane + "external_resources: [{ref: s, resource_type: ce_service, control_plane: cp, id: ID}]\n",
		"in capitals":    plane + "gateway_services: [{ref: s, control_plane: cp, _external: {id: " + strings.ToUpper(someID) + "}}]\n",
	}
	const api = "apis: [{name: a, implementations: [{service: {id: %s, control_plane_id: cp}}]}]\n"
	portals := map[string]string{
		"flat":         "portals: [{ref: p, _external: {id: ID}}]\n",
		"flat, no ref": "portals: [{_external: {id: ID}}]\n",
		"in the list":  "external_resources: [{ref: p, resource_type: portal, id: ID}]\n",
	}
	const gateway = "event_gateways: [{ref: eg, name: eg}]\n"
	registries := map[string]string{
		"flat":         gateway + "event_gateway_schema_registries: [{ref: sr, event_gateway: eg, _external: {id: ID}}]\n",
		"flat, no ref": gateway + "event_gateway_schema_registries: [{event_gateway: eg, _external: {id: ID}}]\n",
	}
	cluster := "event_gateway_virtual_clusters: [{ref: vc, event_gateway: eg, name: v, destination: {id: " + otherID + "}, dns_label: v, acl_mode: passthrough, authentication: [{type: anonymous}], " +
		"consume_policies: [{name: p, type: schema_validation, config: {type: confluent_schema_registry, schema_registry: {id: ID}}}]}]\n"
	for _, row := range []struct {
		declared map[string]string
		uses     []string
	}{
		{services, []string{fmt.Sprintf(api, "ID"), fmt.Sprintf(api, "!lookup {id: ID}"), fmt.Sprintf(api, "!lookup {id: ID, control_plane: cp}")}},
		{portals, []string{"apis: [{name: a, publications: [{portal: ID}]}]\n", "apis: [{name: a, publications: [{portal: !lookup {id: ID}}]}]\n"}},
		{portals, []string{"portal_pages: [{portal: ID, slug: s, content: c}]\n", "portal_pages: [{portal: !lookup {id: ID}, slug: s, content: c}]\n"}},
		{registries, []string{cluster}},
	} {
		for way, declared := range row.declared {
			for _, use := range row.uses {
				for _, docs := range [][]string{{declared, use}, {use, declared}} {
					text := strings.ReplaceAll(strings.Join(docs, "---\n"), "ID", someID)
					set := buildSet(t, "-- k.yaml --\n"+text, language.Options{})
					if _, diags := resource.Link(set); len(diags) > 0 {
						t.Errorf("%s: %v\n%s", way, diags, text)
					}
					if i := slices.IndexFunc(set.Resources, func(r *resource.Resource) bool {
						return r.External != nil && r.External.Unnamed && r.External.ID != otherID
					}); i >= 0 {
						t.Errorf("%s: %s stands beside what is declared\n%s", way, set.Resources[i].Address(), text)
					}
				}
			}
		}
	}
}
