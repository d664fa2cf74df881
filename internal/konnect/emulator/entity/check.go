package entity

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
	"github.com/kongctl/kongctl/internal/konnect/routing"
)

// checks is about what gateways refuse and the contract lets pass. What is not
// sure to be refused is accepted.
func checks() []model.Rule {
	out := []model.Rule{
		{
			Kind: "gateway_service", Source: model.Assumed, Says: "a service leads to a host, over HTTP to a path that begins with a slash, and over TLS with what is trusted",
			Check: checkService,
		},
		{Kind: "gateway_route", Source: model.Assumed, Says: "the protocols of a route are of one family", Check: checkProtocols},
		{Kind: "gateway_route", Source: model.Assumed, Says: "a route has something to match requests by, of what its protocols have", Check: checkMatchers},
		{
			Kind: "gateway_route", Source: model.Assumed, Says: "paths begin with a slash, or with ~ if they are patterns; methods are in capitals; hosts have one asterisk at an end",
			Check: checkMatches,
		},
		{Kind: "gateway_upstream", Source: model.Assumed, Says: "an upstream is named like a host, and what requests are spread by must be given", Check: checkUpstream},
		{Kind: "gateway_target", Source: model.Assumed, Says: "a target is a host with a port", Check: checkTarget},
		{Kind: "gateway_consumer", Source: model.Assumed, Says: "a consumer has a name or an id that others know it by", Check: someOf("username", "custom_id")},
		{Kind: "gateway_certificate", Source: model.Assumed, Says: "certificates and their keys belong together", Check: checkPair},
		{Kind: "gateway_key", Source: model.Assumed, Says: "a key is given as JWK or as PEM", Check: someOf("jwk", "pem")},
		{Kind: "gateway_key", Source: model.Assumed, Says: "no two keys of a set share an id", Also: []string{"kid+set.id"}},
		{Kind: "gateway_jwt", Source: model.Assumed, Says: "what is signed with a private key needs the public one", Check: checkPublicKey},
		{Kind: "gateway_vault", Source: model.Assumed, Says: "the prefix of a vault is a word that no vault is called", Check: checkPrefix},
	}
	for _, kind := range []string{"gateway_service", "gateway_route", "gateway_consumer_group", "gateway_key_set", "gateway_key", "gateway_plugin"} {
		field := "name"
		if kind == "gateway_plugin" {
			field = "instance_name"
		}
		out = append(out, model.Rule{
			Kind: kind, Source: model.Assumed, Says: "of ASCII, a name has letters, digits and . - _ ~ only",
			Check: plainName(field),
		})
	}
	for _, kind := range []string{
		"gateway_service", "gateway_route", "gateway_plugin", "gateway_consumer", "gateway_consumer_group", "gateway_upstream", "gateway_target",
		"gateway_certificate", "gateway_ca_certificate", "gateway_sni", "gateway_vault", "gateway_key_set", "gateway_key",
	} {
		out = append(out, model.Rule{
			Kind: kind, Source: model.Assumed, Says: "tags are not empty and have no , and no /",
			Check: checkTags,
		})
	}
	return append(out, model.Rule{
		Kind: model.EveryType, Source: model.Assumed, Says: "what core entities are known by is not empty: decK cannot read a control plane where it is",
		Check: known,
	})
}

// known refuses a core entity that an empty text stands for.
func known(sc model.Scene, r *store.Record) error {
	if !isEntity(sc.Kind(r.Kind)) {
		return nil
	}
	return model.NotEmpty(sc, r)
}

func wrong(field, reason string) error { return model.Bad("body", field, "invalid", reason) }

// fromVault reports whether the gateway reads a value from a vault.
func fromVault(text string) bool { return strings.HasPrefix(text, "{vault://") }

func someOf(fields ...string) func(model.Scene, *store.Record) error {
	return func(_ model.Scene, r *store.Record) error {
		for _, f := range fields {
			if v := r.Fields[f]; v != nil && v != "" {
				return nil
			}
		}
		return wrong(fields[0], "at least one of these fields must be non-empty: "+strings.Join(fields, ", "))
	}
}

func plainName(field string) func(model.Scene, *store.Record) error {
	return func(_ model.Scene, r *store.Record) error {
		name, given := r.Fields[field].(string)
		if !given {
			return nil
		}
		odd := func(c rune) bool { return c < 128 && !alphanumeric(c) && !strings.ContainsRune(".-_~", c) }
		if name == "" || strings.ContainsFunc(name, odd) {
			return wrong(field, "invalid value: of ASCII only letters, digits, ., -, _ and ~ are accepted")
		}
		return nil
	}
}

