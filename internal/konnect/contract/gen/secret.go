package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/kongctl/kongctl/internal/value"
)

// A field is secret when the document calls it sensitive or encrypted, or when
// it can be written and no response ever holds it; this table, read by people,
// adds to and takes from that rule. An entry names the end of
// "Schema.field.path"; schemas without a name go by "METHOD path".
var reviewed = []struct {
	end    string
	secret bool
	why    string
}{
	{".cache_tokens_salt", true, "knowing the salt undoes the hashing of cached tokens"},
	{".session.client.secrets", true, "session encryption keys"},
	{"VectorDBConfigRedis.password", true, "a password"},
	{".sentinel.password", true, "a password"},
	{"RedisCloudConfiguration.password", true, "a password"},
	{".initial_client_secret", true, "a client secret that the document leaves unmarked"},
	{"ConfigHttpInRequest.api_key", true, "a key that the document leaves unmarked"},
	{".dcr_token", true, "a token that the document leaves unmarked"},
	{".custom_private_key", true, "a private key that the document leaves unmarked"},
	{".oidc_client_secret", true, "a client secret that the document leaves unmarked"},
	{"PATCH /v3/identity-provider.client_secret", true, "a client secret that the document leaves unmarked"},
	{"JWTWithoutParents.secret", true, "a signing key"},
	{"HashiCorpVaultAppRoleConfig.secret_id", true, "a credential of the AppRole method"},

	{".access_key_id", true, "half of a credential, as in decK files"},
	{".ssl.cert_key", true, "a private key, as in decK files"},
	{".ssl_cert_key", true, "a private key, as in decK files"},

	{"CreateAIGatewayConsumerCredentialRequest.api_key", true, "returned once, on creation"},
	{"OIDCIdentityProviderConfig.client_secret", true, "write-only in the document, though responses share its schema"},

	{".access_token_claim_field", false, "name of a claim"},
	{".access_token_header", false, "name of a header"},
	{".id_token_header", false, "name of a header"},
	{".token_endpoint", false, "an address"},
	{".tokens_count_strategy", false, "a strategy"},
	{"oauth_token_url", false, "an address"},
	{".max_tokens", false, "a number of tokens"},
	{"_per_token", false, "a price"},
	{".token_type", false, "a kind of token"},
	{".token_type_property", false, "name of a property"},
	{".disable_refresh_secret", false, "a switch"},
	{".hide_credentials", false, "a switch"},
	{".allow_multiple_credentials", false, "a switch"},
	{".cookies_win", false, "a switch"},
	{".credential_claim", false, "name of a claim"},
	{".credentials_prefix", false, "beginning of variable names"},
	{".hash_on_cookie", false, "name of a cookie"},
	{".hash_on_cookie_path", false, "a path"},
	{".sticky_sessions_cookie", false, "name of a cookie"},
	{".sticky_sessions_cookie_path", false, "a path"},
	{".authorization_endpoint", false, "an address"},
	{".encryption_key", false, "says which key, not what it is"},
	{"VirtualClusterAuthenticationOauthBearer.jwks", false, "where public keys are"},
	{".secret_id_file", false, "a path on the data plane"},
	{".api_token_file", false, "a path on the data plane"},
	{"AddDeveloperToTeamRequest.id", false, "an id"},
	{"POST /v3/teams/{teamId}/users.id", false, "an id"},
	{"POST /v3/invites.email", false, "an address"},
	{"POST /v3/apis.spec_content", false, "a published specification"},
	{"CertificateRequest.vault", false, "name of a vault"},
	{"CertificateRequest.vault_alt", false, "name of a vault"},
	{"Service.url", false, "shorthand for host, port and path"},
}

// candidate is a writable field that the rule or its name calls into question.
type candidate struct {
	facts    []map[string]any // the property's own schemas, where the mark goes
	byRule   bool
	byName   bool
	returned bool
}

// markSecrets writes "secret" into every property that is one, and fails on a
// suspicious name that neither the rule nor the table decides.
func markSecrets(f *file) error {
	var unclassified []string
	for name, c := range f.candidates() {
		secret, known := verdict(name)
		if !known {
			secret = c.byRule && !c.returned
			if !secret && c.byName {
				unclassified = append(unclassified, name)
			}
		}
		for _, fact := range c.facts {
			if secret {
				fact["secret"] = true
			}
		}
	}
	if len(unclassified) > 0 {
		sort.Strings(unclassified)
		return fmt.Errorf("fields that look secret and are in no table (internal/konnect/contract/gen/secret.go): %s", strings.Join(unclassified, ", "))
	}
	return nil
}

