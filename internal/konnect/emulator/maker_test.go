package emulator_test

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/kongctl/kongctl/internal/konnect/catalog"
	"github.com/kongctl/kongctl/internal/konnect/contract"
)

// creation is the operation that makes a resource, and its path. What has none
// of its own is made below another that it refers to.
func (m *maker) creation(b *catalog.Bound, ids []string, own string) (*contract.Operation, string) {
	m.w.t.Helper()
	op := b.Create
	if op == nil {
		var ref catalog.Reference
		if op, ref = m.nested(b); op == nil {
			m.w.t.Fatalf("%s cannot be created", b.Kind)
		}
		own = m.one(m.w.cat.Kind(ref.Kind))
	}
	path, err := op.Expand(b.PathParams(op, ids, own))
	if err != nil {
		m.w.t.Fatal(err)
	}
	return op, path
}

// nested finds a POST below another type that answers with resources of this
// one.
func (m *maker) nested(b *catalog.Bound) (*contract.Operation, catalog.Reference) {
	for _, ref := range b.References {
		up := m.w.cat.Kind(ref.Kind)
		for _, op := range m.w.cat.Contract.Operations() {
			if op.Method != http.MethodPost || !strings.HasPrefix(op.Path, up.Path+"/{") {
				continue
			}
			if _, schema := op.Success(); schema != nil && schema.Deref().Name == b.Returned().Deref().Name {
				return op, ref
			}
		}
	}
	return nil, catalog.Reference{}
}

// elsewhere forgets the parent, and what lies beside the resource below it.
func (m *maker) elsewhere(b *catalog.Bound) {
	delete(m.made, parentKey(b))
	m.second = true
	// Of parents that are all alike there is one below each of theirs.
	for p := b.Parent; p.Parent != nil && len(p.Identity) == 1 && p.Example[p.Identity[0]] != nil; p = p.Parent {
		delete(m.made, p.Parent.Kind)
	}
	for _, n := range b.Namings {
		delete(m.made, n.Kind)
	}
	for _, ref := range b.References {
		up := m.w.cat.Kind(ref.Kind)
		if up == nil {
			continue
		}
		if shared := catalog.Shared(b, up); up.Parent == b.Parent || shared != nil && m.made[shared.Kind] == nil {
			delete(m.made, ref.Kind)
		}
	}
}

// unlimited tells types of which there may be many with the same content.
func unlimited(b *catalog.Bound) bool {
	return b.Kind == "gateway_degraphql_route" || len(b.Identity) == 1 && b.Identity[0] == "id" && b.Create != nil
}

// gatewayExample is what Konnect asks for and the contract does not.
func (m *maker) gatewayExample(b *catalog.Bound) object {
	cert, key := certificate(m.w.t, time.Now().AddDate(1, 0, 0))
	if b.Kind == "gateway_sni" {
		return object{"certificate": object{"id": m.one(m.w.cat.Kind("gateway_certificate"))}}
	}
	if b.Kind == "portal_application_registration" {
		return object{"api_id": m.one(m.w.cat.Kind("api"))}
	}
	return map[string]object{
		"gateway_service":        {"protocol": "https"},
		"gateway_route":          {"paths": []any{"/"}},
		"gateway_key":            {"jwk": "{}"},
		"gateway_plugin":         {"name": "key-auth"},
		"gateway_certificate":    {"cert": cert, "key": key},
		"gateway_ca_certificate": {"cert": cert},
		"gateway_key_auth":       {"key": "open-sesame"},
		"gateway_jwt":            {"key": "issuer"},
		"cloud_gateway_private_dns": {"private_dns_attachment_config": object{
			"kind": "aws-outbound-resolver", "dns_config": object{"corp.example.com": object{"remote_dns_server_ip_addresses": []any{"10.0.0.2"}}},
		}},
	}[b.Kind]
}

// succeeds is the status of the normal outcome of an operation.
func succeeds(op *contract.Operation) int {
	text, _ := op.Success()
	status, _ := strconv.Atoi(text)
	return status
}
