package catalog

var identityTypes = []*Type{Team, TeamRole}

// Team is a group of people in the organization.
var Team = &Type{
	Kind: "team", Key: "teams",
	Aliases:        []string{"organization.teams"},
	Identity:       []string{"name"},
	Path:           "/v3/teams",
	OrderedByLabel: "team",
}

// TeamRole lets a team do something.
var TeamRole = &Type{
	Kind: "team_role", Key: "roles", ChildOf: Team,
	Identity:   []string{"role_name", "entity_type_name", "entity_id", "entity_region"},
	Shape:      Membership,
	Path:       "/v3/teams/{teamId}/assigned-roles",
	References: []Reference{{Field: "entity_id", OnDelete: Keeps}},
	KeyedPrune: true,
}
