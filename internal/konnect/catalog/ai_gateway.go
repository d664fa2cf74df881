package catalog

var aiGatewayFamily = Family{
	Name: "ai-gateways", Title: "AI gateways: models, agents, MCP servers and who may use them",
	Types: []*Type{
		AIGateway, AIGatewayPolicy, AIGatewayConfigStore, AIGatewayConfigStoreSecret, AIGatewayVault, AIGatewayIdentityProvider, AIGatewayModelProvider, AIGatewayModel,
		AIGatewayAgent, AIGatewayMCPServer, AIGatewayConsumerGroup, AIGatewayConsumer, AIGatewayConsumerCredential, AIGatewayConsumerGroupConsumer, AIGatewayDataPlaneCertificate,
	},
}

// AIGateway is where requests to models, agents and MCP servers arrive. Its name, and
// that of most of what lies below it, is immutable, which the document says in words.
var AIGateway = &Type{
	Kind: "ai_gateway", Key: "ai_gateways",
	Page:      "/{region}/ai-manager/v2/gateways/{id}",
	Short:     []string{"aigw"},
	Identity:  []string{"name"},
	Path:      "/v1/ai-gateways",
	ReplaceOn: []string{"name"},
	Unordered: []string{"proxy_urls"},
}

// AIGatewayPolicy is what happens to requests; others name it.
var AIGatewayPolicy = &Type{
	Kind: "ai_gateway_policy", Key: "policies", ChildOf: AIGateway,
	Identity:  []string{"name"},
	Path:      "/v1/ai-gateways/{gatewayId}/policies",
	ReplaceOn: []string{"name"},
	Example:   map[string]any{"type": "rate-limiting"},
}

// AIGatewayConfigStore keeps secrets for vaults.
var AIGatewayConfigStore = &Type{
	Kind: "ai_gateway_config_store", Key: "config_stores", ChildOf: AIGateway,
	Identity:    []string{"name"},
	Path:        "/v1/ai-gateways/{gatewayId}/config-stores",
	ForceDelete: true,
}

// AIGatewayConfigStoreSecret is a value in a config store.
var AIGatewayConfigStoreSecret = &Type{
	Terraform: Terraform{IDs: map[string]string{"key": "key"}},
	Kind:      "ai_gateway_config_store_secret", Key: "secrets", ChildOf: AIGatewayConfigStore,
	Identity:   []string{"key"},
	Path:       "/v1/ai-gateways/{gatewayId}/config-stores/{configStoreIdOrName}/secrets",
	KeyedPrune: true,
}

// AIGatewayVault is where secrets are taken from.
var AIGatewayVault = &Type{
	Kind: "ai_gateway_vault", Key: "vaults", ChildOf: AIGateway,
	Identity:   []string{"name"},
	Path:       "/v1/ai-gateways/{gatewayId}/vaults",
	ReplaceOn:  []string{"name"},
	References: []Reference{{Field: "config.config_store_id", Kind: "ai_gateway_config_store"}},
}

// AIGatewayIdentityProvider says how consumers prove who they are.
var AIGatewayIdentityProvider = &Type{
	Terraform: Terraform{Beta: true},
	Kind:      "ai_gateway_identity_provider", Key: "identity_providers", ChildOf: AIGateway,
	Unordered: []string{"config.scopes", "config.auth_methods"},
	Identity:  []string{"name"},
	Path:      "/v1/ai-gateways/{gatewayId}/identity",
	ReplaceOn: []string{"name"},
}

// AIGatewayModelProvider is a service that runs models.
var AIGatewayModelProvider = &Type{
	Kind: "ai_gateway_model_provider", Key: "model_providers", ChildOf: AIGateway,
	Identity:  []string{"name"},
	Path:      "/v1/ai-gateways/{gatewayId}/model-providers",
	ReplaceOn: []string{"name"},
}

// AIGatewayModel is a model that the gateway offers.
var AIGatewayModel = &Type{
	Kind: "ai_gateway_model", Key: "models", ChildOf: AIGateway,
	Identity:  []string{"name"},
	Path:      "/v1/ai-gateways/{gatewayId}/models",
	ReplaceOn: []string{"name"},
	// A list that needs an item whose fields are all optional.
	Example: map[string]any{"formats": []any{map[string]any{"type": "openai"}}},
	Namings: []Naming{
		{Kind: "ai_gateway_policy", Fields: []string{"policies"}},
		{Kind: "ai_gateway_model_provider", Fields: []string{"targets.provider", "config.balancer.embeddings.provider"}},
		{Kind: "ai_gateway_identity_provider", Fields: []string{"access.identity_providers"}},
		{Kind: "ai_gateway_consumer_group", Fields: []string{"access.acls.allow", "access.acls.deny"}, Open: true}, // or a claim's groups, or consumers
	},
}

