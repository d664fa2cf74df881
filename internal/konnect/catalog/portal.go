package catalog

import (
	"crypto/x509"
	"encoding/pem"
	"time"
)

var portalFamily = Family{
	Name: "portals", Title: "Portals: where developers find APIs",
	Types: []*Type{
		Portal, PortalPage, PortalSnippet, PortalCustomization, PortalCustomDomain, PortalAuthSettings, PortalTeam, PortalTeamRole,
		PortalIPAllowList, PortalEmailConfig, PortalEmailTemplate, PortalIntegration, PortalAuditLogWebhook,
		PortalEmailDomain, PortalIdentityProvider, PortalTeamGroupMapping, PortalAssetLogo, PortalAssetFavicon,
		PortalDeveloper, PortalDeveloperTeam, PortalApplication, PortalApplicationRegistration,
	},
}

// Portal is a developer portal.
var Portal = &Type{
	Kind: "portal", Key: "portals",
	Page:     "/{region}/portals/{id}",
	Identity: []string{"name"},
	Path:     "/v3/portals",
	References: []Reference{
		{Field: "default_application_auth_strategy_id", Kind: "application_auth_strategy"},
	},
	Keeps: []Kept{{Field: "display_name", Why: noWay, Copies: "name"}},
}

// PortalPage is a page of a portal; pages form a tree.
var PortalPage = &Type{
	Kind: "portal_page", Key: "pages", ChildOf: Portal,
	Identity:    []string{"slug"},
	Path:        "/v3/portals/{portalId}/pages",
	Tree:        &Tree{Parent: "parent_page_id", Children: "children"},
	Formats:     []Formatted{{"slug", Slug}},
	FrontMatter: []string{"title", "slug", "status", "visibility", "description"},
	Loads:       []Loaded{{Field: "slug", From: []string{"content"}, Says: "may stand in the front matter of content"}, overrides},
	Inherits:    []Inherited{{Field: "visibility", Of: "default_page_visibility"}},
	Keeps:       []Kept{{Field: "title", Why: noWay, Words: []string{"slug"}, Wordless: "Home"}},
}

// PortalSnippet is a piece of content that pages include.
var PortalSnippet = &Type{
	Kind: "portal_snippet", Key: "snippets", ChildOf: Portal,
	Identity: []string{"name"},
	Path:     "/v3/portals/{portalId}/snippets",
	Inherits: []Inherited{{Field: "visibility", Of: "default_page_visibility"}},
	Keeps:    []Kept{{Field: "title", Why: noWay, Copies: "name"}},
}

// PortalCustomization is how a portal looks.
var PortalCustomization = &Type{
	Kind: "portal_customization", Key: "customization", ChildOf: Portal,
	Shape: Singleton,
	Path:  "/v3/portals/{portalId}/customization",
	// None of its fields is required.
	Example: map[string]any{"robots": "User-agent: *\nDisallow: /internal\n"},
}

// PortalAuthSettings is how developers sign in to a portal.
var PortalAuthSettings = &Type{
	Kind: "portal_auth_settings", Key: "auth_settings", ChildOf: Portal,
	Shape:     Singleton,
	Path:      "/v3/portals/{portalId}/authentication-settings",
	Terraform: Terraform{Type: "portal_auth"},
	Unordered: []string{"oidc_scopes"},
	// The response gathers in oidc_config what the request spreads.
	Elsewhere: []Elsewhere{
		{"oidc_issuer", "oidc_config.issuer"},
		{"oidc_client_id", "oidc_config.client_id"},
		{"oidc_scopes", "oidc_config.scopes"},
		{"oidc_claim_mappings", "oidc_config.claim_mappings"},
	},
	// Groups of a provider can decide about teams when it is there and enabled.
	Follows:  []string{"portal_identity_provider"},
	Requires: []Requirement{{When: Setting{Field: "idp_mapping_enabled", Value: true}, Kind: "portal_identity_provider", Has: Setting{Field: "enabled", Value: true}}},
	// The contract calls these fields deprecated and does not say that they are a
	// provider of identity_providers: an export keeps those that say more than their
	// defaults, for a sync without them would switch the provider off.
	Normalize: olderThan("oidc_", "identity_providers"),
	// Scopes and mappings mean nothing without a provider.
	Example: map[string]any{"oidc_issuer": "https://id.example.com", "oidc_client_id": "portal"},
}

// PortalTeam is a team of developers of one portal.
var PortalTeam = &Type{
	Kind: "portal_team", Key: "teams", ChildOf: Portal,
	Identity: []string{"name"},
	Path:     "/v3/portals/{portalId}/teams",
}

