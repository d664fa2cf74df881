package contract

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/pattern"
)

// Configured says that a field of a body holds the configuration of a plugin, which
// the document leaves open: any mapping fits it. What is known of it here are the
// secrets of the plugin, beside the fields that the document names. The rest, and all
// that a plugin which is not known has, may be anything.
type Configured struct {
	Operation string
	// Field is the path of the configuration. By is the field at the top with the name
	// of the plugin; where it is always the same one, Plugin is its name.
	Field, By, Plugin string
}

// Configurations lists them.
func Configurations() []Configured {
	const login = "openid-connect"
	return []Configured{
		{Operation: "POST /v1/ai-gateways/{gatewayId}/policies", Field: "config", By: "type"},
		{Operation: "PUT /v1/ai-gateways/{gatewayId}/policies/{policyIdOrName}", Field: "config", By: "type"},
		{Operation: "POST /v1/ai-gateways/{gatewayId}/identity", Field: "config", By: "type"},
		{Operation: "PUT /v1/ai-gateways/{gatewayId}/identity/{identityProviderIdOrName}", Field: "config", By: "type"},
		{Operation: "POST /v2/application-auth-strategies", Field: "configs." + login, Plugin: login},
		{Operation: "PATCH /v2/application-auth-strategies/{authStrategyId}", Field: "configs." + login, Plugin: login},
		{Operation: "PUT /v2/application-auth-strategies/{authStrategyId}", Field: "configs." + login, Plugin: login},
	}
}

// configured is the body of an operation that knows the secrets of plugins. It needs
// the contract's lock.
func (o *Operation) configured(body *Schema) *Schema {
	if c, ok := o.Configuration(); ok {
		return c.apply(body)
	}
	return body
}

// apply adds the secrets of the plugin, where the body says which one it is. Where a
// value says it, the body only knows which field does.
func (c Configured) apply(body *Schema) *Schema {
	flat := body.deref()
	out := *flat
	switch {
	case c.Plugin != "":
		return withSecrets(flat, strings.Split(c.Field, "."), c.Plugin)
	case len(flat.OneOf) == 0:
		out.configures = &c
		return &out
	}
	branches := make([]*Schema, len(flat.OneOf))
	for i, b := range flat.OneOf {
		name, _ := b.deref().Properties[c.By].deref().Enum[0].(string)
		branches[i] = withSecrets(b, []string{c.Field}, name)
	}
	out.replaceBranches(branches)
	return &out
}

// withSecrets is a copy of a schema in which the mapping at a path has the secrets of
// a plugin.
func withSecrets(s *Schema, path []string, name string) *Schema {
	return changed(s, path, func(config *Schema) { addSecrets(config, secretsOfPlugin(name)) })
}

// addSecrets adds the secrets of a plugin to a mapping. What the document has a field
// for is as it says.
func addSecrets(to, secrets *Schema) {
	if secrets == nil {
		return
	}
	if to.Properties = maps.Clone(to.Properties); to.Properties == nil {
		to.Properties = map[string]*Schema{}
	}
	for name, secret := range secrets.Properties {
		have := to.Properties[name]
		if have == nil {
			to.Properties[name] = secret
			continue
		}
		if with := *have.deref(); with.Type == "object" && secret.Type == "object" {
			addSecrets(&with, secret)
			to.Properties[name] = &with
		}
	}
}

// Configured reports whether a field holds the configuration of a plugin.
func (s *Schema) Configured(field string) bool {
	s = s.Deref()
	return s != nil && s.configures != nil && s.configures.Field == field
}

// Configuration is what a field says of the plugins that may be configured there,
// of all of them together; nil for a field that is not for plugins.
func (s *Schema) Configuration(field string) *Schema {
	if !s.Configured(field) {
		return nil
	}
	return anyPlugin()
}

// Configuration is the one that an operation has; false for none.
func (o *Operation) Configuration() (Configured, bool) {
	for _, c := range Configurations() {
		if c.Operation == o.Key() {
			return c, true
		}
	}
	return Configured{}, false
}

// Named is the name of the plugin that a body configures; false where it is not
// known yet.
func (c Configured) Named(body any) (name string, known bool) {
	name = c.Plugin
	if fields, isMap := body.(map[string]any); isMap && name == "" {
		name, _ = fields[c.By].(string)
	}
	return name, pluginName.MatchString(name)
}

// Identifier reports whether a field of a request is one of a plugin that gateways
// encrypt although it is no secret.
func (o *Operation) Identifier(at []string, body any) bool {
	c, ok := o.Configuration()
	field := strings.Split(c.Field, ".")
	if !ok || len(at) <= len(field) || !slices.Equal(at[:len(field)], field) {
		return false
	}
	name, _ := c.Named(body)
	p := plugin.Lookup(name)
	if p == nil {
		return false
	}
	f, _ := p.Config.At(at[len(field):])
	return f != nil && f.Identifier
}

