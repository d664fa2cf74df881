package gateway

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kongctl/kongctl/internal/diag"
	"github.com/kongctl/kongctl/internal/konnect/routing"
	"github.com/kongctl/kongctl/internal/value"
)

// families are the protocols that one route may have together.
var families = [][]string{{"http", "https"}, {"grpc", "grpcs"}, {"tcp", "tls", "udp"}, {"tls_passthrough"}, {"ws", "wss"}}

// protocolsOf are those of a route; without any it has those of a gateway.
func protocolsOf(fields map[string]any) []string {
	if fields["protocols"] == nil {
		return []string{"http", "https"}
	}
	return texts(fields["protocols"])
}

func familyOf(protocols []string) []string {
	for _, f := range families {
		if !slices.ContainsFunc(protocols, func(p string) bool { return !slices.Contains(f, p) }) {
			return f
		}
	}
	return nil
}

func routeProtocols(fields map[string]any) []flaw {
	protocols := protocolsOf(fields)
	all := slices.Concat(families...)
	for i, p := range protocols {
		if !slices.Contains(all, p) {
			return []flaw{{value.Path{"protocols"}.Index(i), "expected one of: " + strings.Join(all, ", "), "use one of them."}}
		}
	}
	switch {
	case len(protocols) == 0:
		return one("protocols", "length must be at least 1", "name a protocol, or remove the line: http and https are the default.")
	case familyOf(protocols) == nil:
		return one("protocols", "these protocols cannot be used together", "use http and https, grpc and grpcs, tcp, tls and udp, ws and wss, or tls_passthrough alone.")
	}
	return nil
}

// matchers are the fields that routes of these protocols match by.
func matchers(protocols []string) []string {
	var out []string
	switch protocols[0] {
	case "tcp", "tls", "udp", "tls_passthrough":
		out = []string{"sources", "destinations"}
	case "grpc", "grpcs":
		out = []string{"hosts", "headers", "paths"}
	default:
		out = []string{"methods", "hosts", "headers", "paths"}
	}
	if slices.ContainsFunc(protocols, func(p string) bool {
		return slices.Contains([]string{"https", "grpcs", "tls", "wss", "tls_passthrough"}, p)
	}) {
		out = append(out, "snis")
	}
	return out
}

func routeMatchers(fields map[string]any) []flaw {
	protocols := protocolsOf(fields)
	if text(fields, "expression") != "" || familyOf(protocols) == nil || len(protocols) == 0 {
		return nil
	}
	known := matchers(protocols)
	used := false
	for _, f := range []string{"methods", "hosts", "headers", "paths", "sources", "destinations", "snis"} {
		if isEmpty(fields[f]) {
			continue
		}
		used = true
		if !slices.Contains(known, f) && f != "sources" && f != "destinations" {
			return one(f, fmt.Sprintf("it cannot be set when protocols are %s", strings.Join(protocols, ", ")), fmt.Sprintf("remove it, or match by %s.", diag.Join(known, "or")))
		}
	}
	if !used {
		return []flaw{{nil, fmt.Sprintf("one of %s must be set when protocols are %s", diag.Join(known, "or"), strings.Join(protocols, ", ")), fmt.Sprintf("add %s.", diag.Join(known, "or"))}}
	}
	return nil
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

var httpMethods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"}

func routePaths(fields map[string]any) []flaw {
	var out []flaw
	for i, path := range texts(fields["paths"]) {
		pattern, isPattern := strings.CutPrefix(path, "~")
		at := value.Path{"paths"}.Index(i)
		_, broken := routing.Broken(pattern)
		switch {
		case !isPattern && !strings.HasPrefix(path, "/"):
			out = append(out, flaw{at, "should start with: / (fixed path) or ~/ (regex path)", "write / before it."})
		case isPattern && broken:
			out = append(out, flaw{at, "invalid regex", "correct the pattern."})
		}
	}
	for i, method := range texts(fields["methods"]) {
		if method == "" || strings.ContainsFunc(method, func(c rune) bool { return c < 'A' || c > 'Z' }) {
			fix := "write a method such as GET or POST."
			if upper := strings.ToUpper(method); slices.Contains(httpMethods, upper) {
				fix = fmt.Sprintf("write %s.", upper)
			}
			out = append(out, flaw{value.Path{"methods"}.Index(i), "a method is in capital letters", fix})
		}
	}
	return out
}

// routeExpression holds the expression of a route against the language of them.
func routeExpression(fields map[string]any) []flaw {
	text := text(fields, "expression")
	if text == "" {
		return nil
	}
	if err := routing.Check(text); err != nil {
		return one("expression", "it is not an expression: "+err.Error(), cmp.Or(err.Fix, "correct the expression."))
	}
	return nil
}

func routeHosts(fields map[string]any) []flaw {
	for i, host := range texts(fields["hosts"]) {
		if !hostPattern(host) {
			return []flaw{{value.Path{"hosts"}.Index(i), "it is not a host, nor one with * at the beginning or end", "write a host name, without protocol and path."}}
		}
	}
	for name := range asMap(fields["headers"]) {
		if strings.EqualFold(name, "host") {
			return []flaw{{value.Path{"headers", name}, "cannot contain 'host' header, which must be specified in the 'hosts' attribute", "write it under hosts."}}
		}
	}
	return nil
}

func hostPattern(host string) bool {
	name := strings.TrimSuffix(strings.TrimPrefix(host, "*."), ".*")
	if h, port, ok := strings.Cut(name, ":"); ok && !strings.Contains(port, ":") {
		if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
			return false
		}
		name = h
	}
	return hostName(name) && (!strings.HasPrefix(host, "*.") || !strings.HasSuffix(host, ".*"))
}

func routeChoices(fields map[string]any) []flaw {
	codes := []string{"301", "302", "307", "308", "426"}
	if n, ok := fields["https_redirect_status_code"].(json.Number); ok && !slices.Contains(codes, n.String()) {
		return one("https_redirect_status_code", "expected one of: "+strings.Join(codes, ", "), "")
	}
	if h := text(fields, "path_handling"); h != "" && h != "v0" && h != "v1" {
		return one("path_handling", "expected one of: v0, v1", "")
	}
	return nil
}
