package catalog

import (
	"encoding/json"
	"strconv"

	"github.com/kongctl/kongctl/internal/value"
)

var cloudGatewayFamily = Family{
	Name: "cloud-gateways", Title: "Cloud gateways: data planes that Kong runs",
	Types: []*Type{
		CloudGatewayNetwork, CloudGatewayPrivateDNS, CloudGatewayTransitGateway,
		CloudGatewayConfiguration, CloudGatewayCustomDomain, CloudGatewayAddOn,
	},
}

// CloudGatewayNetwork is a network at a cloud provider that data planes run in.
var CloudGatewayNetwork = &Type{
	Kind: "cloud_gateway_network", Key: "cloud_gateway_networks",
	Identity:  []string{"name"},
	Path:      "/v2/cloud-gateways/networks",
	Unordered: []string{"availability_zones"},
	Example: map[string]any{
		"region": "us-east-2", "availability_zones": []any{"use2-az1", "use2-az2"}, "cidr_block": "10.4.0.0/16",
	},
}

// CloudGatewayPrivateDNS lets a network resolve names of another one.
var CloudGatewayPrivateDNS = &Type{
	Kind: "cloud_gateway_private_dns", Key: "private_dns", ChildOf: CloudGatewayNetwork,
	Identity: []string{"name"},
	Path:     "/v2/cloud-gateways/networks/{networkId}/private-dns",
	// The contract lets the kind change, to that of a resolver alone, and has an update
	// of the name for resolvers alone.
	ReplaceOn: []string{"name", "private_dns_attachment_config.kind"},
	InPlace:   []InPlace{{Field: "name", Where: "private_dns_attachment_config.kind", Is: []string{"aws-outbound-resolver", "azure-outbound-resolver"}}},
	Example: map[string]any{
		"private_dns_attachment_config": map[string]any{"kind": "aws-private-hosted-zone-attachment", "hosted_zone_id": "Z0123456789ABCDEFGHIJ"},
	},
}

// CloudGatewayTransitGateway connects a network to another one.
var CloudGatewayTransitGateway = &Type{
	Kind: "cloud_gateway_transit_gateway", Key: "transit_gateways", ChildOf: CloudGatewayNetwork,
	Identity: []string{"name"},
	Path:     "/v2/cloud-gateways/networks/{networkId}/transit-gateways",
	// As above: to that of a resource endpoint alone. An update takes the CIDR blocks
	// of AWS transit gateways, and nothing in its body says that it is one.
	ReplaceOn: []string{"transit_gateway_attachment_config.kind", "cidr_blocks"},
	Unordered: []string{"cidr_blocks"},
	InPlace:   []InPlace{{Field: "cidr_blocks", Where: "transit_gateway_attachment_config.kind", Is: []string{"aws-transit-gateway-attachment"}}},
}

// CloudGatewayConfiguration says where data planes of a control plane run, and how
// many.
var CloudGatewayConfiguration = &Type{
	Kind: "cloud_gateway_configuration", Key: "cloud_gateway_configurations",
	Identity: []string{"control_plane_id", "control_plane_geo"},
	Path:     "/v2/cloud-gateways/configurations",
	// What was asked for. The groups beside it are those that run, also while they end.
	Elsewhere: []Elsewhere{{"dataplane_groups", "dataplane_group_config"}},
	// A configuration cannot be deleted. One without groups has nothing that runs, and
	// keeps no network in use.
	Emptied:   "dataplane_groups",
	Unordered: []string{"dataplane_groups"},
	Computed:  []string{"dataplane_groups.autoscale.max_rps"},
	Keeps:     []Kept{{Field: "dataplane_groups.autoscale.max_rps", Why: "Konnect works it out where it is left out", From: MostRequests}},
	References: []Reference{
		// By the contract the deletion of a control plane cannot conflict.
		{Field: "control_plane_id", Kind: "control_plane", OnDelete: Cascades},
		{Field: "dataplane_groups.cloud_gateway_network_id", Kind: "cloud_gateway_network"},
	},
	Example: map[string]any{"version": "3.11", "dataplane_groups": []any{map[string]any{
		"provider": "aws", "region": "us-east-2", "autoscale": map[string]any{"kind": "autopilot", "base_rps": 100},
	}}},
}

// MostRequests is how many requests a second a group of data planes takes at most where
// nobody says it: ten times the base.
func MostRequests(autoscale map[string]any) any {
	if _, unknown := autoscale["base_rps"].(value.Unknown); unknown {
		return value.Unknown{}
	}
	base, isNumber := autoscale["base_rps"].(json.Number)
	n, err := base.Int64()
	if !isNumber || err != nil {
		return nil
	}
	return json.Number(strconv.FormatInt(10*n, 10))
}

// CloudGatewayCustomDomain is a domain at which data planes answer.
var CloudGatewayCustomDomain = &Type{
	Kind: "cloud_gateway_custom_domain", Key: "cloud_gateway_custom_domains",
	Identity:   []string{"domain"},
	Path:       "/v2/cloud-gateways/custom-domains",
	Formats:    []Formatted{{"domain", Domain}},
	References: []Reference{{Field: "control_plane_id", Kind: "control_plane", OnDelete: Cascades}}, // as above
	Example:    map[string]any{"domain": "api.example.com"},
}

// CloudGatewayAddOn is a service beside data planes, a cache.
var CloudGatewayAddOn = &Type{
	Terraform: Terraform{Type: "cloud_gateway_addon"},
	Kind:      "cloud_gateway_add_on", Key: "cloud_gateway_add_ons",
	Identity: []string{"name"},
	Path:     "/v2/cloud-gateways/add-ons",
	References: []Reference{ // as above
		{Field: "owner.control_plane_id", Kind: "control_plane", OnDelete: Cascades},
		{Field: "owner.control_plane_group_id", Kind: "control_plane", OnDelete: Cascades},
	},
}
