package catalog

// PortalIdentityProvider is where developers of a portal sign in: at most one of
// each type.
var PortalIdentityProvider = &Type{
	Kind: "portal_identity_provider", Key: "identity_providers", ChildOf: Portal,
	Identity:  []string{"type"},
	Path:      "/v3/portals/{portalId}/identity-providers",
	Unordered: []string{"config.scopes"},
	Keeps:     keptByProvider(),
	// Konnect asks for both; the contract requires neither.
	Example: map[string]any{
		"type": "oidc", "enabled": true, "config": map[string]any{"issuer_url": "https://id.example.com", "client_id": "portal"},
	},
}

// PortalTeamGroupMapping puts the members of a group into a team of a portal when
// they sign in.
var PortalTeamGroupMapping = &Type{
	Terraform: Terraform{Type: "portal_idp_team_group_mapping", IDs: map[string]string{"id": "id", "mapping_id": "mapping_id"}},
	Kind:      "portal_identity_provider_team_group_mapping", Key: "team_group_mappings", ChildOf: PortalIdentityProvider,
	Identity:   []string{"group", "team_id"},
	Shape:      Membership,
	Path:       "/v3/portals/{portalId}/identity-providers/{id}/team-group-mappings",
	References: []Reference{{Field: "team_id", Kind: "portal_team", OnDelete: Cascades}},
	Requires:   []Requirement{{Kind: "portal_identity_provider", Has: Setting{Field: "enabled", Value: true}}},
	KeyedPrune: true,
}

// PortalAssetLogo is the logo of a portal.
var PortalAssetLogo = &Type{
	Terraform: Terraform{Type: "portal_logo"},
	Kind:      "portal_asset_logo", Key: "asset_logo", ChildOf: Portal,
	Shape:   Singleton,
	Path:    "/v3/portals/{portalId}/assets/logo",
	Keeps:   []Kept{{Field: "data", Why: "every update must have an image", Default: OwnImage}},
	Example: map[string]any{"data": exampleImage},
}

// PortalAssetFavicon is the icon of a portal in a browser.
var PortalAssetFavicon = &Type{
	Terraform: Terraform{Type: "portal_favicon"},
	Kind:      "portal_asset_favicon", Key: "asset_favicon", ChildOf: Portal,
	Shape:   Singleton,
	Path:    "/v3/portals/{portalId}/assets/favicon",
	Keeps:   []Kept{{Field: "data", Why: "every update must have an image", Default: OwnImage}},
	Example: map[string]any{"data": exampleImage},
}

// OwnImage is what a portal shows until somebody chooses an image: a transparent
// pixel. The contract does not say which image it is; this one is assumed.
const OwnImage = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

// exampleImage is an image of one pixel.
const exampleImage = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

// PortalDeveloper is somebody who has registered with a portal.
var PortalDeveloper = &Type{
	Kind: "portal_developer", Key: "portal_developers", ChildOf: Portal,
	Identity: []string{"email"},
	Path:     "/v3/portals/{portalId}/developers",
	ReadOnly: true,
	Example:  map[string]any{"email": "dev@example.com"},
}

// PortalApplication is what developers use APIs with.
var PortalApplication = &Type{
	Kind: "portal_application", Key: "portal_applications", ChildOf: Portal,
	Identity: []string{"name"},
	Path:     "/v3/portals/{portalId}/applications",
	ReadOnly: true,
}

// PortalDeveloperTeam is a team that a developer of a portal belongs to.
var PortalDeveloperTeam = &Type{
	Kind: "portal_developer_team", Key: "portal_developer_teams", ChildOf: PortalDeveloper,
	Identity:   []string{"team_id"},
	Shape:      Map,
	Path:       "/v3/portals/{portalId}/teams/{teamId}/developers/{developerId}",
	ListPath:   "/v3/portals/{portalId}/developers/{developerId}/teams",
	References: []Reference{{Field: "team_id", Kind: "portal_team", OnDelete: Cascades}},
	ReadOnly:   true,
}

// PortalApplicationRegistration lets an application use an API.
var PortalApplicationRegistration = &Type{
	Kind: "portal_application_registration", Key: "portal_application_registrations", ChildOf: Portal,
	Identity:   []string{"application.name", "api.name", "api.version"},
	Path:       "/v3/portals/{portalId}/application-registrations",
	References: []Reference{{Field: "application.id", Kind: "portal_application", OnDelete: Cascades}},
	ReadOnly:   true,
}
