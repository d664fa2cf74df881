package catalog

var eventGatewayFamily = Family{
	Name: "event-gateways", Title: "Event gateways: Kafka clusters for clients",
	Types: []*Type{
		EventGateway, EventGatewayBackendCluster, EventGatewayVirtualCluster, EventGatewayListener, EventGatewaySchemaRegistry,
		EventGatewayStaticKey, EventGatewayTLSTrustBundle, EventGatewayDataPlaneCertificate,
		EventGatewayListenerPolicy, EventGatewayListenerPolicyChain, EventGatewayClusterPolicy, EventGatewayClusterPolicyChain,
		EventGatewayProducePolicy, EventGatewayProducePolicyChain, EventGatewayConsumePolicy, EventGatewayConsumePolicyChain,
	},
}

// EventGateway is where data planes for events get their configuration from.
var EventGateway = &Type{
	Kind: "event_gateway", Key: "event_gateways",
	Page:     "/{region}/event-gateway/{id}",
	Identity: []string{"name"},
	Path:     "/v1/event-gateways",
	// It is pinned to the release that is the newest when the gateway is created.
	Computed: []string{"min_runtime_version"},
	Keeps:    []Kept{{Field: "min_runtime_version", Why: "Konnect pins it when the gateway is created", Pinned: true}},
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
	Formats:  []Formatted{{"addresses", ListenAddress}, {"ports", PortRange}},
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
	Formats:  []Formatted{{"config.trusted_ca", TrustBundle}},
	Example:  map[string]any{"config": map[string]any{"trusted_ca": exampleCertificate}},
}

// EventGatewayDataPlaneCertificate lets data planes connect to an event gateway.
var EventGatewayDataPlaneCertificate = &Type{
	Kind: "event_gateway_data_plane_certificate", Key: "data_plane_certificates", ChildOf: EventGateway,
	Short:      []string{"data_plane_cert"},
	Identity:   []string{"certificate"},
	Path:       "/v1/event-gateways/{gatewayId}/data-plane-certificates",
	KeyedPrune: true,
	Formats:    []Formatted{{"certificate", Certificate}},
	Example:    map[string]any{"certificate": exampleCertificate},
}

// EventGatewayListenerPolicy says what becomes of connections to a listener.
var EventGatewayListenerPolicy = &Type{
	Terraform: Terraform{
		By: "type", Values: []string{"forward_to_virtual_cluster", "tls_server"},
		IDs: map[string]string{"event_gateway_listener_id": "listener_id"},
	},
	Kind: "event_gateway_listener_policy", Key: "policies", ChildOf: EventGatewayListener,
	Identity: []string{"name"},
	Path:     "/v1/event-gateways/{gatewayId}/listeners/{eventGatewayListenerId}/policies",
	References: []Reference{
		{Field: "config.destination.id", Kind: "event_gateway_virtual_cluster"},
		{Field: "config.client_authentication.tls_trust_bundles.id", Kind: "event_gateway_tls_trust_bundle"},
	},
}

// EventGatewayListenerPolicyChain is the order of a listener's policies.
var EventGatewayListenerPolicyChain = &Type{
	Terraform: Terraform{IDs: map[string]string{"event_gateway_listener_id": "listener_id"}},
	Kind:      "event_gateway_listener_policy_chain", Key: "policy_chain", ChildOf: EventGatewayListener,
	Shape: Singleton, Orders: "event_gateway_listener_policy",
	Path:       "/v1/event-gateways/{gatewayId}/listeners/{eventGatewayListenerId}/policy-chain",
	References: []Reference{{Field: "policies", Kind: "event_gateway_listener_policy", OnDelete: Keeps}},
}

// EventGatewayClusterPolicy says what clients of a virtual cluster may do.
var EventGatewayClusterPolicy = &Type{
	Terraform: Terraform{Type: "event_gateway_cluster_policy", By: "type", Values: []string{"acls"}},
	Kind:      "event_gateway_virtual_cluster_cluster_policy", Key: "cluster_policies", ChildOf: EventGatewayVirtualCluster,
	Identity: []string{"name"},
	Path:     "/v1/event-gateways/{gatewayId}/virtual-clusters/{virtualClusterId}/cluster-policies",
	// Produce and consume policies have one.
	Loads: []Loaded{{Field: "parent_policy_id", Says: "ignored: cluster policies have no parent", Ignored: true}},
}

