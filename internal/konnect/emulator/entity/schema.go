package entity

import (
	"strings"

	"github.com/kongctl/kongctl/internal/konnect/contract"
	"github.com/kongctl/kongctl/internal/konnect/emulator/model"
	"github.com/kongctl/kongctl/internal/konnect/emulator/store"
	"github.com/kongctl/kongctl/internal/konnect/plugin"
)

// schemas is about the operations on the schemas of entities.
func schemas() model.Family {
	return model.Family{
		Fixed: []model.Fixed{
			{
				Operation: core("GET", "/v1/schemas/json/{entity}"), Source: model.FromFacts, Says: "the JSON Schemas of core entities have the defaults that the contract has",
				Beside: true, One: entitySchemaAnswer,
			},
			{
				Operation: core("POST", "/schemas/{entityName}/validate"), Source: model.FromContract, Says: "decK validates entities without writing them",
				Plain: true, One: validateAnswer,
			},
			{
				Operation: core("POST", "/schemas/plugins/validate"), Source: model.FromFacts, Says: "decK validates plugins too, at an address that the contract takes for a plugin's schema",
				Beside: true, As: core("POST", "/schemas/{entityName}/validate"), With: map[string]string{"entityName": validatedPlugins},
			},
			{
				Operation: core("POST", "/schemas/partials/validate"), Source: model.FromFacts, Says: "partials are validated at an address that the contract takes for a partial's schema",
				Beside: true, As: core("POST", "/schemas/{entityName}/validate"), With: map[string]string{"entityName": "partials"},
			},
		},
	}
}

// entitySchemaAnswer is the JSON Schema of a core entity: what the contract says
// of it, with the defaults that are filled in.
func entitySchemaAnswer(sc model.Scene, c *model.Call) (map[string]any, error) {
	if _, err := controlPlaneOf(sc, c); err != nil {
		return nil, err
	}
	name := c.Params["entity"]
	b := sc.Kind("gateway_" + strings.ReplaceAll(name, "-", "_"))
	if b == nil {
		return nil, model.NotFound("schema", name)
	}
	schema := b.Returned()
	if variant := sc.Rule(b).Variant; variant != nil {
		schema = sc.Contract().Schema(variant(nil))
	}
	out := jsonSchema(schema)
	out["allOf"] = []any{} // where gateways say what a field means for another
	return out, nil
}

// jsonSchema keeps what clients use of a schema.
func jsonSchema(schema *contract.Schema) map[string]any {
	schema = schema.Deref()
	out := map[string]any{}
	if schema.Type != "" {
		out["type"] = string(schema.Type)
	}
	if schema.HasDefault() {
		out["default"] = model.Clone(schema.Default)
	}
	if len(schema.Enum) > 0 {
		out["enum"] = schema.Enum
	}
	if schema.Secret {
		out["encrypted"] = true
	}
	if schema.Items != nil {
		out["items"] = jsonSchema(schema.Items)
	}
	o := schema.Object(nil)
	if len(o.Names()) == 0 {
		if o.Values != nil {
			out["additionalProperties"] = jsonSchema(o.Values)
		}
		return out
	}
	properties := map[string]any{}
	var required []any
	for _, n := range o.Names() {
		f := o.Field(n)
		if f.Schema.WriteOnly {
			continue
		}
		properties[n] = jsonSchema(f.Schema)
		if f.Required {
			required = append(required, n)
		}
	}
	out["properties"] = properties
	if required != nil {
		out["required"] = required
	}
	if !anyDefault(schema) { // a reference to another entity, say
		out["additionalProperties"] = false
	}
	return out
}

func anyDefault(schema *contract.Schema) bool {
	schema = schema.Deref()
	if schema.HasDefault() {
		return true
	}
	o := schema.Object(nil)
	for _, n := range o.Names() {
		if anyDefault(o.Field(n).Schema) {
			return true
		}
	}
	return false
}

// partialSchemaAnswer is the schema of a type of partials, in the form that
// plugins have.
func partialSchemaAnswer(sc model.Scene, c *model.Call) (map[string]any, error) {
	if _, err := controlPlaneOf(sc, c); err != nil {
		return nil, err
	}
	schema := partialConfig(sc, c.Params["partialType"])
	if schema == nil {
		return nil, model.NotFound("partial schema", c.Params["partialType"])
	}
	return map[string]any{"fields": []any{map[string]any{"config": fieldOf("config", schema).Schema()}}}, nil
}

// fieldOf says in the words of gateways what the contract says of a field.
func fieldOf(name string, schema *contract.Schema) *plugin.Field {
	schema = schema.Deref()
	f := &plugin.Field{
		Name: name, Kind: string(schema.Type), Encrypted: schema.Secret, Referenceable: schema.Secret, Default: schema.Default, HasDefault: schema.HasDefault(),
	}
	o := schema.Object(nil)
	switch {
	case schema.Type == "array":
		f.Element = fieldOf("", schema.Items)
	case len(o.Names()) > 0:
		f.Kind = plugin.KindRecord
		for _, n := range o.Names() {
			below := fieldOf(n, o.Field(n).Schema)
			below.Required = o.Field(n).Required
			f.Fields = append(f.Fields, below)
		}
	case o.Values != nil:
		f.Kind = plugin.KindMap
		f.Element = fieldOf("", o.Values)
	}
	return f
}

// entityKinds are the names by which entities are validated.
func entityKinds() map[string]string {
	return map[string]string{
		"services": "gateway_service", "routes": "gateway_route", "consumers": "gateway_consumer", "consumer_groups": "gateway_consumer_group",
		"plugins": "gateway_plugin", "upstreams": "gateway_upstream", "targets": "gateway_target", "certificates": "gateway_certificate",
		"ca_certificates": "gateway_ca_certificate", "snis": "gateway_sni", "vaults": "gateway_vault", "partials": "gateway_partial",
		"key-sets": "gateway_key_set", "keys": "gateway_key", "acls": "gateway_acl", "basicauth_credentials": "gateway_basic_auth",
		"hmacauth_credentials": "gateway_hmac_auth", "jwt_secrets": "gateway_jwt", "keyauth_credentials": "gateway_key_auth", "mtls_auth_credentials": "gateway_mtls_auth",
		"oauth2_credentials": "gateway_oauth2_credential",
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
	b := sc.Kind(entityKinds()[name])
	if b == nil {
		return nil, model.NotFound("schema", name)
	}
	rule := sc.Rule(b)
	body := model.CloneMap(c.Body)
	if rule.Expand != nil {
		rule.Expand(body)
	}
	schema := b.Returned().Deref()
	if b.Create != nil { // else it is made below another entity, which may stand in the body here
		schema = b.Create.Body().Deref()
	}
	if rule.Variant != nil {
		schema = sc.Contract().Schema(rule.Variant(body))
	}
	if vs := sc.Contract().Validate(schema.Name, contract.Request, body, nil); len(vs) > 0 {
		return nil, model.Violations("body", "", vs)
	}
	if id, given := body["id"].(string); given {
		if err := model.CheckID(b, id); err != nil {
			return nil, err
		}
	}
	fields := model.WithoutNulls(body)
	model.Fill(schema, fields)
	rec := &store.Record{Kind: b.Kind, Parent: controlPlane.ID, Fields: fields, Made: map[string]any{}}
	check := rule.Check
	if name == validatedPlugins {
		check = check.Then(configurePlugin)
	}
	if err := check.Run(sc, rec); err != nil {
		return nil, err
	}
	return map[string]any{"message": "schema validation successful"}, nil
}
