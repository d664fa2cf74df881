package catalog

var organizationFamily = Family{
	Name: "organization", Title: "Organization: teams and what they may do",
	Words: []string{"organization", "org"},
	Types: []*Type{Team, TeamRole},
}

// Team is a group of people in the organization.
var Team = &Type{
	Kind: "team", Key: "teams",
	Aliases:        []string{"organization.teams"},
	Identity:       []string{"name"},
	Path:           "/v3/teams",
	OrderedByLabel: "team",
	AsList:         true,
}

// TeamRole lets a team do something.
var TeamRole = &Type{
	Kind: "team_role", Key: "roles", ChildOf: Team,
	Identity:   []string{"role_name", "entity_type_name", "entity_id", "entity_region"},
	Shape:      Membership,
	Path:       "/v3/teams/{teamId}/assigned-roles",
	References: []Reference{{Field: "entity_id", OnDelete: Keeps}},
	KeyedPrune: true,
	Example:    map[string]any{"role_name": "Viewer", "entity_type_name": "APIs", "entity_region": "us"},
}
