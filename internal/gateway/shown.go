package gateway

import (
	"slices"

	"github.com/kongctl/kongctl/internal/value"
)

// plainFields are fields of decK files that never hold a secret. What plugins,
// vaults and partials keep in their configuration is not among them.
var plainFields = []string{
	"_format_version", "_info", "select_tags", "_konnect", "control_plane_name", "_workspace", "_transform", "_comment", "_ignore",
	"name", "id", "ref", "tags", "enabled", "protocol", "protocols", "host", "hosts", "port", "path", "paths", "methods", "url",
	"service", "route", "consumer", "consumer_group", "upstream", "username", "custom_id", "group", "groups", "target", "weight", "algorithm",
	"retries", "connect_timeout", "read_timeout", "write_timeout", "strip_path", "preserve_host", "path_handling", "regex_priority", "priority",
	"https_redirect_status_code", "request_buffering", "response_buffering", "slots", "hash_on", "hash_fallback", "instance_name", "run_on", "prefix", "type", "set", "kid",
}

// shows reports whether the value at a path of a decK file surely holds no secret.
func shows(path []string) bool {
	for _, name := range path {
		if !slices.Contains(plainFields, name) && !isList(shapes, name) {
			return false
		}
	}
	return len(path) > 0
}

// hides reports whether what is at a path of a decK file may be a secret.
func hides(path []string) bool {
	if len(path) == 0 || !isList(shapes, path[0]) && !slices.Contains(path, "_deck") && path[0] != "_plugin_configs" {
		return false // not a decK file
	}
	return path[0] == "_plugin_configs" || slices.ContainsFunc(path, func(name string) bool {
		return inConfig(name) || name == "key" || name == "key_alt" || name == "jwk" || name == "pem"
	})
}

// names reports whether the key at a path of a decK file is a field: of an entity or
// in a configuration, and not below something that is a secret as a whole.
func names(path []string) bool {
	if !hides(path) && (len(path) == 0 || !isList(shapes, path[0]) && !slices.Contains(path, "_deck")) {
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
