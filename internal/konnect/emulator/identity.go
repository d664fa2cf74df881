package emulator

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// identity is what the contract cannot express about teams, and the operations
// on users and the organization that no type has.
func identity() model.Family {
	f := model.Family{
		Rules: []model.Rule{
			{Kind: "organization_team", Source: model.Assumed, Says: "an organization has these teams from the start", Seeds: systemTeams()},
			{Kind: "organization_user", Source: model.Assumed, Says: "the organization has one user from the start", Seeds: []map[string]any{firstUser()}},
			{Kind: "organization_user", Source: model.Assumed, Says: "people are active, and at home in the region", View: activeUser},
			{
				Kind: "organization_authentication_settings", Source: model.Assumed, Says: "groups decide about teams only with an identity provider that is enabled, as in portals",
				Check: mappingNeedsProvider("organization_identity_provider"),
			},
		},
		Fixed: []model.Fixed{
			{
				Operation: "GET /v3/organizations/me", Source: model.FromContract, Says: "there is one organization, with an id of its own in every store",
				One: func(sc model.Scene, _ *model.Call) (map[string]any, error) { return organization(sc), nil },
			},
			{
				Operation: "GET /v2/organizations/me", Source: model.FromFacts, Says: "decK asks for the organization under an older address",
				Beside: true, One: func(sc model.Scene, _ *model.Call) (map[string]any, error) { return oldOrganization(sc), nil },
			},
			{
				Operation: "GET /v3/users/me", Source: model.FromFacts, Says: "a token of a system account leads to the account; any other belongs to the one user (assumed)",
				One: func(sc model.Scene, c *model.Call) (map[string]any, error) { return whoami(sc, c.Token), nil },
			},
			{
				Operation: "GET /v3/teams/{teamId}/users", Source: model.FromContract, Says: "the users of a team are those who are members of it",
				Many: membersOf("organization_user_team_membership"),
			},
			{
				Operation: "GET /v3/teams/{teamId}/system-accounts", Source: model.FromContract, Says: "the system accounts of a team are those that are members of it",
				Many: membersOf("organization_system_account_team_membership"),
			},
			{Operation: "GET /v3/roles", Source: model.FromContract, Says: "the roles are those that the contract lists", One: constantAnswer},
			{Operation: "GET /v3/portal-roles", Source: model.FromContract, Says: "the roles of portals are those that the contract lists", One: constantAnswer},
			{
				Operation: "POST /v3/audit-log-destinations", Source: model.FromFacts, Says: "a destination of audit logs is created at the global address; its credential is not kept",
				Beside: true, Schema: "AuditLogDestination", Change: addDestination,
			},
			{
				Operation: "DELETE /v2/audit-log-destinations/{destinationId}", Source: model.FromFacts, Says: "a destination of audit logs is deleted at a regional address",
				Beside: true, Change: removeDestination,
			},
			{
				Operation: "GET /v3/available-regions", Source: model.FromFacts, Says: "anyone may list the regions",
				Beside: true, Open: true, One: func(model.Scene, *model.Call) (map[string]any, error) { return regionsByStage(), nil },
			},
		},
	}
	for _, kind := range []string{"organization_team_role", "organization_user_role", "organization_system_account_role"} {
		f.Rules = append(f.Rules, oneOrAllRule(kind))
	}
	return f
}

func oneOrAllRule(kind string) model.Rule {
	return model.Rule{Kind: kind, Source: model.FromFacts, Says: "a role is about the entity with an id, or about all with *", Check: oneOrAll}
}

// oneOrAll refuses what is neither an id nor stands for all: the contract asks for an
// id alone.
func oneOrAll(_ model.Scene, r *store.Record) error {
	if id, _ := r.Fields["entity_id"].(string); id != "*" && uuid.Validate(id) != nil {
		return model.Bad("body", "entity_id", "is_uuid", "must be a UUID, or * for all")
	}
	return nil
}

const auditDestination = "audit_log_destination"

func addDestination(sc model.Scene, c *model.Call) (map[string]any, error) {
	fields := map[string]any{}
	for _, name := range []string{"name", "endpoint", "log_format", "skip_ssl_verification"} {
		if v := c.Body[name]; v != nil {
			fields[name] = v
		}
	}
	rec := sc.NewRecord(auditDestination, "", sc.Now(), fields)
	return sc.View(rec), sc.Put(rec)
}

func removeDestination(sc model.Scene, c *model.Call) (map[string]any, error) {
	rec, err := sc.Find(auditDestination, "", c.Params["destinationId"])
	if err != nil {
		return nil, err
	}
	sc.Tx.Delete(rec.Kind, rec.ID)
	return nil, nil
}

