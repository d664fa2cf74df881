package deck

import (
	"context"
	"slices"

	"github.com/kongctl/kongctl/internal/gateway"
)

// lists are those of a dump whose entities others refer to, with the field by
// which they are known and the lists that nest in them.
var lists = []struct {
	key, name string
	nested    []string
}{
	{"services", "name", []string{"plugins", "filter_chains", "routes"}},
	{"routes", "name", []string{"plugins", "filter_chains"}},
	{"consumers", "username", []string{
		"plugins", "groups", "acls", "keyauth_credentials", "basicauth_credentials", "hmacauth_credentials",
		"jwt_secrets", "oauth2_credentials", "mtls_auth_credentials",
	}},
	{"consumer_groups", "name", []string{"plugins", "consumers"}},
	{"partials", "name", nil},
	{"key_sets", "name", nil},
}

// complete adds what the control plane has to a state that lacks it. A file for
// apply may refer to entities that are there already, and decK's apply finds
// them; its diff, which is one for sync, does not. What is added is as it is, so
// no change comes of it, and what nests in it is not added: that would be a
// delete, which apply does not do.
func (r *runner) complete(ctx context.Context, q gateway.Request, root map[string]any) bool {
	there, ok := r.dump(ctx, q)
	if !ok {
		return false
	}
	lift(there)
	for _, l := range lists {
		have, _ := root[l.key].([]any)
		known := map[any]bool{}
		for _, e := range slices.Concat(have, within(root, l.key)) {
			m, _ := e.(map[string]any)
			known[m[l.name]], known[m["id"]] = true, true
		}
		delete(known, nil)
		found, _ := there[l.key].([]any)
		for _, e := range found {
			m, _ := e.(map[string]any)
			if m == nil || known[m[l.name]] || known[m["id"]] {
				continue
			}
			for _, n := range l.nested {
				delete(m, n)
			}
			have = append(have, m)
		}
		if len(have) > 0 {
			root[l.key] = have
		}
	}
	return true
}

// dump is what the control plane has, as far as the select tags go.
func (r *runner) dump(ctx context.Context, q gateway.Request) (map[string]any, bool) {
	args := []string{"--konnect-control-plane-name=" + q.ControlPlane.Name, "--with-id", "--format=json", "--output-file=-"}
	for _, tag := range q.Flags.SelectTags {
		args = append(args, "--select-tag="+tag)
	}
	out, err := r.gateway(ctx, q, "dump", args, nil)
	if err != nil {
		return nil, false
	}
	there, err := gateway.Parse(gateway.File{Name: "dump", Content: out.stdout})
	return there, err == nil
}

// namesIn are those of entities in a dump that others refer to.
func namesIn(there map[string]any) gateway.Names {
	out := gateway.Names{}
	for _, key := range []string{"services", "routes", "consumers", "consumer_groups", "partials", "key_sets", "upstreams"} {
		list, _ := there[key].([]any)
		for _, e := range slices.Concat(list, within(there, key)) {
			if m, ok := e.(map[string]any); ok {
				out.Add(m)
			}
		}
	}
	return out
}

// within are the routes that stand in services.
func within(root map[string]any, key string) []any {
	var out []any
	if services, _ := root["services"].([]any); key == "routes" {
		for _, s := range services {
			service, _ := s.(map[string]any)
			nested, _ := service[key].([]any)
			out = append(out, nested...)
		}
	}
	return out
}

// lift brings routes out of their services.
func lift(root map[string]any) {
	services, _ := root["services"].([]any)
	routes, _ := root["routes"].([]any)
	for _, s := range services {
		service, _ := s.(map[string]any)
		nested, _ := service["routes"].([]any)
		for _, n := range nested {
			if route, ok := n.(map[string]any); ok {
				route["service"] = map[string]any{"id": service["id"]}
				routes = append(routes, route)
			}
		}
	}
	if len(routes) > 0 {
		root["routes"] = routes
	}
}
