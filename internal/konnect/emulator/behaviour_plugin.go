package emulator

import (
	"slices"
	"strings"

	"kongctl/internal/konnect/contract"
	"kongctl/internal/konnect/emulator/store"
)

// usedPartials are the ids of the partials that a plugin uses.
const usedPartials = "partial_ids"

// plugins is the table of plugins.
func (s *Server) plugins() map[string]*pluginSchema {
	s.reading.Do(func() {
		table, err := pluginTable(s.pluginText)
		if err != nil {
			panic("emulator: " + err.Error())
		}
		s.known = table
	})
	return s.known
}

// custom finds a plugin whose code was uploaded to a control plane.
func (sc scene) custom(controlPlane, name string) *store.Record {
	return sc.tx.Taken("gateway_custom_plugin", uniqueKey(controlPlane, name))
}

// pluginSchemaAnswer is a plugin's schema. One that was uploaded takes anything.
func pluginSchemaAnswer(sc scene, c *call) (map[string]any, error) {
	controlPlane, err := sc.controlPlane(c)
	if err != nil {
		return nil, err
	}
	name := c.params["pluginName"]
	p := sc.s.plugins()[name]
	if p == nil {
		if sc.custom(controlPlane.ID, name) == nil {
			return nil, notFound("plugin schema", name)
		}
		p = &pluginSchema{config: &member{name: "config", kind: typeRecord, required: true}}
	}
	plugin := sc.s.contract.Schema("Plugin").Object(nil)
	protocols := map[string]any{
		"type": typeSet, "required": true, "default": clone(plugin.Field("protocols").Schema.Default),
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
func configurePlugin(sc scene, r *store.Record) error {
	name, _ := r.Fields["name"].(string)
	config, _ := r.Fields["config"].(map[string]any)
	config = cloneMap(config)
	p := sc.s.plugins()[name]
	if p == nil {
		if sc.custom(r.Parent, name) == nil {
			return bad("body", "name", "invalid", "plugin '"+name+"' not enabled; add it to the 'plugins' configuration property")
		}
		r.Fields["config"] = config
		return nil
	}
	for _, f := range p.config.fields {
		if _, given := config[f.name]; !given && f.auto {
			config[f.name] = hexOf(32, sc.s.o.NewID(), f.name)
		}
	}
	if links, _ := r.Fields["partials"].([]any); len(links) > 0 {
		p.config.openRecords(config)
	}
	p.config.complete(config)
	if wrong := p.config.check("config", config); len(wrong) > 0 {
		return badAll(wrong)
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
func linkPartials(sc scene, r *store.Record) error {
	name, _ := r.Fields["name"].(string)
	links, _ := r.Fields["partials"].([]any)
	delete(r.Made, usedPartials)
	var ids []any
	for _, e := range links {
		link, _ := e.(map[string]any)
		id, _ := link["id"].(string)
		partial := sc.named(sc.s.cat.Kind("gateway_partial"), r.Parent, id, nil)
		if partial == nil {
			return bad("body", "partials.id", "missing_reference", "partial "+id+" does not exist")
		}
		places := sc.s.plugins()[name].placesOf(partial.Fields["type"])
		if len(places) == 0 {
			return bad("body", "partials", "invalid", "plugin '"+name+"' cannot use a partial of this type")
		}
		path, _ := link["path"].(string)
		if path == "" {
			path = places[0]
		}
		if !slices.Contains(places, path) {
			return bad("body", "partials.path", "invalid", "must be one of "+strings.Join(places, ", "))
		}
		link["id"], link["path"] = partial.Public(), path
		set(r.Fields, path, nil)
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

func hidePluginSecrets(sc scene, v map[string]any) {
	name, _ := v["name"].(string)
	config, ok := v["config"].(map[string]any)
	if p := sc.s.plugins()[name]; p != nil && ok {
		config = cloneMap(config)
		p.config.hide(config)
		v["config"] = config
	}
}

// partialUsers are the plugins that use a partial.
func (sc scene) partialUsers(partial *store.Record) []*store.Record {
	return sc.referring(sc.s.cat.Kind("gateway_plugin"), partial.Parent, refKey(usedPartials, partial.Public()))
}

func partialUnused(sc scene, r *store.Record) error {
	if users := sc.partialUsers(r); len(users) > 0 {
		return bad("path", "id", "invalid", "partial "+r.Public()+" is used by plugin "+users[0].Public())
	}
	return nil
}

// partialConfig is the schema of a partial's configuration, nil for a type that
// is not known.
func (s *Server) partialConfig(kind string) *contract.Schema {
	_, branches := s.contract.Schema("Partial").Selector()
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
func completePartial(sc scene, r *store.Record) error {
	kind, _ := r.Fields["type"].(string)
	config, _ := r.Fields["config"].(map[string]any)
	if schema := sc.s.partialConfig(kind); schema != nil {
		memberOfSchema("config", schema).complete(config)
	}
	return nil
}
