package catalog

import "slices"

var gatewayFamily = Family{
	Name: "gateway", Title: "Gateways: control planes and their core entities",
	Words: []string{"gateway", "gw"},
	Types: slices.Concat([]*Type{ControlPlane, DataPlaneCertificate}, gatewayTypes),
}

// ControlPlane is where gateways get their configuration from.
var ControlPlane = &Type{
	Kind: "control_plane", Key: "control_planes",
	Short:     []string{"cp"},
	Identity:  []string{"name"},
	Path:      "/v2/control-planes",
	Unordered: []string{"proxy_urls"},
	// The response keeps in config what the request has at the top.
	Gathered: &Gathered{In: "config", As: map[string]string{
		"cluster_type": "cluster_type", "auth_type": "auth_type", "cloud_gateway": "cloud_gateway", "proxy_urls": "proxy_urls",
	}},
}

// DataPlaneCertificate lets data planes connect to a control plane.
var DataPlaneCertificate = &Type{
	Kind: "control_plane_data_plane_certificate", Key: "data_plane_certificates", ChildOf: ControlPlane,
	Short:      []string{"data_plane_cert"},
	Identity:   []string{"cert"},
	Path:       "/v2/control-planes/{controlPlaneId}/dp-client-certificates",
	KeyedPrune: true,
	Example:    map[string]any{"cert": exampleCertificate},
}