// PortalTeamRole lets a portal team do something.
var PortalTeamRole = &Type{
	Kind: "portal_team_role", Key: "roles", ChildOf: PortalTeam,
	Identity:   []string{"role_name", "entity_type_name", "entity_id", "entity_region"},
	Shape:      Membership,
	Path:       "/v3/portals/{portalId}/teams/{teamId}/assigned-roles",
	References: []Reference{{Field: "entity_id", OnDelete: Keeps, All: "*", Named: "entity_type_name"}},
	KeyedPrune: true,
	Example:    map[string]any{"role_name": "API Viewer", "entity_type_name": "Services", "entity_region": "us"},
}

// PortalCustomDomain is the host name that a portal answers at.
var PortalCustomDomain = &Type{
	Kind: "portal_custom_domain", Key: "custom_domain", ChildOf: Portal,
	Shape: Singleton,
	Path:  "/v3/portals/{portalId}/custom-domain",
	// The contract can patch these; spec 004 replaces the domain. A key is that of its
	// certificate.
	ReplaceOn: []string{"ssl.skip_ca_check", "ssl.custom_certificate", "ssl.custom_private_key"},
	Formats: []Formatted{
		{"hostname", Hostname}, {"ssl.custom_certificate", Certificate}, {"ssl.custom_private_key", PrivateKey},
	},
	Unique: []string{"hostname"},
	// The certificate is not returned; its end of validity is.
	Evidence: []Evidence{{Of: "ssl.custom_certificate", Seen: "ssl.expires_at", Same: expiresAt}},
	Example: map[string]any{
		"hostname": "developer.example.com",
		"ssl":      map[string]any{"custom_certificate": exampleCertificate},
	},
}

// expiresAt tells whether a certificate ends at the given time.
func expiresAt(certificate, seen string) bool {
	block, _ := pem.Decode([]byte(certificate))
	if block == nil {
		return true
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return true // not ours to judge: Konnect will
	}
	t, err := time.Parse(time.RFC3339, seen)
	return err != nil || cert.NotAfter.Equal(t)
}

// PortalIPAllowList says from where a portal may be reached.
var PortalIPAllowList = &Type{
	Kind: "portal_ip_allow_list", Key: "ip_allow_list", ChildOf: Portal,
	Shape:     Singleton,
	Path:      "/v3/portals/{portalId}/ip-allow-list",
	Unordered: []string{"allowed_ips"},
	Formats:   []Formatted{{"allowed_ips", AddressRange}},
	Example:   map[string]any{"allowed_ips": []any{"192.0.2.1"}},
}

// PortalEmailConfig says who sends the emails of a portal.
var PortalEmailConfig = &Type{
	Terraform: Terraform{None: true},
	Kind:      "portal_email_config", Key: "email_config", ChildOf: Portal,
	Shape: Singleton,
	Path:  "/v3/portals/{portalId}/email-config",
	// None of its fields is required.
	Example: map[string]any{"from_name": "Kong Airlines", "from_email": "portal@example.com", "reply_to_email": "support@example.com"},
}

// PortalIntegration is what other services a portal includes.
var PortalIntegration = &Type{
	Terraform: Terraform{None: true},
	Kind:      "portal_integration", Key: "integrations", ChildOf: Portal,
	Shape: Singleton,
	Path:  "/v3/portals/{portalId}/integrations",
	// None of its fields is required.
	Example: map[string]any{"google_analytics_4": map[string]any{
		"enabled": true, "type": "analytics", "config_data": map[string]any{"id": "G-ABCDE12345"},
	}},
}

// PortalEmailTemplate is the text of one kind of email of a portal.
var PortalEmailTemplate = &Type{
	Terraform: Terraform{None: true},
	Kind:      "portal_email_template", Key: "email_templates", ChildOf: Portal,
	Identity: []string{"name"},
	Shape:    Map,
	Path:     "/v3/portals/{portalId}/email-templates/{templateName}",
}

// PortalEmailDomain is a domain that emails of portals may be sent from.
var PortalEmailDomain = &Type{
	Terraform: Terraform{None: true},
	Kind:      "portal_email_domain", Key: "portal_email_domains",
	Identity: []string{"domain"},
	Path:     "/v3/portals/email-domains",
	Formats:  []Formatted{{"domain", Hostname}},
	Example:  map[string]any{"domain": "mail.example.com"},
}

// PortalAuditLogWebhook sends the audit log of a portal to a destination.
var PortalAuditLogWebhook = &Type{
	Kind: "portal_audit_log_webhook", Key: "audit_log_webhook", ChildOf: Portal,
	Shape:      Singleton,
	Path:       "/v3/portals/{portalId}/audit-log-webhook",
	Keeps:      []Kept{{Field: "audit_log_destination_id", Why: noWay}},
	References: []Reference{{Field: "audit_log_destination_id", Kind: "audit_log_destination", OnDelete: Keeps}},
	// None of its fields is required.
	Example: map[string]any{"enabled": true, "audit_log_destination_id": "5b8c2d1e-3f4a-4c6b-9d7e-8f9a0b1c2d3e"},
}
