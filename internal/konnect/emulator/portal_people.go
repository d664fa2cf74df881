package emulator

import (
	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
)

// portalPeople is what the contract cannot express about developers of portals and
// what they make for themselves.
func portalPeople() []model.Rule {
	registration := "portal_application_registration"
	return []model.Rule{
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
