package gateway

import (
	"slices"
	"strings"

	"kongctl/internal/value"
)

// secretFields are the secrets of core entities, by kind; what is below them is
// secret, too.
var secretFields = map[string][]string{
	kindKeyAuth:   {"key"},
	"basic-auth":  {"password"},
	"hmac-auth":   {"secret"},
	"jwt-auth":    {"secret"},
	"oauth2-cred": {"client_secret"},
	"certificate": {"key", "key_alt"},
	"key":         {"jwk", "pem.private_key"},
}

// What plugins, partials, vaults and filters keep in their configuration is
// judged by the name of the field (value.NamesSecret), but for these.
var (
	// These are secret in the plugin of that name alone. A list of headers is one
	// of names elsewhere; here they have values, such as tokens.
	pluginFields = map[string][]string{
		"loggly": {"key"}, "opentelemetry": {"headers"}, "http-log": {"headers"}, "oauth2-introspection": {"custom_introspection_headers"},
	}
	// These have a secret's name and are none.
	notSecret = []string{"max_tokens", "session_cookie"}
)

// Secret tells whether what stands at a path of an entity is secret. Plugin is
// the name of the plugin; "" where there is none.
func Secret(kind, plugin string, path []string) bool {
	whole := strings.Join(path, ".")
	for _, f := range secretFields[kind] {
		if whole == f || strings.HasPrefix(whole, f+".") {
			return true
		}
	}
	if len(path) == 0 || !inConfig(path[0]) {
		return false
	}
	for _, field := range path[1:] {
		field = strings.ToLower(field)
		if slices.Contains(notSecret, field) {
			continue
		}
		if value.NamesSecret(field) || slices.Contains(pluginFields[plugin], field) {
			return true
		}
	}
	return false
}

// hide is a value of an entity with its secrets hidden. Only texts are secret,
// and a reference to a vault is none.
func hide(kind, plugin string, path []string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = hide(kind, plugin, append(path[:len(path):len(path)], k), x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = hide(kind, plugin, path, x)
		}
		return out
	case string:
		if v != "" && Secret(kind, plugin, path) && !IsVaultReference(v) {
			return Hidden
		}
		return withoutPassword(v)
	}
	return v
}

// IsVaultReference tells of a text that only says where a secret is.
func IsVaultReference(s string) bool {
	return strings.HasPrefix(s, "{vault://") && strings.HasSuffix(s, "}")
}

// SecretsIn are the secret texts that files hold, whether or not they came of a
// variable.
func SecretsIn(files []File) []string {
	var out []string
	for _, f := range files {
		root, err := Parse(f)
		if err != nil {
			continue // whoever reads it for what it holds tells
		}
		for _, config := range asMap(root["_plugin_configs"]) {
			out = append(out, SecretTexts(kindPlugin, map[string]any{"config": config})...)
		}
		walk(shapes, root, nil, func(kind string, entity map[string]any) {
			out = append(out, SecretTexts(kind, entity)...)
		})
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// SecretTexts are the secret texts of one entity. Those it belongs to and those
// that nest in it are no part of it.
func SecretTexts(kind string, entity map[string]any) []string {
	var out []string
	for field, v := range entity {
		if mayHold(kind, field) {
			out = append(out, secretTexts(kind, text(entity, "name"), []string{field}, v)...)
		}
	}
	return out
}

// mayHold tells of the fields of an entity at or below which a secret may stand.
func mayHold(kind, field string) bool {
	return inConfig(field) || slices.ContainsFunc(secretFields[kind], func(f string) bool {
		return f == field || strings.HasPrefix(f, field+".")
	})
}

func inConfig(field string) bool { return field == "config" || field == "filters" || field == "fields" }

func secretTexts(kind, plugin string, path []string, v any) []string {
	var out []string
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			out = append(out, secretTexts(kind, plugin, append(path[:len(path):len(path)], k), x)...)
		}
	case []any:
		for _, x := range v {
			out = append(out, secretTexts(kind, plugin, path, x)...)
		}
	case string:
		// Whatever is shorter stands in ordinary words, too.
		if len(strings.TrimSpace(v)) >= 4 && Secret(kind, plugin, path) && !IsVaultReference(v) {
			out = append(out, v)
		}
	}
	return out
}
