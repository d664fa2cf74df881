// Package entity is how the embedded Konnect treats the core entities of
// gateways: services, routes, plugins and the like.
//
// In: records of entities, and calls that no type of the catalog has. Out: a
// family of rules and fixed answers, with the schemas of plugins. It must never
// import the emulator that uses it or the engine that talks to it.
package entity

import (
	"slices"

	"kongctl/internal/konnect/catalog"
	"kongctl/internal/konnect/emulator/model"
	"kongctl/internal/konnect/emulator/store"
)

// Family is what the contract cannot express about the core entities of
// gateways.
func Family() model.Family {
	return model.Family{Rules: slices.Concat(gatewayEntities(), gatewayChecks()), Fixed: gatewayAnswers()}
}

func gatewayEntities() []model.Rule {
	return []model.Rule{
		{
			Kind: model.EveryType, Source: model.FromFacts, Says: "core entities have a PATCH, though the contract has only PUT: decK 1.55.0 changes targets with it, other clients of gateways all else",
			Patched: func(b *catalog.Bound) bool { return b.Writer != "" },
		},
		{
			Kind: "gateway_service", Source: model.Assumed, Says: "url is short for protocol, host, port and path",
			Expand: expandURL,
		},
		{
			Kind: "gateway_service", Source: model.FromContract, Says: "the name may stand in the path in place of the id",
			ByName: true,
		},
		{
			Kind: "gateway_route", Source: model.FromContract, Says: "the name may stand in the path in place of the id",
			ByName: true,
		},
		{
			Kind: "gateway_route", Source: model.FromContract, Says: "a route is made of an expression, or of paths, methods and the like",
			Variant: routeVariant,
		},
		{
			Kind: "gateway_route", Source: model.FromFacts, Says: "the handling of paths says nothing about an expression",
			Fill: onlyExpression,
		},
		{
			Kind: "gateway_consumer", Source: model.FromContract, Says: "the name may stand in the path in place of the id",
			ByName: true,
		},
		{
			Kind: "gateway_consumer", Source: model.Assumed, Says: "no two consumers share the id that others know them by",
			Also: []string{"custom_id"},
		},
		{
			Kind: "gateway_consumer", Source: model.FromContract, Says: "the name that consumers are filtered by is the username",
			View: func(_ model.Scene, r *store.Record, v map[string]any) { v["name"] = r.Fields["username"] },
		},
		{
			Kind: "gateway_consumer", Source: model.FromContract, Says: "the groups that a consumer is in are kept with it",
			Marks: []string{memberOf},
		},
		{
			Kind: "gateway_consumer_group", Source: model.FromContract, Says: "the name may stand in the path in place of the id",
			ByName: true,
		},
		{
			Kind: "gateway_consumer_group", Source: model.FromFacts, Says: "a group is read with its consumers, unless list_consumers is false, and with its overrides, of which there are none",
			Around: withConsumers,
		},
		{
			Kind: "gateway_consumer_group", Source: model.Assumed, Says: "consumers leave a group that goes",
			Part: dissolve,
		},
		{
			Kind: "gateway_plugin", Source: model.Assumed, Says: "of each plugin there is one for the same service, route, consumer and group",
			Unique: []string{"name", "service.id", "route.id", "consumer.id", "consumer_group.id"},
		},
		{
			Kind: "gateway_plugin", Source: model.Assumed, Says: "no two plugins share the name of an instance",
			Also: []string{"instance_name"},
		},
		{
			Kind: "gateway_plugin", Source: model.FromFacts, Says: "the configuration is checked and filled in as the schema of the plugin says",
			Fill: configurePlugin,
		},
		{
			Kind: "gateway_plugin", Source: model.Assumed, Says: "the partials that a plugin uses must be there, and be of a type that it can use",
			Fill: linkPartials,
		},
		{
			Kind: "gateway_plugin", Source: model.FromContract, Says: "the partials that a plugin uses lead to it",
			Marks: []string{usedPartials},
		},
		{
			Kind: "gateway_plugin", Source: model.Assumed, Says: "what the schema of a plugin calls encrypted is not shown to people",
			Hide: hidePluginSecrets,
		},
		{
			Kind: "gateway_partial", Source: model.FromContract, Says: "the name may stand in the path in place of the id",
			ByName: true,
		},
		{
			Kind: "gateway_partial", Source: model.FromFacts, Says: "null in the configuration stands for nothing, though the contract has no null there",
			Expand: solidConfig,
		},
		{
			Kind: "gateway_partial", Source: model.FromFacts, Says: "what the configuration leaves out is null",
			Fill: completePartial,
		},
		{
			Kind: "gateway_partial", Source: model.FromFacts, Says: "the configuration is told with null where it has no default, though the contract has no null there",
			Verbatim: "config",
		},
		{
			Kind: "gateway_partial", Source: model.Assumed, Says: "a partial that a plugin uses cannot be deleted",
			Guard: partialUnused,
		},
		{
			Kind: "gateway_upstream", Source: model.FromContract, Says: "the name may stand in the path in place of the id",
			ByName: true,
		},
		{
			Kind: "gateway_target", Source: model.Assumed, Says: "an upstream has one target of each address, which may stand in the path in place of the id",
			ByName: true,
		},
		{
			Kind: "gateway_target", Source: model.Assumed, Says: "targets of several upstreams may be the same",
			Unique: []string{"upstream.id", "target"},
		},
		{
			Kind: "gateway_target", Source: model.Assumed, Says: "an address without a port has port 8000",
			Fill: targetPort,
		},
		{
			Kind: "gateway_sni", Source: model.FromContract, Says: "the name may stand in the path in place of the id",
			ByName: true,
		},
		{
			Kind: "gateway_certificate", Source: model.Assumed, Says: "a certificate may be written with the names that it serves",
			Fill: serveNames,
		},
		{
			Kind: "gateway_certificate", Source: model.Assumed, Says: "a certificate tells the names that it serves",
			View: namesServed,
		},
		{
			Kind: "gateway_ca_certificate", Source: model.Assumed, Says: "the digest is worked out from the certificate",
			Fill: digestCertificate,
		},
		{
			Kind: "gateway_vault", Source: model.FromContract, Says: "the prefix may stand in the path in place of the id",
			ByName: true,
		},
		{
			Kind: "gateway_vault", Source: model.Assumed, Says: "the configuration may hold a token and is not shown to people",
			Hide: func(v map[string]any) { delete(v, "config") },
		},
		{
			Kind: "gateway_key_set", Source: model.FromContract, Says: "the name may stand in the path in place of the id",
			ByName: true,
		},
		{
			Kind: "gateway_key", Source: model.FromContract, Says: "the name may stand in the path in place of the id",
			ByName: true,
		},
		{
			Kind: "gateway_acl", Source: model.Assumed, Says: "a consumer is in a group once",
			Unique: []string{"consumer.id", "group"},
		},
		{
			Kind: "gateway_acl", Source: model.Assumed, Says: "the group may stand in the path in place of the id",
			ByName: true,
		},
		{
			Kind: "gateway_basic_auth", Source: model.Assumed, Says: "the name may stand in the path in place of the id",
			ByName: true,
		},
		{
			Kind: "gateway_basic_auth", Source: model.Assumed, Says: "a password is kept as a hash with the id of its consumer, and is told so",
			Fill: hashPassword,
		},
		{
			Kind: "gateway_hmac_auth", Source: model.Assumed, Says: "the name may stand in the path in place of the id",
			ByName: true,
		},
		{
			Kind: "gateway_hmac_auth", Source: model.Assumed, Says: "a secret is made up where none is given",
			Fill: madeUp("secret"),
		},
		{
			Kind: "gateway_jwt", Source: model.Assumed, Says: "the key may stand in the path in place of the id",
			ByName: true,
		},
		{
			Kind: "gateway_jwt", Source: model.Assumed, Says: "key and secret are made up where none is given",
			Fill: madeUp("key", "secret"),
		},
		{
			Kind: "gateway_key_auth", Source: model.Assumed, Says: "no two consumers share a key",
			Unique: []string{"key"},
		},
		{
			Kind: "gateway_key_auth", Source: model.Assumed, Says: "the key may stand in the path in place of the id",
			ByName: true,
		},
		{
			Kind: "gateway_key_auth", Source: model.Assumed, Says: "a key is made up where none is given",
			Fill: madeUp("key"),
		},
		{
			Kind: "gateway_key_auth", Source: model.Assumed, Says: "a key is not shown to people",
			Hide: func(v map[string]any) { delete(v, "key") },
		},
		{
			Kind: "gateway_mtls_auth", Source: model.Assumed, Says: "the authority that a name is trusted for must be there, and stays as long",
			Points: []catalog.Reference{{Field: "ca_certificate.id", Kind: "gateway_ca_certificate"}},
		},
		{
			Kind: "gateway_service", Source: model.Assumed, Says: "the authorities that a service trusts must be there, and stay as long",
			Points: []catalog.Reference{{Field: "ca_certificates", Kind: "gateway_ca_certificate"}},
		},
		{
			Kind: "gateway_plugin", Source: model.Assumed, Says: "the authorities that a plugin trusts must be there, and stay as long",
			Points: []catalog.Reference{{Field: "config.ca_certificates", Kind: "gateway_ca_certificate"}},
		},
		{
			Kind: "gateway_mtls_auth", Source: model.Assumed, Says: "a name may be trusted once for each authority",
			Unique: []string{"subject_name", "ca_certificate.id"},
		},
		{
			Kind: "gateway_degraphql_route", Source: model.Assumed, Says: "addresses may repeat",
			Unique: []string{},
		},
	}
}