// candidates are the fields in question of all requests, by name.
func (f *file) candidates() map[string]*candidate {
	found := map[string]*candidate{}
	for _, op := range f.Operations {
		if op.Body == nil {
			continue
		}
		w := walker{f: f, found: found, responses: f.responsesNear(op)}
		w.walk(op.Body, op.Method+" "+op.Path, "", nil, map[string]bool{})
	}
	return found
}

func verdict(name string) (secret, known bool) {
	best := 0
	for _, r := range reviewed {
		if strings.HasSuffix(name, r.end) && len(r.end) > best {
			best, secret, known = len(r.end), r.secret, true
		}
	}
	return secret, known
}

type walker struct {
	f         *file
	found     map[string]*candidate
	responses []any
}

func (w *walker) walk(x any, owner, path string, at []string, seen map[string]bool) {
	s, ok := x.(map[string]any)
	if !ok {
		return
	}
	if ref, ok := s["$ref"].(string); ok {
		if seen[ref] {
			return
		}
		next := map[string]bool{ref: true}
		for k := range seen {
			next[k] = true
		}
		w.walk(w.f.Schemas[ref], ref, "", at, next)
		return
	}
	props, _ := s["properties"].(map[string]any)
	for k, v := range props {
		fact, ok := v.(map[string]any)
		if !ok {
			continue
		}
		here := append(append([]string{}, at...), k)
		w.consider(fact, owner+path+"."+k, k, here)
		w.walk(fact, owner, path+"."+k, here, seen)
	}
	for _, k := range []string{"oneOf", "anyOf", "allOf"} {
		branches, _ := s[k].([]any)
		for _, b := range branches {
			w.walk(b, owner, path, at, seen)
		}
	}
	w.walk(s["items"], owner, path, at, seen)
	w.walk(s["additionalProperties"], owner, path, at, seen)
}

func (w *walker) consider(fact map[string]any, name, key string, at []string) {
	is := func(k string) bool {
		if fact[k] == true {
			return true
		}
		ref, _ := fact["$ref"].(string)
		target, _ := w.f.Schemas[ref].(map[string]any)
		return target[k] == true
	}
	if is("readOnly") {
		return
	}
	marked := is("sensitive") || is("encrypted")
	if !marked && !is("writeOnly") && !value.MentionsSecret(key) {
		return
	}
	c := w.found[name]
	if c == nil {
		c = &candidate{}
		w.found[name] = c
	}
	c.facts = append(c.facts, fact)
	c.byRule = c.byRule || marked || is("writeOnly")
	c.byName = value.MentionsSecret(key)
	if !marked {
		for _, r := range w.responses {
			c.returned = c.returned || w.f.returns(r, at, 0)
		}
	}
}

// responsesNear are the successful responses of the operations on the same
// resource: same path, or one path parameter more or less.
func (f *file) responsesNear(op operation) []any {
	base := strings.TrimRight(op.Path, "/")
	if i := strings.LastIndex(base, "/{"); i > 0 && strings.HasSuffix(base, "}") {
		base = base[:i]
	}
	var out []any
	for _, o := range f.Operations {
		rest, ok := strings.CutPrefix(o.Path, base)
		if !ok || (rest != "" && (!strings.HasPrefix(rest, "/{") || strings.Count(rest, "/") > 1)) {
			continue
		}
		for status, r := range o.Responses {
			if status < "300" && r != nil {
				out = append(out, r)
			}
		}
	}
	return out
}

// returns tells whether a response schema holds the field, at its own path or
// inside an envelope.
func (f *file) returns(x any, at []string, depth int) bool {
	s, ok := x.(map[string]any)
	if !ok || depth > 12 {
		return false
	}
	if ref, ok := s["$ref"].(string); ok {
		return f.returns(f.Schemas[ref], at, depth+1)
	}
	for _, k := range []string{"oneOf", "anyOf", "allOf"} {
		branches, _ := s[k].([]any)
		for _, b := range branches {
			if f.returns(b, at, depth+1) {
				return true
			}
		}
	}
	if f.returns(s["items"], at, depth+1) || f.returns(s["additionalProperties"], at, depth+1) {
		return true
	}
	props, _ := s["properties"].(map[string]any)
	if p, ok := props[at[0]].(map[string]any); ok && p["writeOnly"] != true {
		if len(at) == 1 || f.returns(p, at[1:], depth+1) {
			return true
		}
	}
	for _, envelope := range []string{"data", "items", "item"} {
		if p, ok := props[envelope]; ok && envelope != at[0] && f.returns(p, at, depth+1) {
			return true
		}
	}
	return false
}
