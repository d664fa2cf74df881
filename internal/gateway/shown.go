package gateway

import (
	"slices"

	"github.com/kongctl/kongctl/internal/konnect/plugin"
	"github.com/kongctl/kongctl/internal/value"
)

// plainFields are fields of entities that never hold a secret. What plugins,
// vaults and partials keep in their configuration is not among them.
var plainFields = []string{
	"name", "id", "ref", "tags", "enabled", "protocol", "protocols", "host", "hosts", "port", "path", "paths", "methods", "url",
	"service", "route", "consumer", "consumer_group", "upstream", "username", "custom_id", "group", "groups", "target", "weight", "algorithm",
	"retries", "connect_timeout", "read_timeout", "write_timeout", "strip_path", "preserve_host", "path_handling", "regex_priority", "priority",
	"https_redirect_status_code", "request_buffering", "response_buffering", "slots", "hash_on", "hash_fallback", "instance_name", "run_on", "prefix", "type", "set", "kid",
}

// settings are the fields of a decK file beside its entities, with the fields below
// them that never hold a secret; nil for a single value.
var settings = map[string][]string{
	"_format_version": nil, "_workspace": nil, "_transform": nil, "_comment": nil, "_ignore": nil,
	"_info": {"select_tags"}, "_konnect": {"control_plane_name"},
}

// identifying are the fields by which an entity names another.
var identifying = []string{"id", "name", "username"}

// pluginConfigs holds configurations of plugins by names that people choose.
const pluginConfigs = "_plugin_configs"

// inState is the part of a path that lies in a decK file, or in a state that stands
// in the configuration; false for other paths.
func inState(path []string) ([]string, bool) {
	if i := slices.Index(path, ExtraKey); i >= 0 {
		if len(path) < i+2 || path[i+1] != keyState {
			return nil, false
		}
		return path[i+2:], true
	}
	return path, true
}

// shows reports whether the value at a path of a decK file, or of what a
// configuration says of one, surely holds no secret.
func shows(path []string) bool {
	n := len(path)
	switch {
	case n >= 2 && path[n-2] == ExtraKey && path[n-1] == keyFiles:
		return true
	case n >= 3 && path[n-3] == "_external" && path[n-2] == keyProvider:
		return path[n-1] == keyFile || path[n-1] == keyService
	}
	rest, ok := inState(path)
	if !ok || len(rest) == 0 {
		return false
	}
	if inner, about := settings[rest[0]]; about {
		return len(rest) == 1 && inner == nil || len(rest) == 2 && slices.Contains(inner, rest[1])
	}
	lists := 0
	for lists < len(rest) && isList(shapes, rest[lists]) {
		lists++
	}
	if lists > 1 && lists == len(rest) {
		return rest[lists-1] == "ca_certificates" // the ids of those that a service trusts
	}
	if identifies(rest) {
		return true
	}
	rest = rest[lists:]
	return lists > 0 && (len(rest) == 1 && slices.Contains(plainFields, rest[0]) || len(rest) == 2 && slices.Contains(referring, rest[0]) && slices.Contains(identifying, rest[1]))
}

// identifies reports whether a path of a decK file leads to a field of a plugin that
// gateways encrypt although it is no secret.
func identifies(path []string) bool {
	i := slices.Index(path, "plugins")
	if i < 0 {
		return len(path) > 2 && path[0] == pluginConfigs && plugin.Identifies(path[2:])
	}
	return isList(shapes, path[0]) && len(path) > i+2 && path[i+1] == "config" && plugin.Identifies(path[i+2:])
}

// inFlags reports whether a path leads to or into flags of decK.
func inFlags(path []string) bool {
	i := slices.Index(path, ExtraKey)
	return i >= 0 && i+1 < len(path) && path[i+1] == keyFlags
}

// hides reports whether what is at a path of a decK file may be a secret. Flags of
// decK may be credentials.
func hides(path []string) bool {
	if inFlags(path) {
		return true
	}
	if len(path) == 0 || !isList(shapes, path[0]) && !slices.Contains(path, ExtraKey) && path[0] != pluginConfigs {
		return false // not a decK file
	}
	if rest, ok := inState(path); ok && identifies(rest) {
		return false
	}
	return path[0] == pluginConfigs || slices.ContainsFunc(path, func(name string) bool {
		return inConfig(name) || name == "key" || name == "key_alt" || name == "jwk" || name == "pem"
	})
}

// names reports whether the key at a path of a decK file is a field: of an entity or
// in a configuration, and not below something that is a secret as a whole.
func names(path []string) bool {
	if len(path) > 0 && inFlags(path[:len(path)-1]) {
		return false
	}
	if !hides(path) && (len(path) == 0 || !isList(shapes, path[0]) && !slices.Contains(path, ExtraKey)) {
		return false
	}
	return !slices.ContainsFunc(path[:len(path)-1], func(name string) bool {
		return !isList(shapes, name) && (value.NamesSecret(name) || name == "key" || name == "key_alt" || name == "jwk" || name == "pem")
	})
}

// isList reports whether a key holds entities.
func isList(list []shape, key string) bool {
	return slices.ContainsFunc(list, func(s shape) bool { return s.key == key || isList(s.nested, key) })
}
