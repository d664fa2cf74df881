package catalog

var authStrategyFamily = Family{
	Name: "auth-strategies", Title: "Application auth strategies: how applications prove who they are",
	Types: []*Type{DCRProvider, ApplicationAuthStrategy},
}

// DCRProvider registers the clients of applications at an identity provider.
var DCRProvider = &Type{
	Kind: "dcr_provider", Key: "dcr_providers",
	Identity: []string{"name"},
	Path:     "/v2/dcr-providers",
	Keeps: []Kept{
		{Field: "display_name", Why: noWay},
		{Field: "dcr_config.use_developer_managed_scopes", Why: declareFalse, Default: false},
		{Field: "dcr_config.disable_event_hooks", Why: declareFalse, Default: false},
		{Field: "dcr_config.disable_refresh_secret", Why: declareFalse, Default: false},
	},
}

// declareFalse is why a flag without a default in the contract is not reset.
const declareFalse = "an update without it changes nothing; declare it as false"

// ApplicationAuthStrategy is how applications prove who they are.
var ApplicationAuthStrategy = &Type{
	Kind: "application_auth_strategy", Key: "application_auth_strategies",
	Aliases:  []string{"auth_strategies"},
	Identity: []string{"name"},
	Path:     "/v2/application-auth-strategies",
	// The response holds the provider, the request its id.
	Elsewhere:  []Elsewhere{{"dcr_provider_id", "dcr_provider.id"}},
	References: []Reference{{Field: "dcr_provider_id", Kind: "dcr_provider"}},
	Unordered:  []string{"configs.openid-connect.scopes", "configs.openid-connect.auth_methods"},
}
