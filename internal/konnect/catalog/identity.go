package catalog

var organizationFamily = Family{
	Name: "organization", Title: "Organization: teams and what they may do",
	Words: []string{"organization", "org"},
	Types: []*Type{
		Team, TeamRole, User, UserRole, UserTeamMembership, SystemAccount, SystemAccountRole, SystemAccountTeamMembership,
		IdentityProvider, TeamGroupMapping, AuthenticationSettings, ImpersonationSettings, AuditLogDestination,
	},
}

// Team is a group of people in the organization.
var Team = &Type{
	Terraform: Terraform{Type: "team"},
	Kind:      "organization_team", Key: "teams",
	Page:           "/global/organization/teams/{id}",
	Former:         []string{"team"},
	Aliases:        []string{"organization.teams", "organization_teams"},
	Identity:       []string{"name"},
	Path:           "/v3/teams",
	OrderedByLabel: "team",
	AsList:         true,
}

// TeamRole lets a team do something.
var TeamRole = &Type{
	Terraform: Terraform{Type: "team_role"},
	Kind:      "organization_team_role", Key: "roles", ChildOf: Team,
	Former:     []string{"team_role"},
	Aliases:    []string{"team_roles"},
	Identity:   []string{"role_name", "entity_type_name", "entity_id", "entity_region"},
	Shape:      Membership,
	Path:       "/v3/teams/{teamId}/assigned-roles",
	References: []Reference{{Field: "entity_id", OnDelete: Keeps, All: "*", Named: "entity_type_name"}},
	KeyedPrune: true,
	Example:    map[string]any{"role_name": "Viewer", "entity_type_name": "APIs", "entity_region": "us"},
}

// User is a person of the organization. People join by invitation, so that a
// configuration names those who are there.
var User = &Type{
	Kind: "organization_user", Key: "organization_users",
	Aliases:  []string{"organization.users"},
	Identity: []string{"email"},
	Path:     "/v3/users",
	ReadOnly: true,
}

// UserRole lets a user do something.
var UserRole = &Type{
	Terraform: Terraform{Type: "user_role"},
	Kind:      "organization_user_role", Key: "roles", ChildOf: User,
	Identity:   []string{"role_name", "entity_type_name", "entity_id", "entity_region"},
	Shape:      Membership,
	Path:       "/v3/users/{userId}/assigned-roles",
	References: []Reference{{Field: "entity_id", OnDelete: Keeps, All: "*", Named: "entity_type_name"}},
	KeyedPrune: true,
	Example:    map[string]any{"role_name": "Viewer", "entity_type_name": "APIs", "entity_region": "us"},
}

// UserTeamMembership makes a user a member of a team.
var UserTeamMembership = &Type{
	Terraform: Terraform{Type: "team_user"},
	Kind:      "organization_user_team_membership", Key: "teams", ChildOf: User,
	Identity:   []string{"team_id"},
	Shape:      Map,
	Path:       "/v3/teams/{teamId}/users/{userId}",
	ListPath:   "/v3/users/{userId}/teams",
	References: []Reference{{Field: "team_id", Kind: "organization_team", OnDelete: Cascades}},
	KeyedPrune: true,
}

// SystemAccount is an account for machines.
var SystemAccount = &Type{
	Terraform: Terraform{Type: "system_account"},
	Kind:      "organization_system_account", Key: "organization_system_accounts",
	Page:     "/global/organization/system-accounts/{id}",
	Aliases:  []string{"organization.system-accounts"},
	Loads:    []Loaded{{Field: "tokens", By: "kongctl create spat"}},
	Identity: []string{"name"},
	Path:     "/v3/system-accounts",
}

// SystemAccountRole lets a system account do something.
var SystemAccountRole = &Type{
	Terraform: Terraform{Type: "system_account_role"},
	Kind:      "organization_system_account_role", Key: "roles", ChildOf: SystemAccount,
	Identity:   []string{"role_name", "entity_type_name", "entity_id", "entity_region"},
	Shape:      Membership,
	Path:       "/v3/system-accounts/{accountId}/assigned-roles",
	References: []Reference{{Field: "entity_id", OnDelete: Keeps, All: "*", Named: "entity_type_name"}},
	KeyedPrune: true,
	Example:    map[string]any{"role_name": "Viewer", "entity_type_name": "APIs", "entity_region": "us"},
}

