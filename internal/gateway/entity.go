package gateway

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/kongctl/kongctl/internal/plan"
	"github.com/kongctl/kongctl/internal/value"
)

// The kinds whose rules differ from those of others.
const (
	kindConsumer = "consumer"
	kindGroup    = "consumer-group"
	kindMember   = "consumer-group-consumer"
	kindPlugin   = "plugin"
	kindPartial  = "partial"
	kindVault    = "vault"
	kindKeyAuth  = "key-auth"
	kindCACert   = "ca-certificate"
)

// shape is a list of entities in a decK file: the key it stands under, the kind
// of what it holds, and the lists that nest in one of them. Owner is the field
// by which a nested entity would name the one it stands in, were it written at
// the top.
type shape struct {
	key, kind, owner string
	nested           []shape
}

var (
	plugins      = func(owner string) shape { return shape{"plugins", kindPlugin, owner, nil} }
	filterChains = func(owner string) shape { return shape{"filter_chains", "filter-chain", owner, nil} }
	routes       = func(owner string) shape {
		return shape{"routes", "route", owner, []shape{plugins("route"), filterChains("route")}}
	}
	credential = func(key, kind string) shape { return shape{key, kind, kindConsumer, nil} }
)

// shapes are the lists of decK's format 3.0. Custom entities tell their kind
// themselves; what Konnect has not (workspaces, licenses, RBAC, service
// packages) is left out.
var shapes = []shape{
	{"certificates", "certificate", "", []shape{{"snis", "sni", "certificate", nil}}},
	{"ca_certificates", kindCACert, "", nil},
	{"services", "service", "", []shape{routes("service"), plugins("service"), filterChains("service")}},
	routes(""),
	{"upstreams", "upstream", "", []shape{{"targets", "target", "upstream", nil}}},
	{"consumer_groups", kindGroup, "", []shape{
		{"consumers", kindMember, "consumer_group", nil}, plugins("consumer_group"),
	}},
	{"consumers", kindConsumer, "", []shape{
		{"groups", kindMember, kindConsumer, nil},
		credential("keyauth_credentials", kindKeyAuth),
		credential("basicauth_credentials", "basic-auth"),
		credential("hmacauth_credentials", "hmac-auth"),
		credential("jwt_secrets", "jwt-auth"),
		credential("oauth2_credentials", "oauth2-cred"),
		credential("acls", "acl-group"),
		credential("mtls_auth_credentials", "mtls-auth"),
		plugins(kindConsumer),
	}},
	plugins(""),
	filterChains(""),
	{"vaults", kindVault, "", nil},
	{"key_sets", "key-set", "", nil},
	{"keys", "key", "", nil},
	{"partials", kindPartial, "", nil},
	{"custom_plugins", "custom-plugin", "", nil},
	{"cloned_plugins", "cloned-plugin", "", nil},
	{"ai_models", "ai-model", "", nil},
	{"custom_entities", "", "", nil},
}

// entities tells what files hold, as creates, sorted. Names that a secret of the
// files is part of are for the caller to mask.
func entities(files []File, skipConsumers bool) ([]plan.Part, error) {
	var out []plan.Part
	joined := map[[2]string]bool{}
	for _, f := range files {
		root, err := Parse(f)
		if err != nil {
			return nil, err
		}
		walk(shapes, root, nil, func(kind string, entity map[string]any) {
			if skipConsumers && ofConsumers(kind, entity) {
				return
			}
			c := plan.Part{Kind: kind, Name: Name(kind, entity), Action: plan.Create}
			// A membership may be written on both sides, and a member brings
			// its consumer along.
			if kind == kindMember || kind == kindConsumer {
				if joined[[2]string{kind, c.Name}] {
					return
				}
				joined[[2]string{kind, c.Name}] = true
			}
			out = append(out, c)
		})
	}
	Sort(out)
	return out, nil
}

