package emulator

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// portalPeople is what the contract cannot express about developers of portals and
// what they make for themselves.
func portalPeople() []model.Rule {
	registration := "portal_application_registration"
	return []model.Rule{
		{Kind: "portal_developer", Source: model.FromContract, Says: "the name can be filtered by", Filters: map[string]string{"name": "full_name"}},
		{Kind: "portal_application", Source: model.FromContract, Says: "an application shows its strategy, its portal and how many registrations it has; without a strategy it has keys (assumed)", View: applicationStrategy},
		{Kind: registration, Source: model.FromContract, Says: "an application registers once for an API", Unique: []string{"application.id", "api.id"}},
		{Kind: registration, Source: model.FromContract, Says: "what approves itself is approved; a request may say so, too", Fill: registrationState},
		{Kind: registration, Source: model.FromContract, Says: "a registration shows its application and its API", View: registrationEnds},
		{Kind: registration, Source: model.FromContract, Says: "it is for an API or an API package", Check: registrable},
		{Kind: registration, Source: model.FromContract, Says: "both have their ids in one field", Loose: []string{"api.id"}},
		{
			Kind: registration, Source: model.Assumed, Says: "a registration goes with its API",
			Points: []catalog.Reference{{Field: "api.id", Kind: "api", OnDelete: catalog.Cascades}, {Field: "api.id", Kind: "api_package", OnDelete: catalog.Cascades}},
		},
	}
}

func applicationStrategy(sc model.Scene, r *store.Record, v map[string]any) {
	id, _ := r.Fields["auth_strategy_id"].(string)
	shown := map[string]any{"id": r.ID, "name": "key", "credential_type": "key_auth", "key_names": []any{"apikey"}}
	if strategy := sc.Tx.Get("application_auth_strategy", id); strategy != nil {
		shown["id"], shown["name"] = id, strategy.Fields["name"]
	}
	v["auth_strategy"], v["portal"] = shown, map[string]any{"id": r.Parent}
	v["labels"] = r.Fields["labels"]
	if owner, _ := model.At(r.Fields, "owner.type").(string); owner != "" {
		v[owner+"_id"] = model.At(r.Fields, "owner.id")
	}
	delete(v, "client_id")
	v["registration_count"] = len(sc.Referring("portal_application_registration", r.Parent, "application.id", r.ID))
}

// registered is what a registration is for, and its publication in the portal; nil
// where they do not exist.
func registered(sc model.Scene, r *store.Record) (what, published *store.Record) {
	id, _ := model.At(r.Fields, "api.id").(string)
	for kind, publication := range map[string]string{"api": "api_publication", "api_package": "api_package_publication"} {
		if found := sc.Tx.Get(kind, id); found != nil {
			return found, sc.Named(publication, id, r.Parent)
		}
	}
	return nil, nil
}

// registrationState puts the API where answers have it, and works out the state of a
// new registration.
func registrationState(sc model.Scene, r *store.Record) error {
	if id, sent := r.Fields["api_id"]; sent {
		r.Fields["api"] = map[string]any{"id": id}
		delete(r.Fields, "api_id")
	}
	if r.Fields["status"] != nil {
		return nil
	}
	r.Fields["status"] = "pending"
	if _, published := registered(sc, r); published != nil && published.Fields["auto_approve_registrations"] == true {
		r.Fields["status"] = "approved"
	}
	return nil
}

func registrable(sc model.Scene, r *store.Record) error {
	if what, _ := registered(sc, r); what == nil {
		return model.Bad("body", "api_id", "missing_reference", "does not exist")
	}
	return nil
}

func registrationEnds(sc model.Scene, r *store.Record, v map[string]any) {
	if what, _ := registered(sc, r); what != nil {
		v["api"] = map[string]any{"id": what.ID, "name": what.Fields["name"], "version": what.Fields["version"], "entity_type": what.Kind}
	}
	id, _ := model.At(r.Fields, "application.id").(string)
	if application := sc.Tx.Get("portal_application", id); application != nil {
		v["application"] = map[string]any{"id": id, "name": application.Fields["name"]}
		v["application_name"], v["developer_id"] = application.Fields["name"], model.At(application.Fields, "owner.id")
	}
}

// teamDevelopers lists the developers of a team.
func teamDevelopers(sc model.Scene, c *model.Call) ([]map[string]any, error) {
	portal, err := sc.Find("portal", "", c.Params["portalId"])
	if err != nil {
		return nil, err
	}
	team, err := sc.Find("portal_team", portal.ID, c.Params["teamId"])
	if err != nil {
		return nil, err
	}
	return sc.Views(sc.Linking("portal_developer_team", team.ID)), nil
}

