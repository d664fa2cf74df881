package catalog

var eventGatewayFamily = Family{
	Name: "event-gateways", Title: "Event gateways: Kafka clusters for clients",
	Types: []*Type{
		EventGateway, EventGatewayBackendCluster, EventGatewayVirtualCluster, EventGatewayListener, EventGatewaySchemaRegistry,
		EventGatewayStaticKey, EventGatewayTLSTrustBundle, EventGatewayDataPlaneCertificate,
	},
}

// EventGateway is where data planes for events get their configuration from.
var EventGateway = &Type{
	Kind: "event_gateway", Key: "event_gateways",
	Identity: []string{"name"},
	Path:     "/v1/event-gateways",
	// It is pinned to the release that is the newest when the gateway is created.
	Computed: []string{"min_runtime_version"},
	Keeps:    []Kept{{Field: "min_runtime_version", Pinned: true}},
	Example:  map[string]any{"min_runtime_version": "1.1"},
}

// EventGatewayBackendCluster is a Kafka cluster behind an event gateway.
var EventGatewayBackendCluster = &Type{
	Kind: "event_gateway_backend_cluster", Key: "backend_clusters", ChildOf: EventGateway,
	Identity:  []string{"name"},
	Path:      "/v1/event-gateways/{gatewayId}/backend-clusters",
	Unordered: []string{"tls.tls_versions"},
	Example: map[string]any{
		"bootstrap_servers": []any{"kafka-1.example.com:9092", "kafka-2.example.com:9092"},
	},
}

// EventGatewayVirtualCluster is a Kafka cluster as clients see it.
var EventGatewayVirtualCluster = &Type{
	Kind: "event_gateway_virtual_cluster", Key: "virtual_clusters", ChildOf: EventGateway,
	Identity:   []string{"name"},
	Path:       "/v1/event-gateways/{gatewayId}/virtual-clusters",
	References: []Reference{{Field: "destination.id", Kind: "event_gateway_backend_cluster"}},
}

// EventGatewayListener is where clients connect to an event gateway.
var EventGatewayListener = &Type{
	Kind: "event_gateway_listener", Key: "listeners", ChildOf: EventGateway,
	Identity: []string{"name"},
	Path:     "/v1/event-gateways/{gatewayId}/listeners",
	Example:  map[string]any{"addresses": []any{"0.0.0.0"}, "ports": []any{"9092-9095"}},
}

// EventGatewaySchemaRegistry is where the schemas of records come from.
var EventGatewaySchemaRegistry = &Type{
	Kind: "event_gateway_schema_registry", Key: "schema_registries", ChildOf: EventGateway,
	Identity: []string{"name"},
	Path:     "/v1/event-gateways/{gatewayId}/schema-registries",
}

// EventGatewayStaticKey is a key that policies encrypt with.
var EventGatewayStaticKey = &Type{
	Kind: "event_gateway_static_key", Key: "static_keys", ChildOf: EventGateway,
	Identity: []string{"name"},
	Path:     "/v1/event-gateways/{gatewayId}/static-keys",
}

// EventGatewayTLSTrustBundle is a set of authorities that client certificates
// are checked against.
var EventGatewayTLSTrustBundle = &Type{
	Kind: "event_gateway_tls_trust_bundle", Key: "tls_trust_bundles", ChildOf: EventGateway,
	Identity: []string{"name"},
	Path:     "/v1/event-gateways/{gatewayId}/tls-trust-bundles",
}

// EventGatewayDataPlaneCertificate lets data planes connect to an event gateway.
var EventGatewayDataPlaneCertificate = &Type{
	Kind: "event_gateway_data_plane_certificate", Key: "data_plane_certificates", ChildOf: EventGateway,
	Identity:   []string{"certificate"},
	Path:       "/v1/event-gateways/{gatewayId}/data-plane-certificates",
	KeyedPrune: true,
	Example:    map[string]any{"certificate": exampleCertificate},
}
