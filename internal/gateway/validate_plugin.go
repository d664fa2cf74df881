package gateway

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/resource"
	"github.com/kongctl/kongctl/internal/value"
)

// plugin holds a plugin against the facts about it. Where they object or know
// nothing of it, what Konnect itself says of the plugin decides: it may be newer,
// or somebody's own.
func (v *validation) plugin(it *item) {
	name := text(it.fields, "name")
	known := plugin.Lookup(name)
	config := asMap(value.Clone(it.fields["config"]))
	if config == nil {
		config = map[string]any{}
	}
	if shared, ok := v.shared[text(it.fields, "_config")]; ok {
		config = overlay(shared, config)
	}
	if it.fields["config"] != nil && asMap(it.fields["config"]) == nil {
		return // decK's schema says so
	}
	var problems []plugin.Problem
	if known != nil {
		problems = v.problems(it, known.Config, known.Partials, config)
		v.scope(it, known)
		if len(problems) == 0 {
			return
		}
	}
	if v.served == nil {
		v.tell(it, problems)
		return
	}
	schema, err := v.schema(SchemasOfPlugins, name)
	switch {
	case err != nil:
		v.err = err
	case schema == nil && known == nil:
		fix := "correct the name, or upload the plugin to the control plane first."
		if near := diag.Nearest(name, plugin.Names()); near != "" {
			fix = fmt.Sprintf("did you mean %s?", near)
		}
		v.add(diag.DeckPlugin, it, value.Path{"name"}, "Konnect does not know this plugin", fix)
	case len(schema) == 0: // nobody can tell more
		v.tell(it, problems)
	default:
		served, err := plugin.Served(schema)
		if err != nil {
			return // decK tells
		}
		if known != nil {
			served.Some, served.One = known.Config.Some, known.Config.One
		}
		v.tell(it, v.problems(it, served, placesIn(schema), config))
	}
}

func (v *validation) schema(of SchemasOf, name string) (map[string]any, error) {
	key := string(of) + "/" + name
	schema, asked := v.schemas[key]
	if asked {
		return schema, nil
	}
	schema, err := v.served(v.ctx, of, name)
	if err == nil {
		v.schemas[key] = schema
	}
	return schema, err
}

// placesIn are the places that partials can give, by a schema.
func placesIn(schema map[string]any) map[string][]string {
	out := map[string][]string{}
	for kind, list := range asMap(schema["supported_partials"]) {
		places, _ := list.([]any)
		for _, p := range places {
			if s, ok := p.(string); ok {
				out[kind] = append(out[kind], s)
			}
		}
	}
	return out
}

// problems checks a configuration as decK would send it.
func (v *validation) problems(it *item, fields *plugin.Field, places map[string][]string, config map[string]any) []plugin.Problem {
	if links, _ := it.fields["partials"].([]any); len(links) > 0 {
		fields = fields.Without(fromPartials(links, places))
	}
	config = asMap(value.Clone(config))
	fields.DropNullRecords(config)
	fields.Complete(config)
	found := fields.Check(value.Path{"config"}, config)
	if v.overrides && it.fields["consumer_group"] != nil {
		found = slices.DeleteFunc(found, func(p plugin.Problem) bool { return !p.Unknown && p.Reason == plugin.Missing })
	}
	return found
}

// fromPartials are the places of a configuration that partials give.
func fromPartials(links []any, places map[string][]string) []value.Path {
	var out []value.Path
	add := func(place string) { out = append(out, value.ParsePath(strings.TrimPrefix(place, "config."))) }
	for _, link := range links {
		if path := text(asMap(link), "path"); path != "" {
			add(path)
			continue
		}
		for _, list := range places {
			for _, place := range list {
				add(place)
			}
		}
	}
	return out
}

// tell reports problems, one for each cause: a name that is misspelt is not
// missing under its right one as well.
func (v *validation) tell(it *item, problems []plugin.Problem) {
	misspelt := map[string]bool{}
	for _, p := range problems {
		if p.Unknown {
			record := p.Path[:len(p.Path)-1]
			misspelt[record.String()] = true
			misspelt[record.Child(diag.Nearest(p.Path[len(p.Path)-1], p.Known)).String()] = true
		}
	}
	for _, p := range problems {
		fix := ""
		last := p.Path[len(p.Path)-1]
		switch {
		case p.Unknown:
			fix = resource.Suggest(last, p.Known)
		case misspelt[p.Path.String()]:
			continue
		case p.Reason == plugin.Missing:
			fix = fmt.Sprintf("add %s.", p.Path)
		}
		v.addAt(p.Unknown, diag.DeckPlugin, it, p.Path, p.Reason, fix)
	}
}

// scope reports protocols that the plugin cannot work with, and entities that it
// cannot be attached to.
func (v *validation) scope(it *item, known *plugin.Plugin) {
	protocols, _ := it.fields["protocols"].([]any)
	for i, p := range protocols {
		if s, ok := p.(string); ok && !slices.Contains(known.Protocols, s) {
			v.add(diag.DeckPlugin, it, value.Path{"protocols"}.Index(i), "expected one of: "+strings.Join(known.Protocols, ", "), "")
		}
	}
	for _, field := range []string{"service", "route", kindConsumer, "consumer_group"} {
		if it.fields[field] == nil || slices.Contains(known.Scopes, field) {
			continue
		}
		fix := "make it global."
		if len(known.Scopes) > 0 {
			fix = fmt.Sprintf("attach it to a %s, or make it global.", strings.ReplaceAll(diag.Join(known.Scopes, "or"), "_", " "))
		}
		v.add(diag.DeckPlugin, it, value.Path{"name"}, fmt.Sprintf("the plugin cannot be attached to a %s", strings.ReplaceAll(field, "_", " ")), fix)
	}
}

// overlay is a configuration on top of one that several plugins share.
func overlay(shared, config map[string]any) map[string]any {
	out := asMap(value.Clone(shared))
	for k, x := range config {
		if above, below := asMap(x), asMap(out[k]); above != nil && below != nil {
			x = overlay(below, above)
		}
		out[k] = x
	}
	return out
}
