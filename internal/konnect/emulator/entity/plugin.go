package entity

import (
	_ "embed" // for the table of plugins
	"slices"
	"strings"
	"sync"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/contract"
	"kongctl/internal/konnect/emulator/model"
	"kongctl/internal/konnect/emulator/store"
)

// plugin is about plugins and the partials that they share.
func plugin() model.Family {
	return model.Family{
		Rules: []model.Rule{
			{
				Kind: "gateway_plugin", Source: model.Assumed, Says: "of each plugin there is one for the same service, route, consumer and group",
				Unique: []string{"name", "service.id", "route.id", "consumer.id", "consumer_group.id"},
			},
			{Kind: "gateway_plugin", Source: model.Assumed, Says: "no two plugins share the name of an instance", Also: []string{"instance_name"}},
			{Kind: "gateway_plugin", Source: model.FromFacts, Says: "the configuration is checked and filled in as the schema of the plugin says", Fill: configurePlugin},
			{Kind: "gateway_plugin", Source: model.Assumed, Says: "the partials that a plugin uses must be there, and be of a type that it can use", Fill: linkPartials},
			{Kind: "gateway_plugin", Source: model.FromContract, Says: "the partials that a plugin uses lead to it", Marks: []string{usedPartials}},
			{Kind: "gateway_plugin", Source: model.Assumed, Says: "what the schema of a plugin calls encrypted is not shown to people", Hide: hidePluginSecrets},
			{
				Kind: "gateway_plugin", Source: model.Assumed, Says: "the authorities that a plugin trusts must be there, and stay as long",
				Points: []catalog.Reference{{Field: "config.ca_certificates", Kind: "gateway_ca_certificate"}},
			},
			{Kind: "gateway_partial", Source: model.FromContract, Says: "the name may stand in the path in place of the id", ByName: true},
			{Kind: "gateway_partial", Source: model.FromFacts, Says: "null in the configuration stands for nothing, though the contract has no null there", Expand: solidConfig},
			{Kind: "gateway_partial", Source: model.FromFacts, Says: "what the configuration leaves out is null", Fill: completePartial},
			{
				Kind: "gateway_partial", Source: model.FromFacts, Says: "the configuration is shown with null where it has no default, though the contract has no null there",
				Verbatim: "config",
			},
			{Kind: "gateway_partial", Source: model.Assumed, Says: "a partial that a plugin uses cannot be deleted", Guard: partialUnused},
		},
		Fixed: []model.Fixed{
			{
				Operation: core("GET", "/schemas/plugins/{pluginName}"), Source: model.FromFacts, Says: "the schemas of plugins have the form that gateways give them",
				Plain: true, One: pluginSchemaAnswer,
			},
			{Operation: core("GET", "/schemas/partials/{partialType}"), Source: model.FromFacts, Says: "the schemas of partials have the form of plugins", One: partialSchemaAnswer},
			{Operation: core("GET", "/partials/{PartialId}/links"), Source: model.FromContract, Says: "the plugins that use a partial", Many: partialLinks},
		},
	}
}

// usedPartials are the ids of the partials that a plugin uses.
const usedPartials = "partial_ids"

//go:embed plugin.yaml
var pluginText []byte

// plugins is the table of plugins, read when it is first asked for.
var plugins = sync.OnceValue(func() map[string]*pluginSchema {
	table, err := pluginTable(pluginText)
	if err != nil {
		panic("emulator: " + err.Error())
	}
	return table
})

// custom finds a plugin whose code was uploaded to a control plane.
func custom(sc model.Scene, controlPlane, name string) *store.Record {
	return sc.Holder("gateway_custom_plugin", controlPlane, name)
}

// pluginSchemaAnswer is a plugin's schema. One that was uploaded takes anything.
func pluginSchemaAnswer(sc model.Scene, c *model.Call) (map[string]any, error) {
	controlPlane, err := controlPlaneOf(sc, c)
	if err != nil {
		return nil, err
	}
	name := c.Params["pluginName"]
	p := plugins()[name]
	if p == nil {
		if custom(sc, controlPlane.ID, name) == nil {
			return nil, model.NotFound("plugin schema", name)
		}
		p = &pluginSchema{config: &member{name: "config", kind: typeRecord, required: true}}
	}
	plugin := sc.Contract().Schema("Plugin").Object(nil)
	protocols := map[string]any{
		"type": typeSet, "required": true, "default": model.Clone(plugin.Field("protocols").Schema.Default),
		"elements": map[string]any{"type": "string", "one_of": plugin.Field("protocols").Schema.Items.Enum},
	}
	out := map[string]any{"fields": []any{map[string]any{"protocols": protocols}, map[string]any{"config": p.config.schema()}}}
	if p.partials != nil {
		places := map[string]any{}
		for kind, paths := range p.partials {
			list := make([]any, len(paths))
			for i, path := range paths {
				list[i] = path
			}
			places[kind] = list
		}
		out["supported_partials"] = places
	}
	return out, nil
}

