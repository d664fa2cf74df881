package contract

import (
	"maps"
	"slices"
)

// Choice says that the value of one field tells which variant of a union stands in
// the field beside it, which the document does not say.
type Choice struct {
	Operation string
	// By is the field that tells, Field the one that holds the union.
	By, Field string
	// Of are the names of the variants by the value.
	Of map[string]string
}

// Choices lists them.
func Choices() []Choice {
	organization := map[string]string{"oidc": "OIDCIdentityProviderConfig", "saml": "SAMLIdentityProviderConfig"}
	portal := map[string]string{"oidc": "OIDCIdentityProviderConfig", "saml": "PortalSAMLIdentityProviderConfig"}
	return []Choice{
		{"POST /v3/identity-providers", "type", "config", organization},
		{"POST /v3/portals/{portalId}/identity-providers", "type", "config", portal},
	}
}

// chosen is the body of an operation as a union whose variants one field tells
// apart. It needs the contract's lock.
func (o *Operation) chosen(body *Schema) *Schema {
	for _, c := range Choices() {
		if c.Operation == o.Key() {
			body = c.apply(body)
		}
	}
	return body
}

func (c Choice) apply(body *Schema) *Schema {
	flat := body.deref()
	out := *flat
	out.Properties, out.Required = nil, nil
	for _, is := range slices.Sorted(maps.Keys(c.Of)) {
		by := *flat.Properties[c.By].deref()
		by.Name, by.Enum = "", []any{is}
		variant := &Schema{
			c: flat.c, Type: flat.Type, Properties: maps.Clone(flat.Properties), Additional: flat.Additional,
			Required: append(slices.Clone(flat.Required), c.By),
		}
		variant.Properties[c.By] = &by
		variant.Properties[c.Field] = flat.c.named(c.Of[is])
		out.OneOf = append(out.OneOf, variant)
	}
	return &out
}