// knownDestination refuses a new destination that does not exist. kongctl cannot create
// one, so that any id is taken before the organization has its first.
func knownDestination(sc model.Scene, r *store.Record) error {
	some := false
	sc.Tx.Range(auditDestination, "", func(*store.Record) bool { some = true; return false })
	for _, id := range sc.Newly(r, "audit_log_destination_id") {
		if some && sc.Tx.Get(auditDestination, id) == nil {
			return model.Bad("body", "audit_log_destination_id", "missing_reference", "audit log destination "+id+" does not exist")
		}
	}
	return nil
}

// membersOf lists those whom memberships of a kind lead to a team.
func membersOf(kind string) func(model.Scene, *model.Call) ([]map[string]any, error) {
	return func(sc model.Scene, c *model.Call) ([]map[string]any, error) {
		team, err := sc.Find("organization_team", "", c.Params["teamId"])
		if err != nil {
			return nil, err
		}
		return sc.Views(sc.Linking(kind, team.ID)), nil
	}
}

// The access tokens of people and of system accounts.
func personalTokens() tokensOf {
	return tokensOf{
		kind: "_personal_access_token", path: "/v3/users/{userId}/access-tokens",
		owner: "organization_user", parameter: "userId", prefix: "kpat_", field: "konnect_token",
	}
}

func accountTokens() tokensOf {
	return tokensOf{
		kind: "_system_account_access_token", path: "/v3/system-accounts/{accountId}/access-tokens",
		owner: "organization_system_account", parameter: "accountId", prefix: "spat_", field: "token",
	}
}

const organizationName = "local"

// The ids of the one user, and of the system account that is not in any list.
const (
	userID    = "a1f5ce1c-0000-4000-8000-000000000002"
	accountID = "a1f5ce1c-0000-4000-8000-000000000004"
)

func founded() time.Time { return time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC) }

// oldOrganization is in the form of the present address.
func oldOrganization(sc model.Scene) map[string]any {
	op := sc.Contract().Operation(http.MethodGet, "/v3/organizations/me")
	body, _ := sc.Project(model.SuccessSchema(op), organization(sc)).(map[string]any)
	return body
}

func firstUser() map[string]any {
	return map[string]any{"id": userID, "email": "local@example.com", "full_name": "Local User", "preferred_name": "Local"}
}

func activeUser(sc model.Scene, _ *store.Record, v map[string]any) {
	v["active"], v["inferred_region"] = true, sc.Home()
}

// whoami is whom a token belongs to. A token of a system account that was not made here
// belongs to an account that is made up: any token is accepted.
func whoami(sc model.Scene, token string) map[string]any {
	if !strings.HasPrefix(token, accountTokens().prefix) {
		return user(sc)
	}
	shown := map[string]any{"id": accountID, "full_name": "Local System Account", "created_at": founded(), "updated_at": founded()}
	if account := accountTokens().ownerOf(sc, token); account != nil {
		shown = map[string]any{"id": account.ID, "full_name": account.Fields["name"], "created_at": account.Created, "updated_at": account.Updated}
	}
	shown["preferred_name"] = shown["full_name"]
	activeUser(sc, nil, shown)
	return shown
}

// user is the one user; one who was deleted is still who the token belongs to.
func user(sc model.Scene) map[string]any {
	if r := sc.Tx.Get("organization_user", userID); r != nil {
		return sc.View(r)
	}
	u := firstUser()
	activeUser(sc, nil, u)
	u["created_at"], u["updated_at"] = founded(), founded()
	return u
}

// regionsByStage lists the regions that are open to all, without the host that
// they share.
func regionsByStage() map[string]any {
	var stable []any
	for _, r := range model.Regions() {
		if r != model.GlobalRegion {
			stable = append(stable, r)
		}
	}
	return map[string]any{"regions": map[string]any{"stable": stable, "stable_opt_in": []any{}, "beta": []any{}}}
}

// organization is the one organization of the store.
func organization(sc model.Scene) map[string]any {
	return map[string]any{
		"id": sc.Organization(), "name": organizationName, "login_path": organizationName, "owner_id": userID, "state": "active",
		"retention_period_days": json.Number("30"), "created_at": founded(), "updated_at": founded(),
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

// constantAnswer is an answer that the contract itself gives: one value for
// every text.
func constantAnswer(_ model.Scene, c *model.Call) (map[string]any, error) {
	m, _ := constantOf(model.SuccessSchema(c.Op)).(map[string]any)
	return m, nil
}

func constantOf(schema *contract.Schema) any {
	schema = schema.Deref()
	if len(schema.Enum) > 0 {
		return schema.Enum[0]
	}
	out := map[string]any{}
	o := schema.Object(nil)
	for _, name := range o.Names() {
		out[name] = constantOf(o.Field(name).Schema)
	}
	return out
}