func alphanumeric(c rune) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func checkTags(_ model.Scene, r *store.Record) error {
	for _, tag := range model.Texts(r.Fields["tags"]) {
		if tag == "" || strings.ContainsAny(tag, ",/") {
			return wrong("tags", "a tag must not be empty and must not have , or /")
		}
	}
	return nil
}

// hostName reports whether a text is a name or an address of a host.
func hostName(text string) bool {
	if net.ParseIP(strings.Trim(text, "[]")) != nil {
		return true
	}
	odd := func(c rune) bool { return !alphanumeric(c) && !strings.ContainsRune(".-_", c) }
	return text != "" && !strings.ContainsFunc(text, odd) && !strings.Contains(text, "..") && !strings.HasPrefix(text, ".") && !strings.HasPrefix(text, "-")
}

func checkService(_ model.Scene, r *store.Record) error {
	text := func(field string) string { s, _ := r.Fields[field].(string); return s }
	if host := text("host"); !hostName(host) && !fromVault(host) {
		return wrong("host", "invalid value: "+host)
	}
	protocol := text("protocol")
	if path := text("path"); path != "" {
		if !strings.HasPrefix(path, "/") {
			return wrong("path", "should start with: /")
		}
		if slices.Contains([]string{"tcp", "tls", "udp", "tls_passthrough", "grpc", "grpcs"}, protocol) {
			return wrong("path", "value must be null when protocol is "+protocol)
		}
	}
	secure := slices.Contains([]string{"https", "tls", "grpcs", "wss"}, protocol)
	for _, f := range []string{"client_certificate", "tls_verify", "tls_verify_depth", "ca_certificates"} {
		if r.Fields[f] != nil && !secure {
			return wrong(f, "value must be null when protocol is "+protocol)
		}
	}
	return nil
}

func checkUpstream(_ model.Scene, r *store.Record) error {
	name, _ := r.Fields["name"].(string)
	if net.ParseIP(name) != nil || !hostName(name) {
		return wrong("name", "invalid name: must be a host name, and no address")
	}
	needs := map[string]string{"header": "_header", "cookie": "_cookie", "query_arg": "_query_arg", "uri_capture": "_uri_capture"}
	for _, way := range []string{"hash_on", "hash_fallback"} {
		by, _ := r.Fields[way].(string)
		field := way + needs[by]
		if by == "cookie" {
			field = "hash_on_cookie"
		}
		if needs[by] != "" && r.Fields[field] == nil {
			return wrong(field, "required field missing: "+way+" is "+by)
		}
	}
	return nil
}

