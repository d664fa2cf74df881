package emulator

import (
	"kongctl/internal/konnect/emulator/model"
	"kongctl/internal/konnect/emulator/store"
)

// controlPlane is what the contract cannot express about control planes.
func controlPlane() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{
				Kind: "control_plane", Source: model.FromFacts, Says: "what a request leaves out of the configuration has these values",
				Values: map[string]any{
					"cluster_type": "CLUSTER_TYPE_CONTROL_PLANE", "auth_type": "pinned_client_certs",
					"cloud_gateway": false, "proxy_urls": []any{}, "description": "",
				},
			},
			{Kind: "control_plane", Source: model.FromContract, Says: "the response gathers the configuration in config", View: controlPlaneConfig},
		},
	}
}

func controlPlaneConfig(sc model.Scene, r *store.Record, v map[string]any) {
	host := model.Hex(10, r.ID) + "." + sc.Region
	v["config"] = map[string]any{
		"cluster_type": r.Fields["cluster_type"], "auth_type": r.Fields["auth_type"],
		"cloud_gateway": r.Fields["cloud_gateway"], "proxy_urls": r.Fields["proxy_urls"],
		"control_plane_endpoint": "https://" + host + ".cp0.konghq.com",
		"telemetry_endpoint":     "https://" + host + ".tp0.konghq.com",
	}
}
