package entity

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/value"
)

// plugins is about plugins and the partials that they share.
func plugins() model.Family {
	return model.Family{
		Rules: append([]model.Rule{
			{
				Kind: "gateway_plugin", Source: model.Assumed, Says: "of each plugin there is one for the same service, route, consumer and group",
				Unique: []string{"name", "service.id", "route.id", "consumer.id", "consumer_group.id"},
			},
			{Kind: "gateway_plugin", Source: model.Assumed, Says: "no two plugins share the name of an instance", Also: []string{"instance_name"}},
			{
				Kind: "gateway_plugin", Source: model.FromFacts, Says: "protocols have no default that all plugins share",
				Bare: func(map[string]any) []string { return []string{"protocols"} },
			},
			{Kind: "gateway_plugin", Source: model.FromFacts, Says: "the protocols are some of those that the plugin works with", Fill: speakProtocols},
			{Kind: "gateway_plugin", Source: model.FromFacts, Says: "the configuration is checked and filled in as the schema of the plugin says", Fill: configurePlugin},
			{Kind: "gateway_plugin", Source: model.Assumed, Says: "the partials that a plugin uses must be there, and be of a type that it can use", Fill: linkPartials},
			{Kind: "gateway_plugin", Source: model.FromContract, Says: "the partials that a plugin uses lead to it", Marks: []string{usedPartials}},
			{Kind: "gateway_plugin", Source: model.Assumed, Says: "secrets of the configuration are not shown to people: what the schema calls encrypted, and credentials in headers and URLs", Hide: hidePluginSecrets},
			{
				Kind: "gateway_plugin", Source: model.Assumed, Says: "the authorities that a plugin trusts must be there, and stay as long",
				Points: []catalog.Reference{{Field: "config.ca_certificates", Kind: "gateway_ca_certificate"}},
			},
			{Kind: "gateway_partial", Source: model.FromContract, Says: "the name may stand in the path in place of the id", ByName: true},
			{Kind: "gateway_partial", Source: model.FromFacts, Says: "null in the configuration stands for nothing, though the contract has no null there", Expand: solidConfig},
			{Kind: "gateway_partial", Source: model.FromFacts, Says: "the configuration has only fields of the schema of its type", Check: knownConfig},
			{Kind: "gateway_partial", Source: model.FromFacts, Says: "what the configuration leaves out is null", Fill: completePartial},
			{
				Kind: "gateway_partial", Source: model.FromFacts, Says: "the configuration is shown with null where it has no default, though the contract has no null there",
				Verbatim: "config",
			},
			{Kind: "gateway_partial", Source: model.Assumed, Says: "a partial that a plugin uses cannot be deleted", Guard: partialUnused},
			{Kind: "gateway_partial", Source: model.Assumed, Says: "secrets of the configuration are not shown to people", Hide: func(v map[string]any) { hideConfig("", v) }},
		}, mcpServers()...),
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
	p := plugin.Lookup(name)
	if p == nil {
		if custom(sc, controlPlane.ID, name) == nil {
			return nil, model.NotFound("plugin schema", name)
		}
		p = &plugin.Plugin{Config: &plugin.Field{Name: "config", Kind: plugin.KindRecord, Required: true}}
		p.Protocols, p.DefaultProtocols = anyProtocols(sc)
	}
	protocols := map[string]any{
		"type": plugin.KindSet, "required": true, "default": list(p.DefaultProtocols),
		"elements": map[string]any{"type": "string", "one_of": list(p.Protocols)},
	}
	config := p.Config.Schema()
	if p.Name == "" {
		delete(config, "fields") // nobody reads the schema of an upload: any will do
	}
	out := map[string]any{"fields": []any{map[string]any{"protocols": protocols}, map[string]any{"config": config}}}
	if len(p.Partials) > 0 {
		places := map[string]any{}
		for kind, paths := range p.Partials {
			places[kind] = list(paths)
		}
		out["supported_partials"] = places
	}
	return out, nil
}

// anyProtocols are those of a plugin of which nothing is known, and its default.
func anyProtocols(sc model.Scene) (all, usual []string) {
	known := sc.Contract().Schema("Plugin").Object(nil).Field("protocols").Schema
	return model.Texts(known.Items.Enum), model.Texts(known.Default)
}

// speakProtocols leaves a plugin that does not exist to the check of its
// configuration.
func speakProtocols(sc model.Scene, r *store.Record) error {
	name, _ := r.Fields["name"].(string)
	all, usual := anyProtocols(sc)
	if p := plugin.Lookup(name); p != nil {
		all, usual = p.Protocols, p.DefaultProtocols
	}
	if r.Fields["protocols"] == nil {
		r.Fields["protocols"] = list(usual)
	}
	for _, protocol := range model.Texts(r.Fields["protocols"]) {
		if !slices.Contains(all, protocol) {
			return wrong("protocols", "expected one of: "+strings.Join(all, ", "))
		}
	}
	return nil
}

func list(texts []string) []any {
	out := make([]any, len(texts))
	for i, s := range texts {
		out[i] = s
	}
	return out
}

// configurePlugin fills in and checks the configuration.
func configurePlugin(sc model.Scene, r *store.Record) error {
	name, _ := r.Fields["name"].(string)
	config, _ := r.Fields["config"].(map[string]any)
	config = model.CloneMap(config)
	p := plugin.Lookup(name)
	if p == nil {
		if custom(sc, r.Parent, name) == nil {
			return model.Bad("body", "name", "invalid", "plugin '"+name+"' not enabled; add it to the 'plugins' configuration property")
		}
		r.Fields["config"] = config
		return nil
	}
	fields := p.Config
	for _, f := range fields.Fields {
		if _, given := config[f.Name]; !given && f.Auto {
			config[f.Name] = model.Hex(32, sc.NewID(), f.Name)
		}
	}
	if links, _ := r.Fields["partials"].([]any); len(links) > 0 {
		fields = withPartials(p, config)
	}
	fields.Complete(config)
	if wrong := invalid(fields.Check(value.Path{"config"}, config)); len(wrong) > 0 {
		return model.BadAll(wrong)
	}
	r.Fields["config"] = config
	return nil
}

// withPartials is the configuration with what partials may give left open.
func withPartials(p *plugin.Plugin, config map[string]any) *plugin.Field {
	var given []value.Path
	for _, places := range p.Partials {
		for _, place := range places {
			path := value.ParsePath(place)[1:]
			if v, _ := value.Get(config, path); v == nil {
				given = append(given, path)
			}
		}
	}
	return p.Config.Without(given)
}

// invalid says what is wrong in the words of gateways, which count from one.
func invalid(problems []plugin.Problem) []model.Invalid {
	var out []model.Invalid
	for _, p := range problems {
		var field strings.Builder
		for i, key := range p.Path {
			if n, isPlace := value.Place(key); isPlace {
				fmt.Fprintf(&field, "[%d]", n+1)
				continue
			}
			if i > 0 {
				field.WriteByte('.')
			}
			field.WriteString(key)
		}
		out = append(out, model.Invalid{Field: field.String(), Rule: "invalid", Reason: p.Reason, Source: "body"})
	}
	slices.SortStableFunc(out, func(a, b model.Invalid) int { return strings.Compare(a.Field, b.Field) })
	return out
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
		kind, _ := partial.Fields["type"].(string)
		places := placesOf(name, kind)
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

func placesOf(name, kind string) []string {
	if p := plugin.Lookup(name); p != nil {
		return p.Partials[kind]
	}
	return nil
}

// hideConfig hides what people must not see of a configuration: what plans and
// exports hide, too.
func hideConfig(name string, v map[string]any) {
	if config, ok := v["config"].(map[string]any); ok {
		v["config"] = plugin.HideConfig(name, config, model.Hidden)
	}
}

func hidePluginSecrets(v map[string]any) {
	name, _ := v["name"].(string)
	hideConfig(name, v)
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
		body["config"] = value.Solid(config)
	}
}

func knownConfig(sc model.Scene, r *store.Record) error {
	kind, _ := r.Fields["type"].(string)
	schema := partialConfig(sc, kind)
	if schema == nil {
		return nil
	}
	var found []plugin.Problem
	for _, place := range schema.Undeclared(r.Fields["config"]) {
		found = append(found, plugin.Problem{Path: append(value.Path{"config"}, place...), Reason: "unknown field"})
	}
	if len(found) > 0 {
		return model.BadAll(invalid(found))
	}
	return nil
}

// completePartial puts null where a record of the schema has nothing.
func completePartial(sc model.Scene, r *store.Record) error {
	kind, _ := r.Fields["type"].(string)
	config, _ := r.Fields["config"].(map[string]any)
	if schema := partialConfig(sc, kind); schema != nil {
		fieldOf("config", schema).Complete(config)
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