// AIGatewayAgent is an agent that the gateway offers.
var AIGatewayAgent = &Type{
	Kind: "ai_gateway_agent", Key: "agents", ChildOf: AIGateway,
	Identity:  []string{"name"},
	Path:      "/v1/ai-gateways/{gatewayId}/agents",
	ReplaceOn: []string{"name"},
	Namings: []Naming{
		{Kind: "ai_gateway_policy", Fields: []string{"policies"}},
		{Kind: "ai_gateway_consumer_group", Fields: []string{"access.acls.allow", "access.acls.deny"}, Open: true}, // or a claim's groups, or consumers
	},
}

// AIGatewayMCPServer offers tools to models.
var AIGatewayMCPServer = &Type{
	Kind: "ai_gateway_mcp_server", Key: "mcp_servers", ChildOf: AIGateway,
	Identity:  []string{"name"},
	Path:      "/v1/ai-gateways/{gatewayId}/mcp-servers",
	ReplaceOn: []string{"name"},
	Formats: []Formatted{ // JSON schemas, where "default: null" says something
		{"tools.input_schema", Document},
		{"tools.output_schema", Document},
		{"tools.parameters.schema", Document},
		{"tools.request_body", Document},
		{"tools.responses", Document},
	},
	Namings: []Naming{
		{Kind: "ai_gateway_policy", Fields: []string{"policies"}},
		{Kind: "ai_gateway_mcp_server", Fields: []string{"sources"}},
		{Kind: "ai_gateway_consumer_group", Fields: []string{
			"access.acls.allow", "access.acls.deny", "access.default_tool_acls.allow", "access.default_tool_acls.deny", "tools.access.acls.allow", "tools.access.acls.deny",
		}, Open: true},
	},
}

// AIGatewayConsumerGroup is consumers with the same rights.
var AIGatewayConsumerGroup = &Type{
	Kind: "ai_gateway_consumer_group", Key: "consumer_groups", ChildOf: AIGateway,
	Identity:  []string{"name"},
	Path:      "/v1/ai-gateways/{gatewayId}/consumer-groups",
	ReplaceOn: []string{"name"},
	Namings:   []Naming{{Kind: "ai_gateway_policy", Fields: []string{"policies"}}},
}

// AIGatewayConsumerGroupConsumer makes a consumer a member of a group.
var AIGatewayConsumerGroupConsumer = &Type{
	Terraform: Terraform{Type: "ai_gateway_consumer_group_member"},
	Kind:      "ai_gateway_consumer_group_consumer", Key: "consumers", ChildOf: AIGatewayConsumerGroup,
	Identity:   []string{"consumer_id"},
	Shape:      Map,
	Path:       "/v1/ai-gateways/{gatewayId}/consumer-groups/{consumerGroupId}/consumers/{consumerIdOrName}",
	References: []Reference{{Field: "consumer_id", Kind: "ai_gateway_consumer", OnDelete: Cascades}},
	KeyedPrune: true,
}

// AIGatewayConsumer is who uses the gateway.
var AIGatewayConsumer = &Type{
	Kind: "ai_gateway_consumer", Key: "consumers", ChildOf: AIGateway,
	Identity:  []string{"name"},
	Path:      "/v1/ai-gateways/{gatewayId}/consumers",
	ReplaceOn: []string{"name"},
	Namings:   []Naming{{Kind: "ai_gateway_policy", Fields: []string{"policies"}}},
}

// AIGatewayConsumerCredential is a key of a consumer.
var AIGatewayConsumerCredential = &Type{
	Kind: "ai_gateway_consumer_credential", Key: "credentials", ChildOf: AIGatewayConsumer,
	Identity:   []string{"name"},
	Path:       "/v1/ai-gateways/{gatewayId}/consumers/{consumerId}/credentials",
	KeyedPrune: true,
	Keeps:      []Kept{{Field: "managed_by", Why: "a credential cannot be updated, only created again"}},
}

// AIGatewayDataPlaneCertificate lets data planes connect to an AI gateway.
var AIGatewayDataPlaneCertificate = &Type{
	Kind: "ai_gateway_data_plane_certificate", Key: "data_plane_certificates", ChildOf: AIGateway,
	Short:      []string{"data_plane_cert"},
	Identity:   []string{"title"},
	Path:       "/v1/ai-gateways/{gatewayId}/data-plane-certificates",
	KeyedPrune: true,
	Formats:    []Formatted{{"cert", Certificate}},
	Example:    map[string]any{"cert": exampleCertificate},
}