// Entities tells what the request would make on a control plane that does not
// exist yet.
func (r Request) Entities() ([]plan.Part, error) {
	if r.Mode == Delete {
		return nil, nil
	}
	out, err := entities(r.Files, r.Flags.SkipConsumers)
	if err != nil {
		return nil, &Error{Op: "diff", Files: r.names(), File: true, Message: Mask(err.Error(), r.Secrets), Err: err}
	}
	m := newMasker(r.Secrets)
	for i := range out {
		out[i].Name = m.mask(out[i].Name)
	}
	return out, nil
}

// ofConsumers tells of what decK leaves out with --skip-consumers.
func ofConsumers(kind string, entity map[string]any) bool {
	return kind == kindConsumer || kind == kindGroup || entity[kindConsumer] != nil || entity["consumer_group"] != nil
}

func (r Request) names() []string {
	out := make([]string, len(r.Files))
	for i, f := range r.Files {
		out[i] = f.Name
	}
	return out
}

// walk calls f for every entity, each with the one it stands in under the name
// that it would have at the top.
func walk(list []shape, at, owner map[string]any, f func(kind string, entity map[string]any)) {
	for _, s := range list {
		items, _ := at[s.key].([]any)
		for _, item := range items {
			entity, ok := item.(map[string]any)
			if !ok {
				continue
			}
			kind, entity := s.kind, own(s, entity, owner)
			if kind == "" {
				kind, entity = custom(entity)
			}
			if s.key == "consumers" && kind == kindMember {
				f(kindConsumer, asMap(entity[kindConsumer]))
			}
			f(kind, entity)
			walk(s.nested, entity, entity, f)
		}
	}
}

// own is the entity with its owner. A membership has two.
func own(s shape, entity, owner map[string]any) map[string]any {
	switch {
	case s.kind == kindMember && s.owner == kindConsumer:
		return map[string]any{kindConsumer: owner, "consumer_group": entity}
	case s.kind == kindMember:
		return map[string]any{kindConsumer: entity, "consumer_group": owner}
	case s.owner == "":
		return entity
	}
	out := make(map[string]any, len(entity)+1)
	for k, v := range entity {
		out[k] = v
	}
	out[s.owner] = owner
	return out
}

func custom(entity map[string]any) (kind string, fields map[string]any) {
	kind, _ = entity["type"].(string)
	return kind, asMap(entity["fields"])
}

func asMap(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// Parse reads a decK file whose templates are filled in.
func Parse(f File) (map[string]any, error) {
	data, _, err := decodeYAML(f.Content)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.Name, err)
	}
	m, ok := data.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("read %s: it is not a mapping", f.Name)
	}
	return m, nil
}

// Object is an entity as JSON has it, whatever type holds it.
func Object(v any) (map[string]any, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	data, err := value.Decode(raw)
	if err != nil {
		return nil, err
	}
	m, ok := data.(map[string]any)
	if !ok && data != nil {
		return nil, fmt.Errorf("read decK's state: a mapping was expected")
	}
	return m, nil
}

// kindOrder is the order in which changes are shown.
var kindOrder = []string{
	"certificate", "sni", kindCACert, "service", "route", "upstream", "target",
	kindGroup, kindConsumer, kindMember, kindKeyAuth, "basic-auth", "hmac-auth", "jwt-auth",
	"oauth2-cred", "acl-group", "mtls-auth", kindPlugin, "consumer-group-plugin", "filter-chain",
	kindVault, "key-set", "key", kindPartial,
}

// Sort puts changes in the order of their kinds, names and actions.
func Sort(changes []plan.Part) {
	rank := func(kind string) int {
		if i := slices.Index(kindOrder, kind); i >= 0 {
			return i
		}
		return len(kindOrder)
	}
	slices.SortStableFunc(changes, func(a, b plan.Part) int {
		return cmp.Or(
			cmp.Compare(rank(a.Kind), rank(b.Kind)), cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.Action, b.Action),
		)
	})
}
