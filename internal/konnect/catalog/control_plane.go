package catalog

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

var gatewayFamily = Family{
	Name: "gateway", Title: "Gateways: control planes and their core entities",
	Words: []string{"gateway", "gw"},
	Types: slices.Concat([]*Type{ControlPlane, ControlPlaneMembership, DataPlaneCertificate, ControlPlaneConfigStore, ConfigStoreSecret}, gatewayTypes, []*Type{MCPServer}),
}

// ControlPlane is where gateways get their configuration from.
var ControlPlane = &Type{
	Kind: "control_plane", Key: "control_planes",
	Page:      "/{region}/gateway-manager/{id}",
	Short:     []string{"cp"},
	Identity:  []string{"name"},
	Path:      "/v2/control-planes",
	Unordered: []string{"proxy_urls"},
	// The response keeps in config what the request has at the top.
	Elsewhere: []Elsewhere{
		{"cluster_type", "config.cluster_type"},
		{"auth_type", "config.auth_type"},
		{"cloud_gateway", "config.cloud_gateway"},
		{"proxy_urls", "config.proxy_urls"},
	},
	Terraform: Terraform{Type: "gateway_control_plane"},
	Helm:      dataPlaneValues,
}

// dataPlaneValues are the values of Kong's chart for a data plane of a control
// plane. The certificate is expected in the secret kong-cluster-cert.
func dataPlaneValues(body map[string]any) (map[string]any, error) {
	config, _ := body["config"].(map[string]any)
	host := func(field string) (string, error) {
		text, _ := config[field].(string)
		u, err := url.Parse(text)
		if err != nil || u.Hostname() == "" {
			return "", fmt.Errorf("the control plane has no %s", strings.ReplaceAll(field, "_", " "))
		}
		return u.Hostname(), nil
	}
	control, err := host("control_plane_endpoint")
	if err != nil {
		return nil, err
	}
	telemetry, err := host("telemetry_endpoint")
	if err != nil {
		return nil, err
	}
	const secret = "kong-cluster-cert"
	return map[string]any{
		"image":         map[string]any{"repository": "kong/kong-gateway"},
		"secretVolumes": []any{secret},
		"admin":         map[string]any{"enabled": false},
		"env": map[string]any{
			"role": "data_plane", "database": "off", "konnect_mode": "on", "vitals": "off",
			"cluster_mtls": "pki", "lua_ssl_trusted_certificate": "system",
			"cluster_control_plane": control + ":443", "cluster_server_name": control,
			"cluster_telemetry_endpoint": telemetry + ":443", "cluster_telemetry_server_name": telemetry,
			"cluster_cert": "/etc/secrets/" + secret + "/tls.crt", "cluster_cert_key": "/etc/secrets/" + secret + "/tls.key",
		},
		"ingressController": map[string]any{"enabled": false, "installCRDs": false},
	}, nil
}

// ControlPlaneMembership is the control planes that a control plane group has as its
// members.
var ControlPlaneMembership = &Type{
	Kind: "control_plane_membership", Key: "members", ChildOf: ControlPlane,
	Shape:      Singleton,
	Path:       "/v2/control-planes/{controlPlaneId}/group-memberships",
	References: []Reference{{Field: "members.id", Kind: "control_plane"}},
	Unordered:  []string{"members"},
	Under:      map[string]any{"cluster_type": "CLUSTER_TYPE_CONTROL_PLANE_GROUP"},
	Terraform:  Terraform{Type: "gateway_control_plane_membership"},
}

// DataPlaneCertificate lets data planes connect to a control plane.
var DataPlaneCertificate = &Type{
	Kind: "control_plane_data_plane_certificate", Key: "data_plane_certificates", ChildOf: ControlPlane,
	Short:      []string{"data_plane_cert"},
	Identity:   []string{"cert"},
	Path:       "/v2/control-planes/{controlPlaneId}/dp-client-certificates",
	Terraform:  Terraform{Type: "gateway_data_plane_client_certificate"},
	KeyedPrune: true,
	Formats:    []Formatted{{"cert", Certificate}},
	Example:    map[string]any{"cert": exampleCertificate},
}

// MCPServer is mapped to a control plane. The contract has no way to write it, nor a
// list of control planes with such servers.
var MCPServer = &Type{
	Kind: "control_plane_mcp_server", Key: "control_plane_mcp_servers", ChildOf: ControlPlane,
	Identity: []string{"name"},
	Path:     "/v1/mcp-cp/{controlPlaneId}/mcp-servers",
	ReadOnly: true,
}

// ControlPlaneConfigStore keeps secrets that a vault of the gateway reads.
var ControlPlaneConfigStore = &Type{
	Terraform: Terraform{Type: "gateway_config_store"},
	Kind:      "control_plane_config_store", Key: "config_stores", ChildOf: ControlPlane,
	Identity:    []string{"name"},
	Path:        "/v2/control-planes/{controlPlaneId}/config-stores",
	ForceDelete: true,
}

// ConfigStoreSecret is a value in a config store.
var ConfigStoreSecret = &Type{
	Terraform: Terraform{Type: "gateway_config_store_secret", IDs: map[string]string{"key": "key"}},
	Kind:      "control_plane_config_store_secret", Key: "secrets", ChildOf: ControlPlaneConfigStore,
	Identity:   []string{"key"},
	Path:       "/v2/control-planes/{controlPlaneId}/config-stores/{configStoreId}/secrets",
	KeyedPrune: true,
}
