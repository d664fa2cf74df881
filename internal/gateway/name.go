package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/pattern"
)

// Name is what people call an entity: a file, decK's report and decK's library
// give the same one. Entity is in JSON's form. The rules:
//
//   - what the kind is known by: a name, a username, a target, a prefix, a path;
//   - a key is never shown: a key-auth is called after its consumer alone;
//   - a certificate of an authority has neither name nor id before it is made:
//     it is called after its SHA-256 sum, as Konnect does (cert_digest);
//   - then " for " and the entities it belongs to, by name ("and" between
//     them), for plugins "(global)" without an owner. An owner of which only
//     the id is known is left out: ids of new entities are generated each time;
//   - the id, where there is nothing else. In files those are written down.
func Name(kind string, entity map[string]any) string {
	name := known(kind, entity)
	var owners []string
	for _, field := range ownerFields[kind] {
		if l := reference(entity[field]); l != "" {
			owners = append(owners, strings.ReplaceAll(field, "_", "-")+" "+l)
		}
	}
	switch {
	case len(owners) > 0:
		return name + " for " + strings.Join(owners, " and ")
	case kind == kindPlugin && !owned(kind, entity):
		return name + " (global)"
	}
	return name
}

// nameFields are what the kinds are known by, the first that is there; other
// kinds by label's.
var nameFields = map[string][]string{
	"target":                                {"target"},
	"basic-auth":                            {"username"},
	"hmac-auth":                             {"username"},
	"jwt-auth":                              {"key"},
	"acl-group":                             {"group"},
	"mtls-auth":                             {"subject_name"},
	"oauth2-cred":                           {"name"},
	kindVault:                               {"prefix"},
	"key":                                   {"name", "kid"},
	"filter-chain":                          {"name"},
	"degraphql_routes":                      {"uri"},
	"graphql_ratelimiting_cost_decorations": {"type_path"},
	"rbac-endpoint-permission":              {"endpoint"},
}

// ownerFields are the entities that a kind's name tells. decK knows but the id
// of a target's upstream and of an SNI's certificate.
var ownerFields = map[string][]string{
	kindPlugin:              {"service", "route", kindConsumer, "consumer_group", "model"},
	"consumer-group-plugin": {"consumer_group"},
	kindMember:              {"consumer_group"},
	"filter-chain":          {"service", "route"},
	kindKeyAuth:             {kindConsumer},
	"basic-auth":            {kindConsumer},
	"hmac-auth":             {kindConsumer},
	"jwt-auth":              {kindConsumer},
	"oauth2-cred":           {kindConsumer},
	"acl-group":             {kindConsumer},
	"mtls-auth":             {kindConsumer},
}

// known is what an entity is called without those it belongs to.
func known(kind string, entity map[string]any) string {
	switch kind {
	case kindKeyAuth:
		return "key"
	case kindMember:
		return label(asMap(entity[kindConsumer]))
	case kindCACert:
		return digest(text(entity, "cert"))
	}
	for _, f := range nameFields[kind] {
		if s := text(entity, f); s != "" {
			return s
		}
	}
	// A filter chain's id is generated each time, for none is written down.
	if s := label(entity); s != "" && kind != "filter-chain" {
		return s
	}
	return kind
}

func label(entity map[string]any) string {
	for _, f := range []string{"name", "username", "custom_id", "id"} {
		if s := text(entity, f); s != "" {
			return s
		}
	}
	return ""
}

// reference is the name of an entity that another refers to. Of consumers decK
// keeps no custom_id there.
func reference(v any) string {
	if s, ok := v.(string); ok {
		if uuid.MatchString(s) {
			return ""
		}
		return s
	}
	m := asMap(v)
	if s := text(m, "name"); s != "" {
		return s
	}
	return text(m, "username")
}

var uuid = pattern.New(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

func owned(kind string, entity map[string]any) bool {
	return slices.ContainsFunc(ownerFields[kind], func(f string) bool { return entity[f] != nil })
}

func text(entity map[string]any, field string) string {
	s, _ := entity[field].(string)
	return s
}

// digest is the SHA-256 sum of a certificate, whatever blanks are around it.
func digest(cert string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(cert)))
	if block, _ := pem.Decode([]byte(cert)); block != nil {
		sum = sha256.Sum256(block.Bytes)
	}
	return hex.EncodeToString(sum[:])
}