// configurePlugin fills in and checks the configuration.
func configurePlugin(sc model.Scene, r *store.Record) error {
	name, _ := r.Fields["name"].(string)
	config, _ := r.Fields["config"].(map[string]any)
	config = model.CloneMap(config)
	p := plugins()[name]
	if p == nil {
		if custom(sc, r.Parent, name) == nil {
			return model.Bad("body", "name", "invalid", "plugin '"+name+"' not enabled; add it to the 'plugins' configuration property")
		}
		r.Fields["config"] = config
		return nil
	}
	for _, f := range p.config.fields {
		if _, given := config[f.name]; !given && f.auto {
			config[f.name] = model.Hex(32, sc.NewID(), f.name)
		}
	}
	if links, _ := r.Fields["partials"].([]any); len(links) > 0 {
		p.config.openRecords(config)
	}
	p.config.complete(config)
	if wrong := p.config.check("config", config); len(wrong) > 0 {
		return model.BadAll(wrong)
	}
	r.Fields["config"] = config
	return nil
}

// openRecords leaves out records that are null: a partial gives them.
func (m *member) openRecords(config map[string]any) {
	for _, f := range m.fields {
		if config[f.name] == nil && f.kind == typeRecord {
			delete(config, f.name)
		}
	}
}

// linkPartials checks the partials that a plugin names. What a partial gives is
// not kept with the plugin.
func linkPartials(sc model.Scene, r *store.Record) error {
	name, _ := r.Fields["name"].(string)
	links, _ := r.Fields["partials"].([]any)
	delete(r.Made, usedPartials)
	var ids []any
	for _, e := range links {
		link, _ := e.(map[string]any)
		id, _ := link["id"].(string)
		partial := sc.Named("gateway_partial", r.Parent, id)
		if partial == nil {
			return model.Bad("body", "partials.id", "missing_reference", "partial "+id+" does not exist")
		}
		places := plugins()[name].placesOf(partial.Fields["type"])
		if len(places) == 0 {
			return model.Bad("body", "partials", "invalid", "plugin '"+name+"' cannot use a partial of this type")
		}
		path, _ := link["path"].(string)
		if path == "" {
			path = places[0]
		}
		if !slices.Contains(places, path) {
			return model.Bad("body", "partials.path", "invalid", "must be one of "+strings.Join(places, ", "))
		}
		link["id"], link["path"] = partial.Public(), path
		model.Set(r.Fields, path, nil)
		ids = append(ids, partial.Public())
	}
	if ids != nil {
		r.Made[usedPartials] = ids
	}
	return nil
}

func (p *pluginSchema) placesOf(kind any) []string {
	name, _ := kind.(string)
	if p == nil {
		return nil
	}
	return p.partials[name]
}

func hidePluginSecrets(v map[string]any) {
	name, _ := v["name"].(string)
	config, ok := v["config"].(map[string]any)
	if p := plugins()[name]; p != nil && ok {
		config = model.CloneMap(config)
		p.config.hide(config)
		v["config"] = config
	}
}

// partialUsers are the plugins that use a partial.
func partialUsers(sc model.Scene, partial *store.Record) []*store.Record {
	return sc.Referring("gateway_plugin", partial.Parent, usedPartials, partial.Public())
}

func partialUnused(sc model.Scene, r *store.Record) error {
	if users := partialUsers(sc, r); len(users) > 0 {
		return model.Bad("path", "id", "invalid", "partial "+r.Public()+" is used by plugin "+users[0].Public())
	}
	return nil
}

// partialConfig is the schema of a partial's configuration, nil for a type that
// is not known.
func partialConfig(sc model.Scene, kind string) *contract.Schema {
	_, branches := sc.Contract().Schema("Partial").Selector()
	if branches[kind] == nil {
		return nil
	}
	return branches[kind].At([]string{"config"}, nil)
}

func solidConfig(body map[string]any) {
	if config, ok := body["config"]; ok {
		body["config"] = solid(config)
	}
}

// solid copies a value without the nulls of its mappings.
func solid(v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range x {
			if e != nil {
				out[k] = solid(e)
			}
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = solid(e)
		}
		return out
	default:
		return v
	}
}

// completePartial puts null where a record of the schema has nothing.
func completePartial(sc model.Scene, r *store.Record) error {
	kind, _ := r.Fields["type"].(string)
	config, _ := r.Fields["config"].(map[string]any)
	if schema := partialConfig(sc, kind); schema != nil {
		memberOfSchema("config", schema).complete(config)
	}
	return nil
}

func partialLinks(sc model.Scene, c *model.Call) ([]map[string]any, error) {
	partial, err := entity(sc, c, "gateway_partial", "PartialId", "")
	if err != nil {
		return nil, err
	}
	var out []map[string]any
	for _, r := range partialUsers(sc, partial) {
		link := map[string]any{"id": r.Public(), "name": r.Fields["name"]}
		if name := r.Fields["instance_name"]; name != nil {
			link["instance_name"] = name
		}
		out = append(out, link)
	}
	return out, nil
}
