package gateway

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/value"
)

// flaw is what a gateway refuses about an entity.
type flaw struct {
	path        value.Path
	reason, fix string
}

// entityRule finds flaws in the fields of an entity, those that defaults give
// included. It reports only what every gateway refuses.
type entityRule func(fields map[string]any) []flaw

// entityRules are those for a kind.
func entityRules(kind string) []entityRule {
	out := []entityRule{tagged, ownID}
	if slices.Contains([]string{"service", "route", kindGroup, "key-set", "key"}, kind) {
		out = append(out, plainName)
	}
	switch kind {
	case "service":
		out = append(out, serviceHost, servicePath, serviceNumbers, serviceTLS)
	case "route":
		out = append(out, routeProtocols, routeMatchers, routeExpression, routePaths, routeHosts, routeChoices)
	case "upstream":
		out = append(out, upstreamName, upstreamHash, upstreamSlots)
	case "target":
		out = append(out, targetAddress)
	case kindConsumer:
		out = append(out, consumerName)
	case "certificate", kindCACert:
		out = append(out, certificateText, certificateKey)
	case kindVault:
		out = append(out, vaultPrefix)
	case "jwt-auth":
		out = append(out, jwtPublicKey)
	case "key":
		out = append(out, keyContent)
	case kindPlugin:
		out = append(out, instanceName)
	}
	return out
}

func one(field, reason, fix string) []flaw {
	return []flaw{{value.Path{field}, reason, fix}}
}

func fromVault(s string) bool { return strings.HasPrefix(s, "{vault://") }

func texts(v any) []string {
	list, _ := v.([]any)
	out := make([]string, 0, len(list))
	for _, x := range list {
		s, _ := x.(string)
		out = append(out, s)
	}
	return out
}

func letterOrDigit(c rune) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func oddInName(c rune) bool { return c < 128 && !letterOrDigit(c) && !strings.ContainsRune(".-_~", c) }

func plainName(fields map[string]any) []flaw {
	if strings.ContainsFunc(text(fields, "name"), oddInName) {
		return one("name", "of ASCII, a name has only letters, digits, ., -, _ and ~", "remove the other characters.")
	}
	return nil
}

func tagged(fields map[string]any) []flaw {
	list, _ := fields["tags"].([]any)
	for i, x := range list {
		tag, isText := x.(string)
		if !isText {
			return []flaw{{value.Path{"tags"}.Index(i), "decK reads it as " + string(value.Canonical(x)) + ", and a tag must be text", "put it in quotes."}}
		}
		if tag == "" || strings.ContainsAny(tag, ",/") {
			return []flaw{{value.Path{"tags"}.Index(i), "a tag must not be empty and must not have , or /", "remove the characters."}}
		}
	}
	return nil
}

func hostName(s string) bool {
	if net.ParseIP(strings.Trim(s, "[]")) != nil {
		return true
	}
	odd := func(c rune) bool { return !letterOrDigit(c) && !strings.ContainsRune(".-_", c) }
	return s != "" && !strings.ContainsFunc(s, odd) && !strings.Contains(s, "..") && !strings.HasPrefix(s, ".") && !strings.HasPrefix(s, "-")
}

func serviceHost(fields map[string]any) []flaw {
	if u := text(fields, "url"); u != "" {
		return serviceURL(u)
	}
	switch host := text(fields, "host"); {
	case host == "":
		return one("host", "required field missing", "add host, or url with all of protocol, host, port and path.")
	case !hostName(host) && !fromVault(host):
		return one("host", "it is not the name or address of a host", "write the name alone; protocol, port and path are fields of their own, or use url.")
	}
	return nil
}

// serviceURL judges the parts that decK makes of a URL.
func serviceURL(text string) []flaw {
	if fromVault(text) {
		return nil
	}
	u, err := url.Parse(text)
	if err != nil {
		return one("url", "it is not a URL", "write it as http://host:port/path, with a number for the port.")
	}
	port, err := strconv.Atoi(cmp.Or(u.Port(), "80"))
	switch {
	case !slices.Contains(serviceProtocols, u.Scheme):
		return one("url", "the protocol is not one of: "+strings.Join(serviceProtocols, ", "), "write it as http://host:port/path, or with another of these protocols.")
	case !hostName(u.Hostname()):
		return one("url", "it has no host, or not the name or address of one", "write it as http://host:port/path.")
	case err != nil || port > 65535:
		return one("url", "the port should be between 0 and 65535", "write it as http://host:port/path.")
	}
	return nil
}

// serviceProtocols are those a service may have; secure ones use TLS.
var (
	serviceProtocols = []string{"http", "https", "grpc", "grpcs", "tcp", "tls", "tls_passthrough", "udp", "ws", "wss"}
	secureProtocols  = []string{"https", "tls", "grpcs", "wss"}
)

// serviceProtocol is the one of the URL, where there is one.
func serviceProtocol(fields map[string]any) string {
	written := text(fields, "url")
	if written == "" {
		return text(fields, "protocol")
	}
	if u, err := url.Parse(written); err == nil {
		return u.Scheme
	}
	return ""
}