const (
	groupMapping   = "portal_identity_provider_team_group_mapping"
	portalProvider = "portal_identity_provider"
)

// groupMappings is what the contract cannot express about groups that lead to teams
// of a portal.
func groupMappings() []model.Rule {
	return []model.Rule{
		{Kind: groupMapping, Source: model.FromFacts, Says: "groups lead to teams only with an identity provider that is enabled", Check: mappingOfProvider},
	}
}

// oldGroupMappings are the operations of the time when a portal had one provider.
func oldGroupMappings() []model.Fixed {
	const path = "/v3/portals/{portalId}/identity-provider/team-group-mappings"
	return []model.Fixed{
		{Operation: "GET " + path, Source: model.FromContract, Says: "the groups of each team, of the provider that is enabled", Many: groupsByTeam},
		{Operation: "PATCH " + path, Source: model.FromContract, Says: "a team that a request names has these groups and no others", Change: mapGroups},
	}
}

// enabledProvider is a provider of a portal, or of the organization, that is enabled,
// or nil.
func enabledProvider(sc model.Scene, kind, owner string) *store.Record {
	var found *store.Record
	sc.Tx.Range(kind, owner, func(p *store.Record) bool {
		if p.Fields["enabled"] == true {
			found = p
		}
		return found == nil
	})
	return found
}

func mappingOfProvider(sc model.Scene, r *store.Record) error {
	if provider := sc.Tx.Get(portalProvider, r.Parent); provider != nil && enabledProvider(sc, portalProvider, provider.Parent) == nil {
		return noProvider()
	}
	return nil
}

func noProvider() error {
	return model.Bad("path", "id", "invalid", "no identity provider of the portal is enabled")
}

// providerOf is the portal that a path names and its provider.
func providerOf(sc model.Scene, c *model.Call) (portal, provider *store.Record, err error) {
	if portal, err = sc.Find("portal", "", c.Params["portalId"]); err != nil {
		return nil, nil, err
	}
	if provider = enabledProvider(sc, portalProvider, portal.ID); provider == nil {
		return nil, nil, noProvider()
	}
	return portal, provider, nil
}

func groupsByTeam(sc model.Scene, c *model.Call) ([]map[string]any, error) {
	_, provider, err := providerOf(sc, c)
	if err != nil {
		return nil, err
	}
	return teamGroups(sc, provider), nil
}

// teamGroups are the teams that groups of a provider lead to, oldest mapping first.
func teamGroups(sc model.Scene, provider *store.Record) []map[string]any {
	var out []map[string]any
	sc.Tx.Range(groupMapping, provider.ID, func(m *store.Record) bool {
		at := slices.IndexFunc(out, func(v map[string]any) bool { return v["team_id"] == m.Fields["team_id"] })
		if at < 0 {
			at, out = len(out), append(out, map[string]any{"team_id": m.Fields["team_id"], "groups": []any{}})
		}
		out[at]["groups"] = append(out[at]["groups"].([]any), m.Fields["group"])
		return true
	})
	return out
}

func mapGroups(sc model.Scene, c *model.Call) (map[string]any, error) {
	portal, provider, err := providerOf(sc, c)
	if err != nil {
		return nil, err
	}
	list, _ := c.Body["data"].([]any)
	for _, x := range list {
		item, _ := x.(map[string]any)
		id, _ := item["team_id"].(string)
		if sc.Named("portal_team", portal.ID, id) == nil {
			return nil, model.Bad("body", "data.team_id", "missing_reference", "portal team "+id+" does not exist")
		}
		if err := setGroups(sc, provider, id, model.Texts(item["groups"])); err != nil {
			return nil, err
		}
	}
	teams := teamGroups(sc, provider)
	data := make([]any, len(teams))
	for i, v := range teams {
		data[i] = v
	}
	total := json.Number(strconv.Itoa(len(data)))
	return map[string]any{"data": data, "meta": map[string]any{"page": map[string]any{"number": json.Number("1"), "size": total, "total": total}}}, nil
}

// setGroups lets these groups lead to a team, and no others.
func setGroups(sc model.Scene, provider *store.Record, team string, groups []string) error {
	for _, m := range sc.Referring(groupMapping, provider.ID, "team_id", team) {
		group, _ := m.Fields["group"].(string)
		if i := slices.Index(groups, group); i >= 0 {
			groups = slices.Delete(groups, i, i+1)
			continue
		}
		sc.Tx.Delete(m.Kind, m.ID)
	}
	for _, group := range groups {
		if err := sc.Put(sc.NewRecord(groupMapping, provider.ID, sc.Now(), map[string]any{"group": group, "team_id": team})); err != nil {
			return err
		}
	}
	return nil
}
