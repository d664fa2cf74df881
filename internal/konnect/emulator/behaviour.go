package emulator

import (
	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/emulator/store"
)

// behaviours is the table of what the contract cannot say. Each row says one
// thing about one type, in words and in code, and where that is known from.
func behaviours() []rule { return append(konnectBehaviours(), gatewayBehaviours()...) }

func konnectBehaviours() []rule {
	return []rule{
		{
			kind: everyType, source: fromFacts, says: "core entities have a PATCH, though the contract has only PUT: decK 1.55.0 changes targets with it, other clients of gateways all else",
			patched: func(b *catalog.Bound) bool { return b.External },
		},

		// Control planes.
		{
			kind: "control_plane", source: fromFacts, says: "what a request leaves out of the configuration has these values",
			values: map[string]any{
				"cluster_type": "CLUSTER_TYPE_CONTROL_PLANE", "auth_type": "pinned_client_certs",
				"cloud_gateway": false, "proxy_urls": []any{}, "description": "",
			},
		},
		{
			kind: "control_plane", source: fromContract, says: "the response gathers the configuration in config",
			view: controlPlaneConfig,
		},

		// Application auth strategies.
		{
			kind: "application_auth_strategy", source: assumed, says: "a strategy is active",
			view: func(_ scene, _ *store.Record, v map[string]any) { v["active"] = true },
		},
		{
			kind: "application_auth_strategy", source: assumed, says: "any DCR provider is taken to exist until providers are served",
			view: dcrProvider,
		},

		// Portals.
		{
			kind: "portal", source: assumed, says: "APIs and pages are private by default",
			values: map[string]any{"default_api_visibility": "private", "default_page_visibility": "private"},
		},
		{
			kind: "portal", source: assumed, says: "the display name is the name by default",
			fill: fillFrom("display_name", "name"),
		},
		{
			kind: "portal", source: assumed, says: "a portal answers at a host name made from its id, or at its custom domain",
			view: portalDomains,
		},
		{
			kind: "portal_page", source: fromContract, says: "a page is unpublished by default",
			values: map[string]any{"status": "unpublished"},
		},
		{
			kind: "portal_page", source: fromContract, says: "a page is as visible as the portal's pages are by default",
			fill: visibilityOfPortal,
		},
		{
			kind: "portal_page", source: fromFacts, says: "the content's front matter stands for fields that are left out",
			expand: frontMatter("title", "slug", "status", "visibility", "description"),
		},
		{
			kind: "portal_page", source: assumed, says: "the title is made from the slug by default",
			fill: titleFromSlug,
		},
		{
			kind: "portal_page", source: assumed, says: "slugs that differ only in slashes at their ends are one",
			alike: withoutSlashes,
		},
		{
			kind: "portal_page", source: fromContract, says: "a move takes -1 for the last place and null for the top, though its schema has no null",
			moves: true,
		},
		{
			kind: "portal_snippet", source: fromContract, says: "a snippet is unpublished by default",
			values: map[string]any{"status": "unpublished"},
		},
		{
			kind: "portal_snippet", source: fromContract, says: "a snippet is as visible as the portal's pages are by default",
			fill: visibilityOfPortal,
		},
		{
			kind: "portal_snippet", source: assumed, says: "the title is the name by default",
			fill: fillFrom("title", "name"),
		},
		{
			kind: "portal_customization", source: assumed, says: "a new portal has this look",
			values: map[string]any{
				"theme":         map[string]any{"name": "mint_rocket", "mode": "system", "colors": map[string]any{"primary": "#8250FF"}},
				"layout":        "topnav",
				"menu":          map[string]any{"main": []any{}, "footer_sections": []any{}, "footer_bottom": []any{}},
				"spec_renderer": map[string]any{},
			},
		},
		{
			kind: "portal_auth_settings", source: assumed, says: "a new portal lets developers sign in with a password",
			values: map[string]any{
				"basic_auth_enabled": true, "konnect_mapping_enabled": true, "oidc_auth_enabled": false,
				"oidc_team_mapping_enabled": false, "idp_mapping_enabled": false, "saml_auth_enabled": false,
			},
		},
		{
			kind: "portal_auth_settings", source: fromContract, says: "the response gathers OIDC in oidc_config",
			view: gatherOIDC,
		},
		{
			kind: "portal_custom_domain", source: fromSpec, says: "the certificate is not returned; its end of validity is",
			fill: readCertificate,
		},
		{
			kind: "portal_custom_domain", source: assumed, says: "a domain waits for its DNS, and for its certificate if that is not its own",
			view: domainStatus,
		},

		// APIs.
		{
			kind: "api", source: fromFacts, says: "two APIs may share a name if their versions differ",
			unique: []string{"name", "version"},
		},
		{
			kind: "api", source: fromContract, says: "the slug is made from name and version by default",
			fill: slugFromName,
		},
		{
			kind: "api", source: fromContract, says: "the specification that a new API comes with becomes its first version",
			makes: firstVersion,
		},
		{
			kind: "api", source: assumed, says: "an API tells its portals, its specifications and its newest version",
			view: apiSummary,
		},
		{
			kind: "api_version", source: fromFacts, says: "the version is that of the specification by default, and the kind of specification is found out",
			fill: readSpecification,
		},
		{
			kind: "api_version", source: fromContract, says: "the response tells the kind of specification and its problems",
			view: specification,
		},
		{
			kind: "api_publication", source: assumed, says: "registrations are not approved by themselves by default",
			values: map[string]any{"auto_approve_registrations": false},
		},
		{
			kind: "api_publication", source: fromContract, says: "the portal's default strategy is used where none is given; null stands for none",
			fill: strategyOfPortal,
		},
		{
			kind: "api_publication", source: fromContract, says: "what is published is an API; its name and the portal's can be filtered by",
			view: publicationNames,
		},
		{
			kind: "api_publication", source: fromContract, says: "a portal with publications is deleted only with force, and they with it (that the answer is a conflict is assumed)",
			forced: []string{"portal_id"},
		},
		{
			kind: "api_implementation", source: fromContract, says: "service and control plane can be filtered by",
			view: implementationIDs,
		},
		{
			kind: "api_implementation", source: assumed, says: "the service is not looked for: decK may write it later",
			loose: []string{"service.id"},
		},
		{
			kind: "api_document", source: fromFacts, says: "the content's front matter stands for fields that are left out",
			expand: frontMatter("title", "slug", "status"),
		},
		{
			kind: "api_document", source: fromContract, says: "the slug is made from the title by default; the title from slug or content (assumed)",
			fill: titleAndSlug,
		},
		{
			kind: "api_document", source: assumed, says: "slugs that differ only in slashes at their ends are one",
			alike: withoutSlashes,
		},
		{
			kind: "api_document", source: fromContract, says: "a move takes -1 for the last place and null for the top, though its schema has no null",
			moves: true,
		},

		// Teams.
		{
			kind: "team", source: assumed, says: "an organization has these teams from the start",
			seeds: systemTeams(),
		},
	}
}