// EventGatewayClusterPolicyChain is the order of a virtual cluster's policies.
var EventGatewayClusterPolicyChain = &Type{
	Kind: "event_gateway_virtual_cluster_cluster_policy_chain", Key: "cluster_policy_chain", ChildOf: EventGatewayVirtualCluster,
	Shape: Singleton, Orders: "event_gateway_virtual_cluster_cluster_policy",
	Path:       "/v1/event-gateways/{gatewayId}/virtual-clusters/{virtualClusterId}/cluster-policy-chain",
	References: []Reference{{Field: "policies", Kind: "event_gateway_virtual_cluster_cluster_policy", OnDelete: Keeps}},
}

// EventGatewayProducePolicy says what becomes of records that clients send.
var EventGatewayProducePolicy = &Type{
	Terraform: Terraform{
		Type: "event_gateway_produce_policy", By: "type", Values: []string{"encrypt", "encrypt_fields", "modify_headers", "schema_validation"},
	},
	Kind: "event_gateway_virtual_cluster_produce_policy", Key: "produce_policies", ChildOf: EventGatewayVirtualCluster,
	Identity: []string{"name"},
	Path:     "/v1/event-gateways/{gatewayId}/virtual-clusters/{virtualClusterId}/produce-policies",
	References: []Reference{
		{Field: "parent_policy_id", Kind: "event_gateway_virtual_cluster_produce_policy"},
		{Field: "config.schema_registry.id", Kind: "event_gateway_schema_registry"},
		{Field: "config.encryption_key.key.id", Kind: "event_gateway_static_key"},
		{Field: "config.encrypt_fields.encryption_key.key.id", Kind: "event_gateway_static_key"},
	},
}

// EventGatewayProducePolicyChain is the order of policies for records that clients
// send.
var EventGatewayProducePolicyChain = &Type{
	Kind: "event_gateway_virtual_cluster_produce_policy_chain", Key: "produce_policy_chain", ChildOf: EventGatewayVirtualCluster,
	Shape: Singleton, Orders: "event_gateway_virtual_cluster_produce_policy",
	Path:       "/v1/event-gateways/{gatewayId}/virtual-clusters/{virtualClusterId}/produce-policy-chain",
	References: []Reference{{Field: "policies", Kind: "event_gateway_virtual_cluster_produce_policy", OnDelete: Keeps}},
}

// EventGatewayConsumePolicy says what becomes of records that clients receive.
var EventGatewayConsumePolicy = &Type{
	Terraform: Terraform{
		Type: "event_gateway_consume_policy", By: "type", Values: []string{"decrypt", "decrypt_fields", "modify_headers", "schema_validation", "skip_record"},
	},
	Kind: "event_gateway_virtual_cluster_consume_policy", Key: "consume_policies", ChildOf: EventGatewayVirtualCluster,
	Identity: []string{"name"},
	Path:     "/v1/event-gateways/{gatewayId}/virtual-clusters/{virtualClusterId}/consume-policies",
	References: []Reference{
		{Field: "parent_policy_id", Kind: "event_gateway_virtual_cluster_consume_policy"},
		{Field: "config.schema_registry.id", Kind: "event_gateway_schema_registry"},
	},
}

// EventGatewayConsumePolicyChain is the order of policies for records that clients
// receive.
var EventGatewayConsumePolicyChain = &Type{
	Kind: "event_gateway_virtual_cluster_consume_policy_chain", Key: "consume_policy_chain", ChildOf: EventGatewayVirtualCluster,
	Shape: Singleton, Orders: "event_gateway_virtual_cluster_consume_policy",
	Path:       "/v1/event-gateways/{gatewayId}/virtual-clusters/{virtualClusterId}/consume-policy-chain",
	References: []Reference{{Field: "policies", Kind: "event_gateway_virtual_cluster_consume_policy", OnDelete: Keeps}},
}
