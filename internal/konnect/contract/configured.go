package contract

import (
	"sync"

	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/pattern"
)

// Configured says that a field of a body holds the configuration of the plugin that
// another field names, which the document leaves open: any mapping fits it. What is
// known of it here are the secrets of the plugin. The rest, and all that a plugin
// which is not known has, may be anything.
type Configured struct {
	Operation string
	// By is the field with the name of the plugin, Field the one with its
	// configuration.
	By, Field string
}

// Configurations lists them.
func Configurations() []Configured {
	return []Configured{
		{"POST /v1/ai-gateways/{gatewayId}/policies", "type", "config"},
		{"PUT /v1/ai-gateways/{gatewayId}/policies/{policyIdOrName}", "type", "config"},
	}
}

// configured is the body of an operation that knows the secrets of plugins. It needs
// the contract's lock.
func (o *Operation) configured(body *Schema) *Schema {
	for _, c := range Configurations() {
		if c.Operation == o.Key() {
			with := *body.deref()
			with.configures = &c
			body = &with
		}
	}
	return body
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

// Configures says which field of a body holds the configuration of a plugin, and
// which one its name; "" for none.
func (s *Schema) Configures() (by, field string) {
	if s = s.Deref(); s == nil || s.configures == nil {
		return "", ""
	}
	return s.configures.By, s.configures.Field
}

// pluginName is what a plugin can be called. Other texts stand for a name that is
// not known yet.
var pluginName = pattern.New(`^[A-Za-z0-9_-]+$`)

// of is the configuration of the plugin that a value names. Where the name is not
// known yet, the secrets of every plugin are secret.
func (c *Configured) of(v map[string]any, free *Schema) *Schema {
	name, _ := v[c.By].(string)
	if !pluginName.MatchString(name) {
		return anyPlugin()
	}
	if p := plugins()[name]; p != nil && p() != nil {
		return p()
	}
	return free
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
// it has none.
func secretsOf(f *plugin.Field) *Schema {
	secret := f.Encrypted || f.Secret
	switch f.Kind {
	case plugin.KindRecord:
		out := &Schema{Type: "object", Additional: &Schema{}, Properties: map[string]*Schema{}}
		for _, x := range f.Fields {
			if s := secretsOf(x); s != nil {
				out.Properties[x.Name] = s
			}
		}
		switch {
		case secret:
			values := looseSchema()
			values.loosen(&Schema{Secret: true})
			return &Schema{Type: "object", Additional: values}
		case len(out.Properties) == 0:
			return nil
		}
		return out
	case plugin.KindArray, plugin.KindSet:
		if items := secretsOf(element(f, secret)); items != nil {
			return &Schema{Type: "array", Items: items, Secret: secret}
		}
		return nil
	case plugin.KindMap:
		// The keys are names, only the values are secret.
		if values := secretsOf(element(f, secret)); values != nil {
			return &Schema{Type: "object", Additional: values}
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
			return &Schema{Type: Types(f.Kind), Secret: true}
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
	return &Schema{Type: "object", Additional: &Schema{}, loose: true}
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
