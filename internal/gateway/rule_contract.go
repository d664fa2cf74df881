package gateway

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/value"
)

// schemaNames are the schemas that the contract has of entities. Routes have two.
var schemaNames = map[string]string{
	"service": "Service", "upstream": "Upstream", "target": "Target", kindConsumer: "Consumer", kindGroup: "ConsumerGroup",
	kindPlugin: "Plugin", "certificate": "CertificateRequest", kindCACert: "CACertificate", "sni": "SNI", kindVault: "Vault",
	"key-set": "KeySet", "key": "Key", kindPartial: "Partial", kindKeyAuth: "KeyAuth", "basic-auth": "BasicAuth", "hmac-auth": "HMACAuth",
	"jwt-auth": "JWT", "oauth2-cred": "OAuth2Credential", "acl-group": "ACL", "mtls-auth": "MTLSAuth",
}

// schemaName is the name of the schema that an entity is held against, "" where
// the contract has none.
func schemaName(kind string, fields map[string]any) string {
	if kind != "route" {
		return schemaNames[kind]
	}
	if fields["expression"] != nil || fields["priority"] != nil {
		return "RouteExpression"
	}
	return "RouteJson"
}

// contracted finds what the contract refuses about an entity. Fields that it does
// not know are decK's to judge, for Konnect may be newer; so are types, except in
// configurations, which decK leaves open.
func (v *validation) contracted(it *item, fields map[string]any) []flaw {
	name := schemaName(it.kind, fields)
	if v.contract == nil || name == "" {
		return nil
	}
	sent := sent(it, fields)
	var out []flaw
	for _, w := range v.contract.Validate(name, contract.Request, sent, nil) {
		path := value.Path(w.Path)
		if w.Rule == contract.RuleUnknown || w.Rule == contract.RuleNull || len(path) == 0 || slices.Contains(referring, path[0]) {
			continue
		}
		if w.Rule == contract.RuleType && path[0] != "config" {
			continue
		}
		if s, _ := value.Get(sent, path); s != nil {
			if s, ok := s.(string); ok && fromVault(s) {
				continue
			}
		}
		if it.kind == kindPartial && path[0] == "type" && v.knownPartial(text(fields, "type")) {
			return nil
		}
		out = append(out, flaw{v.written(it, path, fields), w.Detail, fixOfViolation(w, path)})
	}
	return out
}

// knownPartial reports whether Konnect has a type of partials that the contract
// does not know.
func (v *validation) knownPartial(name string) bool {
	if v.served == nil || name == "" {
		return false
	}
	schema, err := v.schema(SchemasOfPartials, name)
	if err != nil {
		v.err = err
	}
	return err != nil || schema != nil
}

// written is the field that people wrote for one that is sent.
func (v *validation) written(it *item, path value.Path, fields map[string]any) value.Path {
	if _, has := fields[path[0]]; !has && it.kind == "service" && fields["url"] != nil {
		return value.Path{"url"}
	}
	return path
}

func fixOfViolation(w contract.Violation, path value.Path) string {
	switch w.Rule {
	case contract.RuleRequired:
		return fmt.Sprintf("add %s.", path)
	case contract.RuleEnum:
		return "use one of them."
	case contract.RuleRange:
		return strings.Replace(w.Detail, "must be", "write a number that is", 1) + "."
	default:
		return ""
	}
}

// sent is an entity as decK sends it, without the entities that it refers to and
// those that stand in it: they have names there, and ids in Konnect.
func sent(it *item, fields map[string]any) map[string]any {
	out := asMap(value.Solid(fields))
	if it.kind == kindPlugin {
		delete(out, "config") // the plugin's own schema is for that
	}
	for _, f := range referring {
		delete(out, f)
	}
	for _, s := range it.nested {
		delete(out, s.key)
	}
	if it.kind == "service" {
		expandURL(out)
	}
	return out
}

// expandURL puts the parts of a URL in place of it, as decK does.
func expandURL(fields map[string]any) {
	u, err := url.Parse(text(fields, "url"))
	delete(fields, "url")
	if err != nil || u.Hostname() == "" {
		return
	}
	fields["protocol"], fields["host"] = u.Scheme, u.Hostname()
	if u.Port() != "" {
		fields["port"] = json.Number(u.Port())
	}
	if u.Path != "" {
		fields["path"] = u.Path
	}
}

// beside leaves out flaws of places that others are about already.
func beside(found, more []flaw) []flaw {
	return slices.DeleteFunc(more, func(m flaw) bool {
		return slices.ContainsFunc(found, func(f flaw) bool {
			n := min(len(f.path), len(m.path))
			return n > 0 && slices.Equal(f.path[:n], m.path[:n])
		})
	})
}

// ownID refuses an id that is no UUID.
func ownID(fields map[string]any) []flaw {
	if id := text(fields, "id"); id != "" && !uuid.MatchString(id) {
		return one("id", "expected a valid UUID", "write a UUID, or remove the line.")
	}
	return nil
}

// vaultTypes are the vaults of gateways: no prefix is called like one.
var vaultTypes = []string{"env", "aws", "gcp", "hcv", "azure", "conjur"}

func vaultPrefix(fields map[string]any) []flaw {
	prefix := text(fields, "prefix")
	small := func(c rune) bool { return c >= 'a' && c <= 'z' }
	odd := func(c rune) bool { return !small(c) && (c < '0' || c > '9') && c != '-' }
	switch {
	case prefix == "": // an entity without its name is refused before
	case slices.Contains(vaultTypes, prefix):
		return one("prefix", "it is the name of a type of vaults: "+diag.Join(vaultTypes, "and")+" are taken", fmt.Sprintf("write another word, such as my-%s.", prefix))
	case len(prefix) < 2 || strings.ContainsFunc(prefix, odd) || !small(rune(prefix[0])) || strings.HasSuffix(prefix, "-"):
		return one("prefix", "a prefix has small letters, digits and hyphens, begins with a letter and does not end with a hyphen", "write a word such as my-vault.")
	}
	return nil
}

func jwtPublicKey(fields map[string]any) []flaw {
	a := text(fields, "algorithm")
	asymmetric := slices.ContainsFunc([]string{"RS", "ES", "PS", "Ed"}, func(p string) bool { return strings.HasPrefix(a, p) })
	if asymmetric && fields["rsa_public_key"] == nil {
		return one("rsa_public_key", "required field missing: the algorithm is "+a, "add rsa_public_key, or use HS256 with a secret.")
	}
	return nil
}

func keyContent(fields map[string]any) []flaw {
	if fields["pem"] == nil && (fields["jwk"] == nil || fields["jwk"] == "") {
		return []flaw{{nil, "at least one of these fields must be non-empty: jwk, pem", "add jwk or pem."}}
	}
	return nil
}

func instanceName(fields map[string]any) []flaw {
	if strings.ContainsFunc(text(fields, "instance_name"), oddInName) {
		return one("instance_name", "of ASCII, a name has only letters, digits, ., -, _ and ~", "remove the other characters.")
	}
	return nil
}