func checkTarget(_ model.Scene, r *store.Record) error {
	target, _ := r.Fields["target"].(string)
	if fromVault(target) {
		return nil
	}
	host, port := target, ""
	if i := strings.LastIndex(target, ":"); i >= 0 {
		host, port = target[:i], target[i+1:]
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 || !hostName(host) {
		return wrong("target", "invalid target: not a valid hostname or address with a port")
	}
	return nil
}

// protocolFamilies are the protocols that one route may have together.
func protocolFamilies() [][]string {
	return [][]string{{"http", "https"}, {"grpc", "grpcs"}, {"tcp", "tls", "udp"}, {"tls_passthrough"}, {"ws", "wss"}}
}

func protocolFamily(protocols []string) []string {
	for _, f := range protocolFamilies() {
		if !slices.ContainsFunc(protocols, func(p string) bool { return !slices.Contains(f, p) }) {
			return f
		}
	}
	return nil
}

func checkProtocols(_ model.Scene, r *store.Record) error {
	protocols := model.Texts(r.Fields["protocols"])
	if r.Fields["protocols"] != nil && len(protocols) == 0 {
		return wrong("protocols", "length must be at least 1")
	}
	if protocolFamily(protocols) == nil {
		return wrong("protocols", "must be a subset of http and https, of grpc and grpcs, of tcp, tls and udp, of ws and wss, or tls_passthrough")
	}
	return nil
}

// matchers are the fields that routes of a family match by, without SNIs.
func matchers(protocols []string) []string {
	switch protocolFamily(protocols)[0] {
	case "tcp", "tls_passthrough":
		return []string{"sources", "destinations"}
	case "grpc":
		return []string{"hosts", "headers", "paths"}
	default:
		return []string{"methods", "hosts", "headers", "paths"}
	}
}

func checkMatchers(_ model.Scene, r *store.Record) error {
	if r.Fields["expression"] != nil || r.Fields["priority"] != nil {
		return checkExpression(r)
	}
	protocols := model.Texts(r.Fields["protocols"])
	known := matchers(protocols)
	if slices.ContainsFunc(protocols, func(p string) bool {
		return slices.Contains([]string{"https", "grpcs", "tls", "wss", "tls_passthrough"}, p)
	}) {
		known = append(known, "snis")
	}
	used := 0
	for _, f := range []string{"methods", "hosts", "headers", "paths", "sources", "destinations", "snis"} {
		if empty(r.Fields[f]) {
			continue
		}
		used++
		if !slices.Contains(known, f) && !slices.Contains([]string{"sources", "destinations"}, f) {
			return wrong(f, "cannot set "+f+" when protocols is "+strings.Join(protocols, ", "))
		}
	}
	if used == 0 {
		return wrong("protocols", "must set one of "+strings.Join(known, ", ")+" when protocols is "+strings.Join(protocols, ", "))
	}
	return nil
}

func empty(v any) bool {
	switch x := v.(type) {
	case nil:
		return true
	case []any:
		return len(x) == 0
	case map[string]any:
		return len(x) == 0
	default:
		return false
	}
}

func checkExpression(r *store.Record) error {
	text, _ := r.Fields["expression"].(string)
	if err := routing.Check(text); err != nil {
		return wrong("expression", fmt.Sprintf("is not an expression (%v)", err))
	}
	return nil
}

func checkMatches(_ model.Scene, r *store.Record) error {
	for _, path := range model.Texts(r.Fields["paths"]) {
		if reason := wrongPath(path); reason != "" {
			return wrong("paths", reason)
		}
	}
	for _, method := range model.Texts(r.Fields["methods"]) {
		if method == "" || strings.ContainsFunc(method, func(c rune) bool { return c < 'A' || c > 'Z' }) {
			return wrong("methods", "invalid value: "+method)
		}
	}
	for _, host := range model.Texts(r.Fields["hosts"]) {
		if !hostPattern(host) {
			return wrong("hosts", "invalid value: "+host)
		}
	}
	headers, _ := r.Fields["headers"].(map[string]any)
	for name := range headers {
		if strings.EqualFold(name, "host") {
			return wrong("headers", "cannot contain 'host' header, which must be specified in the 'hosts' attribute")
		}
	}
	return nil
}

// wrongPath leaves alone patterns that only other engines than ours know.
func wrongPath(path string) string {
	pattern, isPattern := strings.CutPrefix(path, "~")
	if !isPattern {
		if !strings.HasPrefix(path, "/") {
			return "should start with: / (fixed path) or ~/ (regex path)"
		}
		return ""
	}
	_, err := syntax.Parse(pattern, syntax.Perl)
	broken := []syntax.ErrorCode{
		syntax.ErrMissingParen, syntax.ErrMissingBracket, syntax.ErrUnexpectedParen, syntax.ErrTrailingBackslash, syntax.ErrMissingRepeatArgument,
	}
	var e *syntax.Error
	if errors.As(err, &e) && slices.Contains(broken, e.Code) {
		return "invalid regex: " + pattern
	}
	return ""
}

func hostPattern(host string) bool {
	name := strings.TrimSuffix(strings.TrimPrefix(host, "*."), ".*")
	if h, port, ok := strings.Cut(name, ":"); ok && !strings.Contains(port, ":") {
		if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
			return false
		}
		name = h
	}
	both := strings.HasPrefix(host, "*.") && strings.HasSuffix(host, ".*")
	return hostName(name) && !both
}

func checkPair(_ model.Scene, r *store.Record) error {
	for _, f := range []struct{ cert, key string }{{"cert", "key"}, {"cert_alt", "key_alt"}} {
		cert, _ := r.Fields[f.cert].(string)
		key, _ := r.Fields[f.key].(string)
		switch {
		case cert == "" && key == "", fromVault(cert):
			continue
		case !isCertificate(cert):
			return wrong(f.cert, "invalid certificate")
		case fromVault(key):
			continue
		}
		if _, err := tls.X509KeyPair([]byte(cert), []byte(key)); err != nil {
			return wrong(f.key, "certificate does not match key")
		}
	}
	return nil
}

func isCertificate(text string) bool {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return false
	}
	_, err := x509.ParseCertificate(block.Bytes)
	return err == nil
}

func checkPublicKey(_ model.Scene, r *store.Record) error {
	algorithm, _ := r.Fields["algorithm"].(string)
	if algorithm != "" && !strings.HasPrefix(algorithm, "HS") && r.Fields["rsa_public_key"] == nil {
		return wrong("rsa_public_key", "required field missing: the algorithm is "+algorithm)
	}
	return nil
}

func checkPrefix(_ model.Scene, r *store.Record) error {
	prefix, _ := r.Fields["prefix"].(string)
	if !regexp.MustCompile(`^[a-z][a-z0-9-]*[a-z0-9]$`).MatchString(prefix) || slices.Contains([]string{"env", "aws", "gcp", "hcv", "azure", "conjur"}, prefix) {
		return wrong("prefix", "must be a word of small letters, digits and hyphens, and not the name of a vault")
	}
	return nil
}
