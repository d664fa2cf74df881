package entity

import (
	"kongctl/internal/konnect/contract"
	"kongctl/internal/konnect/emulator/model"
	"kongctl/internal/konnect/emulator/store"
)

// entityKinds are the names by which entities are validated.
func entityKinds() map[string]string {
	return map[string]string{
		"services": "gateway_service", "routes": "gateway_route", "consumers": "gateway_consumer", "consumer_groups": "gateway_consumer_group",
		"plugins": "gateway_plugin", "upstreams": "gateway_upstream", "targets": "gateway_target", "certificates": "gateway_certificate",
		"ca_certificates": "gateway_ca_certificate", "snis": "gateway_sni", "vaults": "gateway_vault", "partials": "gateway_partial",
		"key-sets": "gateway_key_set", "keys": "gateway_key", "acls": "gateway_acl", "basicauth_credentials": "gateway_basic_auth",
		"hmacauth_credentials": "gateway_hmac_auth", "jwt_secrets": "gateway_jwt", "keyauth_credentials": "gateway_key_auth", "mtls_auth_credentials": "gateway_mtls_auth",
	}
}

const validatedPlugins = "plugins"

// validateAnswer holds an entity against its schema and against what gateways
// refuse, not against other entities.
func validateAnswer(sc model.Scene, c *model.Call) (map[string]any, error) {
	controlPlane, err := controlPlaneOf(sc, c)
	if err != nil {
		return nil, err
	}
	name := c.Params["entityName"]
	if name == "" { // the address of plugins
		name = validatedPlugins
	}
	b := sc.Kind(entityKinds()[name])
	if b == nil {
		return nil, model.NotFound("schema", name)
	}
	con := sc.Rule(b)
	body := model.CloneMap(c.Body)
	if con.Expand != nil {
		con.Expand(body)
	}
	schema := b.Returned().Deref()
	if con.Variant != nil {
		schema = sc.Contract().Schema(con.Variant(body))
	}
	if vs := sc.Contract().Validate(schema.Name, contract.Request, body, nil); len(vs) > 0 {
		return nil, model.Violations("body", "", vs)
	}
	fields := model.WithoutNulls(body)
	model.Fill(schema, fields)
	rec := &store.Record{Kind: b.Kind, Parent: controlPlane.ID, Fields: fields, Made: map[string]any{}}
	check := con.Check
	if name == validatedPlugins {
		check = check.Then(configurePlugin)
	}
	if err := check.Run(sc, rec); err != nil {
		return nil, err
	}
	return map[string]any{"message": "schema validation successful"}, nil
}