func systemTeams() []map[string]any {
	teams := [][2]string{
		{"analytics-admin", "Full access to analytics"},
		{"analytics-viewer", "Read access to analytics"},
		{"control-plane-admin", "Full access to all control planes"},
		{"organization-admin", "Full access to the organization"},
		{"organization-admin-readonly", "Read access to the organization"},
		{"portal-admin", "Full access to all portals"},
		{"portal-viewer", "Read access to all portals"},
		{"service-admin", "Full access to the service catalog"},
		{"service-developer", "Developer access to the service catalog"},
	}
	out := make([]map[string]any, len(teams))
	for i, t := range teams {
		out[i] = map[string]any{"name": t[0], "description": t[1]}
	}
	return out
}

// fixedAnswers is the table of operations that no type of the catalog has.
func fixedAnswers() []fixedAnswer { return append(konnectAnswers(), gatewayAnswers()...) }

func konnectAnswers() []fixedAnswer {
	return []fixedAnswer{
		{
			operation: "GET /v3/organizations/me", source: fromContract, says: "there is one organization, with an id of its own in every store",
			one: func(sc scene, _ *call) (map[string]any, error) { return sc.organization(), nil },
		},
		{
			operation: "GET /v2/organizations/me", source: fromFacts, says: "decK asks for the organization under an older address",
			beside: true, one: func(sc scene, _ *call) (map[string]any, error) { return sc.oldOrganization(), nil },
		},
		{
			operation: "GET /v3/users/me", source: assumed, says: "any token belongs to the one user",
			one: func(sc scene, _ *call) (map[string]any, error) { return user(sc), nil },
		},
		{
			operation: "GET /v3/users", source: assumed, says: "the organization has one user",
			many: func(sc scene, _ *call) ([]map[string]any, error) { return []map[string]any{user(sc)}, nil },
		},
		{
			operation: "GET /v3/users/{userId}", source: assumed, says: "the organization has one user",
			one: userByID,
		},
		{
			operation: "GET /v3/roles", source: fromContract, says: "the roles are those that the contract lists",
			one: constantAnswer,
		},
		{
			operation: "GET /v3/portal-roles", source: fromContract, says: "the roles of portals are those that the contract lists",
			one: constantAnswer,
		},
		{
			operation: "GET /v3/available-regions", source: fromFacts, says: "Konnect tells its regions to anyone",
			beside: true, open: true, one: func(scene, *call) (map[string]any, error) { return regionsByStage(), nil },
		},
		{
			operation: "GET /v3/portals/email-templates", source: assumed, says: "the names are of the contract, the texts made up",
			many: func(scene, *call) ([]map[string]any, error) { return emailTemplates(), nil },
		},
		{
			operation: "GET /v3/portals/email-templates/{templateName}", source: assumed, says: "the names are of the contract, the texts made up",
			one: defaultEmailTemplate,
		},
		{
			operation: "GET /v3/portals/email-templates/variables", source: assumed, says: "the names are of the contract, the texts made up",
			many: func(scene, *call) ([]map[string]any, error) { return emailVariables(), nil },
		},
		{
			operation: "GET /v3/portals/{portalId}/email-templates", source: assumed, says: "a portal has all templates from the start, enabled and not customized",
			many: portalEmailTemplates,
		},
		{
			operation: "GET /v3/portals/{portalId}/email-templates/{templateName}", source: assumed, says: "a portal has all templates from the start, enabled and not customized",
			one: portalEmailTemplate,
		},
	}
}
