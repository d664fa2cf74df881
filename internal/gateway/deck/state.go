package deck

import (
	"errors"
	"slices"

	"github.com/kongctl/kongctl/internal/gateway"
)

// state is what the binary reads on standard input: all files as one, with the
// control plane and the select tags, for which apply has no flag. decK joins
// files in the same way: lists are added up, and of other values the first
// counts.
func state(q gateway.Request) (map[string]any, error) {
	if q.ControlPlane.Name == "" {
		return nil, errors.New("decK finds control planes by name, and this one's is not known")
	}
	root := map[string]any{"_format_version": gateway.FormatVersion}
	if q.Mode != gateway.Delete {
		for _, f := range q.Files {
			data, err := gateway.Parse(f)
			if err != nil {
				return nil, &unreadable{err}
			}
			merge(root, data)
		}
	} else if len(q.Flags.SelectTags) == 0 {
		return nil, gateway.ErrNoTags
	}
	root["_konnect"] = map[string]any{"control_plane_name": q.ControlPlane.Name}
	if tags := q.Flags.SelectTags; len(tags) > 0 {
		info, _ := root["_info"].(map[string]any)
		if info == nil {
			info = map[string]any{}
			root["_info"] = info
		}
		info["select_tags"] = tags
	}
	if q.Flags.SkipConsumers {
		skipConsumers(root)
	}
	return root, nil
}

// unreadable is a file that cannot be read.
type unreadable struct{ error }

func (e *unreadable) Unwrap() error { return e.error }

func merge(into, from map[string]any) {
	for k, v := range from {
		switch have := into[k].(type) {
		case nil:
			into[k] = v
		case map[string]any:
			if m, ok := v.(map[string]any); ok {
				merge(have, m)
			}
		case []any:
			if list, ok := v.([]any); ok {
				into[k] = append(have[:len(have):len(have)], list...)
			}
		}
	}
}

// skipConsumers does what --skip-consumers does, which apply does not have.
func skipConsumers(root map[string]any) {
	delete(root, "consumers")
	delete(root, "consumer_groups")
	plugins, ok := root["plugins"].([]any)
	if !ok {
		return
	}
	root["plugins"] = slices.DeleteFunc(slices.Clone(plugins), func(p any) bool {
		m, _ := p.(map[string]any)
		return m["consumer"] != nil || m["consumer_group"] != nil
	})
}