func servicePath(fields map[string]any) []flaw {
	protocol, path := serviceProtocol(fields), text(fields, "path")
	from, noPath := "path", "value must be null when protocol is "
	if u, err := url.Parse(text(fields, "url")); err == nil && path == "" && !fromVault(text(fields, "url")) {
		from, noPath, path = "url", "it must have no path when the protocol is ", u.Path
	}
	switch {
	case text(fields, "url") != "" && !slices.Contains(serviceProtocols, protocol): // the URL is judged by itself
	case protocol != "" && !slices.Contains(serviceProtocols, protocol):
		return one("protocol", "expected one of: "+strings.Join(serviceProtocols, ", "), "")
	case path != "" && !strings.HasPrefix(path, "/") && !fromVault(path):
		return one("path", "should start with: /", "write / before it.")
	case path != "" && slices.Contains([]string{"tcp", "tls", "udp", "tls_passthrough", "grpc", "grpcs"}, protocol):
		return one(from, noPath+protocol, "remove the path.")
	}
	return nil
}

func serviceTLS(fields map[string]any) []flaw {
	protocol := serviceProtocol(fields)
	if slices.Contains(secureProtocols, protocol) || text(fields, "url") != "" && !slices.Contains(serviceProtocols, protocol) {
		return nil
	}
	fix := "remove it, or write protocol: https."
	if text(fields, "url") != "" {
		fix = "remove it, or use a url that begins with https://."
	}
	for _, f := range []string{"client_certificate", "tls_verify", "tls_verify_depth", "ca_certificates"} {
		if fields[f] != nil {
			return one(f, "it needs a protocol with TLS", fix)
		}
	}
	return nil
}

func serviceNumbers(fields map[string]any) []flaw {
	var out []flaw
	for field, limits := range map[string][2]int{
		"port": {0, 65535}, "retries": {0, 32767}, "connect_timeout": {1, 2147483646}, "read_timeout": {1, 2147483646}, "write_timeout": {1, 2147483646},
	} {
		out = append(out, within(fields, field, limits[0], limits[1])...)
	}
	return out
}

func within(fields map[string]any, field string, low, high int) []flaw {
	n, ok := fields[field].(json.Number)
	if !ok {
		return nil
	}
	if i, err := n.Int64(); err == nil && (i < int64(low) || i > int64(high)) {
		return one(field, fmt.Sprintf("value should be between %d and %d", low, high), "")
	}
	return nil
}

func upstreamName(fields map[string]any) []flaw {
	name := text(fields, "name")
	if net.ParseIP(name) != nil || !hostName(name) {
		return one("name", "an upstream is named like a host, and not like an address", "write a host name.")
	}
	return nil
}

func upstreamHash(fields map[string]any) []flaw {
	needs := map[string]string{"header": "_header", "cookie": "_cookie", "query_arg": "_query_arg", "uri_capture": "_uri_capture"}
	for _, way := range []string{"hash_on", "hash_fallback"} {
		by := text(fields, way)
		field := way + needs[by]
		if by == "cookie" { // both ways share it
			field = "hash_on_cookie"
		}
		if needs[by] != "" && fields[field] == nil {
			return one(way, fmt.Sprintf("%s is required when it is %s", field, by), "add "+field+".")
		}
	}
	return nil
}

func upstreamSlots(fields map[string]any) []flaw {
	algorithms := []string{"consistent-hashing", "latency", "least-connections", "round-robin", "sticky-sessions"}
	if a := text(fields, "algorithm"); a != "" && !slices.Contains(algorithms, a) {
		return one("algorithm", "expected one of: "+strings.Join(algorithms, ", "), "")
	}
	return within(fields, "slots", 10, 65536)
}

func targetAddress(fields map[string]any) []flaw {
	target := text(fields, "target")
	if fromVault(target) {
		return nil
	}
	host, port, hasPort := target, "", false
	if i := strings.LastIndex(target, ":"); i >= 0 && !strings.HasSuffix(target, "]") {
		host, port, hasPort = target[:i], target[i+1:], true
	}
	n, err := strconv.Atoi(port)
	if hasPort && (err != nil || n < 0 || n > 65535) || !hostName(host) {
		return one("target", "it is not a host with a port", "write host:port.")
	}
	return within(fields, "weight", 0, 65535)
}

func consumerName(fields map[string]any) []flaw {
	if !anyOf(fields, []string{"username", "custom_id"}) {
		return []flaw{{nil, "at least one of these fields must be non-empty: username, custom_id", "add username."}}
	}
	return nil
}

func certificateText(fields map[string]any) []flaw {
	for _, f := range []string{"cert", "cert_alt"} {
		cert := text(fields, f)
		if cert == "" || fromVault(cert) {
			continue
		}
		block, _ := pem.Decode([]byte(cert))
		if block == nil {
			return one(f, "it is not a certificate in PEM form", "write the text of the certificate, from BEGIN to END.")
		}
		if _, err := x509.ParseCertificate(block.Bytes); err != nil {
			return one(f, "the certificate cannot be read", "write the text of a certificate.")
		}
	}
	return nil
}

// certificateKey judges keys of certificates that can be read.
func certificateKey(fields map[string]any) []flaw {
	for _, f := range []struct{ cert, key string }{{"cert", "key"}, {"cert_alt", "key_alt"}} {
		cert, key := text(fields, f.cert), text(fields, f.key)
		if cert == "" || key == "" || fromVault(cert) || fromVault(key) || certificateText(map[string]any{"cert": cert}) != nil {
			continue
		}
		if _, err := tls.X509KeyPair([]byte(cert), []byte(key)); err != nil {
			return one(f.key, "it is not the key of the certificate", "write the private key that belongs to "+f.cert+", in PEM form.")
		}
	}
	return nil
}