// SystemAccountTeamMembership makes a system account a member of a team.
var SystemAccountTeamMembership = &Type{
	Terraform: Terraform{Type: "system_account_team"},
	Kind:      "organization_system_account_team_membership", Key: "teams", ChildOf: SystemAccount,
	Identity:   []string{"team_id"},
	Shape:      Map,
	Path:       "/v3/teams/{teamId}/system-accounts/{accountId}",
	ListPath:   "/v3/system-accounts/{accountId}/teams",
	References: []Reference{{Field: "team_id", Kind: "organization_team", OnDelete: Cascades}},
	KeyedPrune: true,
}

// IdentityProvider is where people of the organization sign in.
var IdentityProvider = &Type{
	Terraform: Terraform{Type: "identity_provider"},
	Kind:      "organization_identity_provider", Key: "organization_identity_providers",
	Unordered: []string{"config.scopes"},
	Aliases:   []string{"organization.identity-providers"},
	Identity:  []string{"type", "login_path"},
	Path:      "/v3/identity-providers",
	Keeps:     keptByProvider(),
	Example: map[string]any{
		"type": "oidc", "enabled": true,
		"config": map[string]any{"issuer_url": "https://id.example.com", "client_id": "konnect"},
	},
}

// keptByProvider are the fields of identity providers that cannot be unset.
func keptByProvider() []Kept {
	var out []Kept
	for _, field := range []string{"issuer_url", "client_id", "idp_metadata_url", "idp_metadata_xml"} {
		out = append(out, Kept{Field: "config." + field, Why: noWay})
	}
	return out
}

// TeamGroupMapping puts the members of a group into a team when they sign in.
var TeamGroupMapping = &Type{
	Terraform: Terraform{Type: "identity_provider_team_group_mapping", IDs: map[string]string{"idp_id": "identity_provider_id"}},
	Kind:      "organization_identity_provider_team_group_mapping", Key: "team_group_mappings", ChildOf: IdentityProvider,
	Identity:   []string{"group", "team_id"},
	Shape:      Membership,
	Path:       "/v3/identity-providers/{idpId}/team-group-mappings",
	References: []Reference{{Field: "team_id", Kind: "organization_team", OnDelete: Cascades}},
	KeyedPrune: true,
}

// AuthenticationSettings is how people of the organization sign in.
var AuthenticationSettings = &Type{
	Terraform: Terraform{Type: "authentication_settings"},
	Kind:      "organization_authentication_settings", Key: "organization_authentication_settings",
	Aliases: []string{"organization.authentication-settings"},
	Shape:   Singleton,
	Path:    "/v3/authentication-settings",
	// As of a portal's settings.
	Follows:  []string{"organization_identity_provider"},
	Requires: []Requirement{{When: Setting{Field: "idp_mapping_enabled", Value: true}, Kind: "organization_identity_provider", Has: Setting{Field: "enabled", Value: true}}},
	// None of its fields is required.
	Example: map[string]any{"basic_auth_enabled": true},
}

// ImpersonationSettings says whether users of the organization may be impersonated.
var ImpersonationSettings = &Type{
	Terraform: Terraform{None: true},
	Kind:      "organization_impersonation_settings", Key: "organization_impersonation_settings",
	Aliases: []string{"organization.impersonation-settings"},
	Shape:   Singleton,
	Path:    "/v3/organizations/impersonation",
	// Its field is not required.
	Example: map[string]any{"enabled": true},
}

// AuditLogDestination is where audit logs are sent. It is set up with a credential
// that Konnect never returns, outside of configurations, which name those that exist.
var AuditLogDestination = &Type{
	Kind: "audit_log_destination", Key: "audit_log_destinations",
	Aliases:  []string{"audit-logs.destinations"},
	Identity: []string{"name"},
	Path:     "/v3/audit-log-destinations",
	ReadOnly: true,
	Example:  map[string]any{"name": "siem"},
}