// Identifies reports whether a path of a request, without the places of lists, is an
// identifier in some plugin that may be configured there.
func (o *Operation) Identifies(at []string) bool {
	c, ok := o.Configuration()
	field := strings.Split(c.Field, ".")
	return ok && len(at) > len(field) && slices.Equal(at[:len(field)], field) && plugin.Identifies(at[len(field):])
}

// Tabled reports whether only the table of plugins knows a field: the document takes
// anything there, requests and answers alike.
func (s *Schema) Tabled() bool {
	s = s.Deref()
	return s != nil && s.tabled
}

// Loose reports whether a list of what the schema says may stand in its place, because the
// plugin is not known.
func (s *Schema) Loose() bool {
	s = s.Deref()
	return s != nil && s.loose
}

// pluginName is what a plugin can be called. Other texts stand for a name that is
// not known yet.
var pluginName = pattern.New(`^[A-Za-z0-9_-]+$`)

// of is the configuration of the plugin that a value names. Where the name is not
// known yet, the secrets of every plugin are secret.
func (c *Configured) of(v map[string]any, free *Schema) *Schema {
	name, known := c.Named(v)
	if !known {
		return anyPlugin()
	}
	if secrets := secretsOfPlugin(name); secrets != nil {
		return secrets
	}
	return free
}

// secretsOfPlugin is the configuration of a plugin; nil of one that is not known, or
// has no secrets.
func secretsOfPlugin(name string) *Schema {
	if p := plugins()[name]; p != nil {
		return p()
	}
	return nil
}

// plugins are the configurations of plugins by name, nil of those without secrets.
var plugins = sync.OnceValue(func() map[string]func() *Schema {
	out := map[string]func() *Schema{}
	for _, name := range plugin.Names() {
		out[name] = sync.OnceValue(func() *Schema {
			s := secretsOf(plugin.Lookup(name).Config)
			if s != nil {
				s.Name = "plugin " + name // creates and updates have the same
			}
			return s
		})
	}
	return out
})

// anyPlugin is the configuration of a plugin of which the name is not known.
var anyPlugin = sync.OnceValue(func() *Schema {
	out := looseSchema()
	for _, name := range plugin.Names() {
		out.loosen(plugins()[name]())
	}
	return out
})

// secretsOf is the schema of a field of which only the secrets are known; nil where
// it has none. Gateways take null for what has no value.
func secretsOf(f *plugin.Field) *Schema {
	secret := f.IsSecret()
	switch f.Kind {
	case plugin.KindRecord:
		out := &Schema{Type: "object", Additional: &Schema{}, Properties: map[string]*Schema{}, Nullable: true, tabled: true}
		for _, x := range f.Fields {
			if s := secretsOf(x); s != nil {
				out.Properties[x.Name] = s
			}
		}
		switch {
		case secret:
			values := looseSchema()
			values.loosen(&Schema{Secret: true})
			return &Schema{Type: "object", Additional: values, Nullable: true, tabled: true}
		case len(out.Properties) == 0:
			return nil
		}
		return out
	case plugin.KindArray, plugin.KindSet:
		if items := secretsOf(element(f, secret)); items != nil {
			return &Schema{Type: "array", Items: items, Secret: secret, Nullable: true, tabled: true}
		}
		return nil
	case plugin.KindMap:
		// The keys are names, only the values are secret.
		if values := secretsOf(element(f, secret)); values != nil {
			return &Schema{Type: "object", Additional: values, Nullable: true, tabled: true}
		}
		return nil
	case plugin.KindAny:
		if secret {
			out := looseSchema()
			out.loosen(&Schema{Secret: true})
			return out
		}
		return nil
	default:
		if secret {
			return &Schema{Type: Types(f.Kind), Secret: true, Nullable: true, tabled: true, loose: true}
		}
		return nil
	}
}

// element is what a list or a mapping holds, secret if that is.
func element(f *plugin.Field, secret bool) *plugin.Field {
	out := *f.Element
	out.Secret = out.Secret || secret
	return &out
}

// looseSchema is a mapping of which nothing is known, or a list of such mappings.
func looseSchema() *Schema {
	return &Schema{Type: "object", Additional: &Schema{}, loose: true, tabled: true}
}

// loosen adds the secrets of a schema to one that knows no lists and no types: what
// is at a place of it may be a list or not.
func (s *Schema) loosen(by *Schema) {
	for by != nil && by.Items != nil && !by.Secret {
		by = by.Items
	}
	if by == nil || s.Secret {
		return
	}
	if by.Secret {
		s.Secret, s.Type, s.Additional, s.Properties = true, "", nil, nil // whatever it is
		return
	}
	if by.Additional != nil && !by.Additional.plainTrue() {
		values := looseSchema()
		values.loosen(by.Additional)
		s.Additional = values
	}
	for name, p := range by.Properties {
		if s.Properties == nil {
			s.Properties = map[string]*Schema{}
		}
		if s.Properties[name] == nil {
			s.Properties[name] = looseSchema()
		}
		s.Properties[name].loosen(p)
	}
}
