package plugin

import (
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/pattern"
	"github.com/kongctl/kongctl/internal/value"
)

// notSecret are named like secrets and are not.
var notSecret = []string{"max_tokens", "session_cookie"}

// Secret reports whether what is at a path of a configuration is secret. The
// fields of a plugin that is known are secret where the facts about it say so;
// others are judged by their names, as are those of vaults, partials and filters,
// which have no plugin's name.
func Secret(name string, path []string) bool {
	if p := Lookup(name); p != nil {
		f, open := p.Config.At(path)
		switch {
		case f != nil && f.IsSecret():
			return true
		case f != nil && !open:
			return false
		}
	}
	return slices.ContainsFunc(path, func(field string) bool {
		field = strings.ToLower(field)
		return !slices.Contains(notSecret, field) && value.NamesSecret(field)
	})
}

// pair finds a header, a parameter or a field of a body that a plugin adds, in one
// text with its value.
var pair = pattern.New(`^([A-Za-z0-9_.-]+)(:\s*)(.+)$`)

// Paired is the part of a text that is secret by the name before it, as in
// Authorization:Bearer x. It is "" for none.
func Paired(path []string, text string) (head, secret string) {
	adds := slices.ContainsFunc(path, func(key string) bool { return key == "add" || key == "append" || key == "replace" })
	m := pair.FindStringSubmatch(text)
	if !adds || m == nil || !value.NamesSecret(m[1]) || IsVaultReference(m[3]) {
		return "", ""
	}
	return m[1] + m[2], m[3]
}

// IsVaultReference reports whether a text only says where a secret is.
func IsVaultReference(s string) bool {
	return strings.HasPrefix(s, "{vault://") && strings.HasSuffix(s, "}")
}

// HideText is a text at a path of a configuration with what is secret in it
// replaced.
func HideText(name string, path []string, text, hidden string) string {
	if text != "" && !IsVaultReference(text) && Secret(name, path) {
		return hidden
	}
	if head, secret := Paired(path, text); secret != "" {
		return head + hidden
	}
	return value.HidePassword(text, hidden)
}

// HideConfig is a configuration as people may see it: without the fields that are
// secret, and with other secrets replaced.
func HideConfig(name string, config map[string]any, hidden string) map[string]any {
	out, _ := clone(config).(map[string]any)
	if p := Lookup(name); p != nil {
		p.Config.Hide(out)
	}
	hideAll(name, nil, out, hidden)
	return out
}

func hideAll(name string, path []string, v any, hidden string) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = hideAll(name, append(path[:len(path):len(path)], k), x, hidden)
		}
	case []any:
		for i, x := range v {
			v[i] = hideAll(name, path, x, hidden)
		}
	case string:
		return HideText(name, path, v, hidden)
	}
	return v
}
