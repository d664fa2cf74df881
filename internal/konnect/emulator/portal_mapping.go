package emulator

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

const groupMapping = "portal_identity_provider_team_group_mapping"

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

// enabledProvider is a provider of a portal that is enabled, or nil.
func enabledProvider(sc model.Scene, portal string) *store.Record {
	var found *store.Record
	sc.Tx.Range("portal_identity_provider", portal, func(p *store.Record) bool {
		if p.Fields["enabled"] == true {
			found = p
		}
		return found == nil
	})
	return found
}

func mappingOfProvider(sc model.Scene, r *store.Record) error {
	if provider := sc.Tx.Get("portal_identity_provider", r.Parent); provider != nil && enabledProvider(sc, provider.Parent) == nil {
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
	if provider = enabledProvider(sc, portal.ID); provider == nil {
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
