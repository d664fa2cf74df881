package gateway

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/plugin"
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

// Secret tells whether what stands at a path of an entity is secret. Name is that
// of the plugin, or "". The fields of a plugin that is known are
// secret where the facts about it say so. What other plugins, partials, vaults and
// filters keep in their configuration is judged by the names of the fields.
func Secret(kind, name string, path []string) bool {
	whole := strings.Join(path, ".")
	for _, f := range secretFields[kind] {
		if whole == f || strings.HasPrefix(whole, f+".") {
			return true
		}
	}
	if len(path) == 0 || !inConfig(path[0]) {
		return false
	}
	if !ofPlugin(kind) {
		name = ""
	}
	return plugin.Secret(name, path[1:])
}

func ofPlugin(kind string) bool { return kind == kindPlugin || kind == "consumer-group-plugin" }

// paired is the part of a text that is secret by the name before it, as in
// Authorization:Bearer x. It is "" for none.
func paired(kind string, path []string, text string) (head, secret string) {
	if !ofPlugin(kind) {
		return "", ""
	}
	return plugin.Paired(path, text)
}

// hide is a value of an entity with its secrets hidden. Only texts are secret,
// and a reference to a vault is not one.
func hide(kind, name string, path []string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = hide(kind, name, append(path[:len(path):len(path)], k), x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = hide(kind, name, path, x)
		}
		return out
	case string:
		return hideText(kind, name, path, v)
	}
	return v
}

// hideText is a text of an entity with what is secret in it hidden. It decides for
// all that people see and for all that is written: plans, exports and messages.
func hideText(kind, name string, path []string, text string) string {
	if text != "" && Secret(kind, name, path) && !IsVaultReference(text) {
		return Hidden
	}
	if head, secret := paired(kind, path, text); secret != "" {
		return head + Hidden
	}
	return withoutPassword(text)
}

// IsVaultReference reports whether a text only says where a secret is.
func IsVaultReference(s string) bool { return plugin.IsVaultReference(s) }

// SecretsIn are the secret texts that files hold, whether or not they came of a
// variable.
func SecretsIn(files []File) []string {
	var out []string
	for _, f := range files {
		root, err := Parse(f)
		if err != nil {
			continue // whoever reads it for what it holds tells
		}
		for _, config := range asMap(root[pluginConfigs]) {
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

func secretTexts(kind, name string, path []string, v any) []string {
	var out []string
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			out = append(out, secretTexts(kind, name, append(path[:len(path):len(path)], k), x)...)
		}
	case []any:
		for _, x := range v {
			out = append(out, secretTexts(kind, name, path, x)...)
		}
	case string:
		// Whatever is shorter stands in ordinary words, too.
		if len(strings.TrimSpace(v)) >= 4 && Secret(kind, name, path) && !IsVaultReference(v) {
			out = append(out, v)
		}
		if _, secret := paired(kind, path, v); len(secret) >= 4 {
			out = append(out, secret)
		}
	}
	return out
}
